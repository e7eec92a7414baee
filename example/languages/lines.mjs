#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// Runs many jobs in one process, for `coworker work QUEUE --lines -- node lines.mjs`.
//
// Standard output is for answers only: one line each. Everything else goes to standard error.
import { createInterface } from "node:readline";

async function handle(job) { // your work; it may run twice, so let that do no harm
  if (!job.payload.to) throw new Error("to whom?");
  console.error("hello", job.payload.to);
  return { greeted: job.payload.to };
}

for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line);
  let answer;
  try {
    answer = { outcome: "success", result: await handle(job) };
  } catch (error) {
    answer = { outcome: "retry", message: String(error) };
  }
  process.stdout.write(JSON.stringify({ id: job.id, ...answer }) + "\n");
}
