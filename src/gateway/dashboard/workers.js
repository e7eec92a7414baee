// SPDX-License-Identifier: MIT
// Who works, and on what.
import { get, get_if_there, path } from "./api.js";
import { h, table } from "./dom.js";
import { clock, count, span_since } from "./format.js";
import { badge, bare, link, missing_note, payload, payload_of, time } from "./parts.js";
import { page_size, pager } from "./pages.js";
import { list_job_link } from "./list_queue.js";
import { note_list } from "./queues.js";

const most_queues = 10; // whose running jobs are looked at
const most_jobs = 10; // of each of them

async function running_of(queue) {
  const page = await get_if_there(path(["queues", queue.name, "jobs"], { state: "running", count: most_jobs }));
  return page?.jobs ?? [];
}

const seen_for = 300; // seconds for which a worker counts that has no connection of its own

/// Workers over HTTP, and those of other libraries, have none; those of coworker are named after theirs.
const is_there = ({ name, connected, seen_at }) => connected ||
  (name && !/:[0-9a-f]{32}$/.test(name) && Date.now() - Date.parse(seen_at) < 1000 * seen_for);
const state_of = (worker) =>
  !is_there(worker) && worker.running + worker.stalled > 0 ? badge("not connected", "warn")
    : worker.running > 0 ? badge("busy", "good") : badge("idle", "plain");

/// On which queues, and how many jobs of each it has.
const loads_of = (worker) => h("span", {}, worker.loads.map(({ kind, queue, running }, at) => [
  at > 0 && ", ", queue === null ? "managed queues"
    : link(kind === "list" ? ["queue", queue, "running"] : ["managed", bare(queue), "running"], bare(queue), worker.name && running > 0 ? "?worker=" + encodeURIComponent(worker.name) : ""),
  running > 0 && ` ${count(running)}`]));

const worker_name = (worker) => (worker.name ? h("code", {}, worker.name) : h("span", { class: "none" }, "without a name, or gone"));

function worker_row(worker) {
  return { key: worker.name, heading: 0, cells: [worker_name(worker), state_of(worker), worker.host ?? "–",
    worker.process ?? "–", worker.started_at ? h("time", { datetime: worker.started_at, title: clock(worker.started_at) }, span_since(worker.started_at)) : "–",
    worker.version ?? "–", worker.connected && !worker.seen_at ? "now" : time(worker.seen_at), count(worker.running), h("span", { class: worker.stalled > 0 ? "bad" : null }, count(worker.stalled)), loads_of(worker)] };
}

const worker_columns = [{ title: "Worker", class: "name" }, { title: "State" }, { title: "Host" }, { title: "Process", number: true },
  { title: "Uptime", number: true }, { title: "Version" }, { title: "Last seen" }, { title: "Running", number: true }, { title: "Stalled", number: true }, { title: "Queues" }];

export const workers_view = {
  group: "workers",
  title: () => "Workers",

  async load({ query }) {
    const [lists, page] = await Promise.all([get("queues?kind=list&count=50"), get(path(["workers"], { count: page_size(), cursor: query.cursor }))]);
    lists.queues.forEach(note_list);
    const busy = lists.queues.filter((queue) => queue.running > 0 && !queue.unreachable);
    const jobs = (await Promise.all(busy.slice(0, most_queues).map(running_of))).flat();
    const total = busy.reduce((sum, queue) => sum + queue.running, 0);
    return { pages: [lists, page], jobs, total, workers: page.workers, next: page.next };
  },

  render({ data: { pages, jobs, total, workers, next }, query }, page) {
    const job_columns = [{ title: "Worker", class: "name" }, { title: "Queue" }, { title: "Job", class: "id" }, { title: "Payload", class: "data" }, { title: "Started" }];
    const rows = jobs.toSorted((a, b) => (a.worker ?? "").localeCompare(b.worker ?? "")).map((job) => ({ key: job.queue + "/" + job.key, heading: 0, cells: [
      job.worker ? h("code", {}, job.worker) : h("span", { class: "none" }, "over HTTP, another library's, or gone"),
      link(["queue", job.queue, "running"], job.queue), list_job_link(job.queue, job), payload(payload_of(job)), time(job.started_at)] }));
    return [
      h("h1", {}, "Workers"),
      missing_note(...pages),
      h("section", { "data-key": "all" },
        workers.length > 0 ? h("div", { class: "box" }, table("Workers", worker_columns, workers.map(worker_row)))
          : h("p", { class: "none box" }, "No worker is connected. 'coworker work QUEUE -- COMMAND' starts one."),
        pager(["workers"], query, next, workers.length > 0 && page)),
      h("section", { "data-key": "lists" }, h("h2", {}, "Jobs of list queues that run now"),
        rows.length > 0 ? h("div", { class: "box" }, table("Running jobs", job_columns, rows))
          : h("p", { class: "none box" }, "No job of a list queue runs now."),
        total > rows.length && h("p", { class: "note" }, `${count(rows.length)} of ${count(total)}; each queue shows all of its own.`)),
    ];
  },
};
