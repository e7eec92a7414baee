// SPDX-License-Identifier: MIT
// graphile-worker with its defaults, as https://worker.graphile.org/docs/error-handling describes them; stop() is what its
// own handler of SIGTERM calls. The options for speed that benchmarks/peers uses are left out.
'use strict';
const {Logger, makeWorkerUtils, run} = require('graphile-worker');

const logger = new Logger(() => (level, message) => { if (level === 'error') console.error(message); });

require('./worker').run(async (url) => {
  let utils, runner, is_stopping = false;
  return {
    async push(jobs) {
      utils = await makeWorkerUtils({connectionString: url, logger});
      await utils.migrate();
      for (const job of jobs) await utils.addJob('job', job);
    },
    async work(handle, concurrency) {
      runner = await run({
        connectionString: url, logger, noHandleSignals: true, concurrency, maxPoolSize: concurrency + 1,
        taskList: {job: (payload) => handle(payload)},
      });
      // Its README waits for this promise: when the worker gives up, the process ends, and a service manager starts another.
      runner.promise.catch((error) => console.error(error.message)).then(() => { if (!is_stopping) process.exit(1); });
    },
    stop() {
      is_stopping = true;
      return runner.stop();
    },
    close: () => utils.release(),
  };
});
