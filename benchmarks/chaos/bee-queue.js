// SPDX-License-Identifier: MIT
// bee-queue as its README recommends it: each worker looks for stalled jobs at the default stallInterval, errors are heard,
// jobs have retries, and a worker is closed with a timeout of 30 s.
'use strict';
const Queue = require('bee-queue');

require('./worker').run(async (url, is_worker) => {
  const {hostname, port} = new URL(url);
  const queue = new Queue('chaos', {
    redis: {host: hostname, port: Number(port)}, removeOnSuccess: true, isWorker: is_worker, getEvents: is_worker,
  });
  queue.on('error', (error) => console.error(error.message));
  await queue.ready();
  return {
    push: (jobs) => Promise.all(jobs.map((job) => queue.createJob(job).setId(`job-${job.id}`).retries(3).save())),
    async work(handle, concurrency) {
      queue.checkStalledJobs(5000, (error) => { if (error) console.error(error.message); });
      queue.process(concurrency, (job) => handle(job.data));
    },
    stop: () => queue.close(30_000),
    close: () => queue.close(2000),
  };
});
