// SPDX-License-Identifier: MIT
// What stands in the address bar behind '#', and the view that it means.
import { queues_view } from "./queues.js";
import { list_view } from "./list_queue.js";
import { managed_view } from "./managed_queue.js";
import { list_job_view } from "./list_job.js";
import { job_view } from "./managed_job.js";
import { failures_view, group_view } from "./failures.js";
import { workers_view } from "./workers.js";
import { schedules_view } from "./schedules.js";
import { limits_view } from "./limits.js";
import { batch_view, batches_view } from "./batches.js";

const views = {
  "": queues_view,
  queue: list_view, // #/queue/NAME/STATE?cursor=50
  managed: managed_view, // #/managed/NAME/STATE
  job: job_view, // #/job/JID
  listjob: list_job_view, // #/listjob/QUEUE/ID
  failures: failures_view,
  group: group_view, // #/group/NAME
  workers: workers_view,
  schedules: schedules_view,
  limits: limits_view,
  batches: batches_view,
  batch: batch_view, // #/batch/ID/failed
};

export function find_view(hash) {
  const [place, search] = hash.replace(/^#?\/?/, "").split("?");
  let words;
  try {
    words = place.split("/").map(decodeURIComponent);
  } catch {
    words = [""]; // broken escapes
  }
  const view = views[words[0]] ?? queues_view;
  const query = Object.fromEntries(new URLSearchParams(search ?? ""));
  return { view, args: words.slice(1), query };
}
