// SPDX-License-Identifier: MIT
// bee-queue: saveAll, and process with concurrency, with the settings that its documentation names for speed.
'use strict';
const Queue = require('bee-queue');

require('./driver').run(async (url) => {
  const {hostname, port} = new URL(url);
  const queue = new Queue('bench', {
    redis: {host: hostname, port: Number(port)},
    removeOnSuccess: true, storeJobs: false, sendEvents: false, getEvents: false,
    isWorker: process.argv[3] === 'work',
  });
  await queue.ready();
  return {
    push: (job) => queue.createJob(job).save(),
    push_many: (jobs) => queue.saveAll(jobs.map((job) => queue.createJob(job))),
    async work(handle) { queue.process(100, async (job) => handle(job.data)); },
    close: () => queue.close(2000),
  };
});
