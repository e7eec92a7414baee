// SPDX-License-Identifier: MIT
// graphile-worker: add_jobs, and a worker with a local queue and batched completion, as its page on performance says.
'use strict';
const {Logger, makeWorkerUtils, run} = require('graphile-worker');

const logger = new Logger(() => () => {});
const add_jobs = `select count(*) from graphile_worker.add_jobs(array(
  select json_populate_record(null::graphile_worker.job_spec, each) from json_array_elements($1::json) each))`;

require('./driver').run(async (url) => {
  const utils = await makeWorkerUtils({connectionString: url, logger});
  await utils.migrate();
  let runner;
  return {
    push: (job) => utils.addJob('letter', job),
    push_many: (jobs) => utils.withPgClient((client) =>
      client.query(add_jobs, [JSON.stringify(jobs.map((payload) => ({identifier: 'letter', payload})))])),
    async work(handle) {
      runner = await run({
        connectionString: url, logger, noHandleSignals: true, taskList: {letter: async (job) => handle(job)},
        preset: {worker: {
          concurrentJobs: 100, maxPoolSize: 20, localQueue: {size: 500}, completeJobBatchDelay: 0, failJobBatchDelay: 0,
        }},
      });
    },
    close: async () => { await runner?.stop(); await utils.release(); },
  };
});
