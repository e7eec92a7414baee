// SPDX-License-Identifier: MIT
// What the drivers in JavaScript have in common: `node PEER.js URL push|work COUNT HOW`, as the benchmarks' own processes
// understand it (benchmarks/task.hpp). A peer is an object with
//   push(job)        resolves when the server has the job
//   push_many(jobs)  the same for many; the fastest way that its documentation has
//   work(handle)     begins to call `handle` with jobs, 100 at a time at most
//   close()          ends
'use strict';

const now = () => Number(process.hrtime.bigint());
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function make_job(number) {
  return {to: 'ada.lovelace@example.com', subject: 'Your report of last week is ready', number, urgent: number % 2 === 0};
}

async function push_singly(peer, first, count) {
  for (let i = 0; i < count; ++i) await peer.push(make_job(first + i));
}

const ways = {
  one: (peer, count) => push_singly(peer, 0, count),
  flight: (peer, count) =>
    Promise.all(Array.from({length: 100}, (_, i) => push_singly(peer, i * count, Math.floor(count / 100)))),
  async bulk(peer, count) {
    for (let i = 0; i < count; i += 1000)
      await peer.push_many(Array.from({length: Math.min(1000, count - i)}, (_, k) => make_job(i + k)));
  },
  async paced(peer, count) {
    for (let i = 0; i < count; ++i) {
      await pause(2 + Math.random());
      await peer.push(make_job(now()));
    }
  },
};

function percentile(samples, share) {
  return samples.length === 0 ? 0 : samples[Math.min(samples.length - 1, Math.floor(share * samples.length))] / 1000;
}

async function work(peer, count, timed) {
  const samples = [];
  let handled = 0, begin = 0, usage;
  await new Promise((resolve, reject) => {
    peer.work((job) => {
      if (timed) samples.push(now() - job.number);
      if (handled++ === 0) [begin, usage] = [now(), process.cpuUsage()];
      if (handled === count) resolve();
    }).then(() => console.log('ready'), reject);
  });
  const seconds = (now() - begin) / 1e9, {user, system} = process.cpuUsage(usage);
  samples.splice(0, samples.length / 10); // processes begin
  samples.sort((a, b) => a - b);
  return {seconds, cpu: (user + system) / 1e6, p50: percentile(samples, 0.5), p99: percentile(samples, 0.99)};
}

exports.run = async (connect) => {
  const [url, what, count, how] = process.argv.slice(2);
  const peer = await connect(url);
  let result;
  if (what === 'push') {
    const begin = now();
    await ways[how](peer, Number(count));
    result = {seconds: (now() - begin) / 1e9};
  } else {
    result = await work(peer, Number(count), how === 'latency');
  }
  console.log(JSON.stringify(result));
  await Promise.race([peer.close(), pause(5000)]);
  process.exit(0);
};
