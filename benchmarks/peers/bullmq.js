// SPDX-License-Identifier: MIT
// BullMQ: addBulk, and a worker with concurrency; jobs are removed when they are complete.
'use strict';
const {Queue, Worker} = require('bullmq');

require('./driver').run(async (url) => {
  const {hostname, port} = new URL(url);
  const connection = {host: hostname, port: Number(port), maxRetriesPerRequest: null};
  const queue = new Queue('bench', {connection, defaultJobOptions: {removeOnComplete: true}});
  let worker;
  return {
    push: (job) => queue.add('letter', job),
    push_many: (jobs) => queue.addBulk(jobs.map((data) => ({name: 'letter', data}))),
    async work(handle) {
      worker = new Worker('bench', async (job) => handle(job.data), {connection, concurrency: 100});
      await worker.waitUntilReady();
    },
    close: async () => { await worker?.close(); await queue.close(); },
  };
});
