// SPDX-License-Identifier: MIT
// What the workers in JavaScript have in common: `node PEER.js work URL RECORD CONCURRENCY` and `node PEER.js push URL`, as
// chaos.py says. A peer is a function of the URL; it returns an object with
//   push(jobs)                  resolves when the server has them
//   work(handle, concurrency)   resolves when the worker is ready
//   stop()                      the graceful stop that its documentation recommends
//   close()                     ends a producer
'use strict';
const fs = require('fs');

let file; // of the record

function write(what, job) {
  fs.writeSync(file, `${process.hrtime.bigint()} ${process.pid} ${what} ${job}\n`);
}

function is_first(path) { // only the first run blocks
  try {
    fs.closeSync(fs.openSync(path, 'wx'));
    return true;
  } catch {
    return false;
  }
}

async function handle(job) {
  write('began', job.id);
  if (job.block && is_first(process.argv[4] + '.blocked'))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, job.block);
  await new Promise((resolve) => setTimeout(resolve, job.ms));
  write('ended', job.id);
}

exports.run = async (connect) => {
  const [what, url, record, concurrency] = process.argv.slice(2);
  const peer = await connect(url, what === 'work');
  if (what === 'push') {
    const lines = fs.readFileSync(0, 'utf8').split('\n').filter(Boolean);
    await peer.push(lines.map((line) => JSON.parse(line)));
    await peer.close();
    process.exit(0);
  }
  file = fs.openSync(record, 'a');
  process.once('SIGTERM', async () => {
    await peer.stop();
    process.exit(0);
  });
  await peer.work(handle, Number(concurrency));
  write('ready', '-');
};
