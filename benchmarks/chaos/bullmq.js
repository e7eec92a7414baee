// SPDX-License-Identifier: MIT
// BullMQ as https://docs.bullmq.io/guide/going-to-production recommends it: retries with a back-off, errors heard, a worker
// that is closed at SIGTERM, maxRetriesPerRequest null for workers. Locks and checks for stalled jobs have their defaults.
'use strict';
const {Queue, Worker} = require('bullmq');

require('./worker').run(async (url) => {
  const {hostname, port} = new URL(url);
  const connection = {host: hostname, port: Number(port), maxRetriesPerRequest: null};
  let queue, worker;
  return {
    async push(jobs) {
      queue = new Queue('chaos', {connection, defaultJobOptions: {
        attempts: 3, backoff: {type: 'exponential', delay: 1000}, removeOnComplete: true,
      }});
      await queue.addBulk(jobs.map((data) => ({name: 'job', data, opts: {jobId: `job-${data.id}`}})));
    },
    async work(handle, concurrency) {
      worker = new Worker('chaos', (job) => handle(job.data), {connection, concurrency});
      worker.on('error', (error) => console.error(error.message));
      await worker.waitUntilReady();
    },
    stop: () => worker.close(),
    close: () => queue.close(),
  };
});
