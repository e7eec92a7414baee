// SPDX-License-Identifier: MIT
// From a name to its view.
import { get_if_there, path } from "./api.js";
import { is_seen } from "./samples.js";

const place = (...words) => "#/" + words.map(encodeURIComponent).join("/");
const most_queues = 50, most_jobs = 100_000; // that are read to find a job by its id

const there = async (words) => (await get_if_there(path(words)).catch(() => null)) !== null;

/// The list queue that has a job with this id: they have no index of ids, so one after the other is read.
async function list_queue_of(id) {
  const found = await get_if_there(path(["queues"], { kind: "list", count: most_queues })).catch(() => null);
  const size = (queue) => queue.waiting + queue.scheduled + queue.running + queue.failed;
  const queues = (found?.queues ?? []).filter((queue) => !queue.unreachable && size(queue) > 0 && size(queue) <= most_jobs);
  for (const queue of queues.toSorted((a, b) => size(a) - size(b)))
    if (await there(["queues", queue.name, "jobs", id])) return queue.name;
  return null;
}

/// The address of a queue or a job. A name that stands for several things means a queue that was seen here, then a job of
/// a managed queue, then such a queue, then a list queue, then a job of one. If there is none, the page of a list queue
/// says so.
export async function find_place(name) {
  if (name.startsWith("managed:")) return place("managed", name.slice(8));
  if (is_seen("list:" + name)) return place("queue", name);
  if (is_seen("managed:" + name)) return place("managed", name);
  if (await there(["jobs", name])) return place("job", name);
  if (await there(["queues", "managed:" + name])) return place("managed", name);
  if (await there(["queues", name])) return place("queue", name);
  const queue = await list_queue_of(name);
  return queue === null ? place("queue", name) : place("listjob", queue, name);
}
