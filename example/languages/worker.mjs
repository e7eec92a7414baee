#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// A worker in JavaScript, for Node 18 or later, without packages: runs jobs of a queue of coworker's HTTP gateway.
//
//   worker.mjs http://localhost:8080/v1/queues/managed:mail [how many jobs to run; default: for ever]
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";

const queue = process.argv[2];
let left = Number(process.argv[3] ?? Infinity);
const headers = { "Content-Type": "application/json", Authorization: `Bearer ${process.env.COWORKER_TOKEN ?? ""}` };

async function post(what, body) {
  const answer = await fetch(`${queue}/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: answer.status, ...(await answer.json()) };
}

async function handle(job, lost) { // your work; it may run twice, so let that do no harm
  await setTimeout((job.payload.seconds ?? 0) * 1000, null, { signal: lost });
  console.log("hello", job.payload.to);
}

// The lease ends if this is not done in time: then another worker gets the job.
function keepLease(job, lost) {
  let renewing = Promise.resolve();
  const renew = async () => {
    const answer = await post("renew", { token: job.token }).catch(() => ({})); // tried again, as long as the lease lasts
    if (answer.status === 200) job.token = answer.token;
    if (answer.status === 409) lost.abort();
  };
  const timer = setInterval(() => { renewing = renewing.then(renew); }, (job.lease_seconds * 1000) / 3);
  return () => { clearInterval(timer); return renewing; }; // one that is under way brings the token that is valid then
}

while (left > 0) {
  const taken = await post("take", { worker: `${hostname()}-${process.pid}`, wait: "20s" });
  if (taken.status !== 200) throw new Error(taken.detail);
  for (const job of taken.jobs) {
    const lost = new AbortController();
    const stopRenewing = keepLease(job, lost);
    const outcome = await handle(job, lost.signal)
      .then(() => ({ outcome: "success" }), (error) => ({ outcome: "retry", message: String(error) }));
    await stopRenewing();
    const answer = await post("acknowledge", { token: job.token, ...outcome });
    if (answer.status !== 200) console.error(job.id, answer.detail);
    left -= 1;
  }
}
