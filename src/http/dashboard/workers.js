// Who works, and on what.
import { get, get_if_there, path } from "./api.js";
import { h, table } from "./dom.js";
import { count } from "./format.js";
import { link, payload, payload_of, time } from "./parts.js";
import { note_list } from "./queues.js";

const most_queues = 10; // whose running jobs are looked at
const most_jobs = 10; // of each of them

async function running_of(queue) {
  const page = await get_if_there(path(["queues", queue.name, "in_progress"], { count: most_jobs }));
  return (page?.jobs ?? []).map((job) => ({ ...job, queue: queue.name }));
}

export const workers_view = {
  group: "workers",
  title: () => "Workers",

  async load() {
    const [lists, managed] = await Promise.all([get("queues?count=50"), get_if_there("managed/workers?count=50")]);
    lists.queues.forEach(note_list);
    const busy = lists.queues.filter((queue) => queue.in_progress > 0);
    const jobs = (await Promise.all(busy.slice(0, most_queues).map(running_of))).flat();
    const total = busy.reduce((sum, queue) => sum + queue.in_progress, 0);
    return { jobs, total, workers: managed?.workers ?? [] };
  },

  render({ data: { jobs, total, workers } }) {
    const job_columns = [{ title: "Worker", class: "name" }, { title: "Queue" }, { title: "Job", class: "id" }, { title: "Payload", class: "data" }, { title: "Started" }];
    const rows = jobs.toSorted((a, b) => (a.holder ?? "").localeCompare(b.holder ?? "")).map((job) => ({ key: job.queue + "/" + job.key, heading: 0, cells: [
      job.holder ? h("code", {}, job.holder) : h("span", { class: "none" }, "another library's, or gone"),
      link(["queue", job.queue, "in_progress"], job.queue), job.id ? h("code", {}, job.id.slice(0, 256)) : "no id", payload(payload_of(job)), time(job.started_at)] }));
    const worker_rows = workers.slice(0, 200).map((worker) => ({ key: worker.name, heading: 0, cells: [h("code", {}, worker.name), count(worker.running),
      h("span", { class: worker.stalled > 0 ? "bad" : null }, count(worker.stalled))] }));
    return [
      h("h1", {}, "Workers"),
      h("section", { "data-key": "lists" }, h("h2", {}, "Jobs of list queues that run now"),
        rows.length > 0 ? h("div", { class: "box" }, table("Running jobs", job_columns, rows))
          : h("p", { class: "none box" }, "No job of a list queue runs now. 'coworker work QUEUE -- COMMAND' runs a command for each."),
        total > rows.length && h("p", { class: "note" }, `${count(rows.length)} of ${count(total)}; each queue shows all of its own.`)),
      h("section", { "data-key": "managed" }, h("h2", {}, "Workers of managed queues"),
        worker_rows.length > 0
          ? h("div", { class: "box" }, table("Workers", [{ title: "Worker", class: "name" }, { title: "Running", number: true }, { title: "Stalled", number: true }], worker_rows))
          : h("p", { class: "none box" }, "No worker of a managed queue has done anything today.")),
    ];
  },
};
