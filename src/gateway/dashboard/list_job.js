// SPDX-License-Identifier: MIT
// One job of a list queue. Such a queue has no index of ids: the gateway reads it until it finds the job.
import { get, path } from "./api.js";
import { button, h } from "./dom.js";
import { count, preview, whole_text } from "./format.js";
import { badge, link, named, outcome_text, payload_of, time } from "./parts.js";
import { kinds } from "./job_graph.js";
import { fact } from "./managed_job.js";

const verbs = { waiting: ["delete"], scheduled: ["run", "delete"], running: ["cancel"], failed: ["retry", "delete"] };
const words = { retry: ["Retry", "queued again"], run: ["Run now", "queued"],
  delete: ["Delete", "deleted", "It is removed from the queue for good."],
  cancel: ["Cancel", "cancelled", "Its handler is told to end. You find it with the failed jobs."] };

function actions_of(queue, job, page) {
  const act = (verb) => {
    const [title, done, warning] = words[verb];
    page.act(async (post) => outcome_text(done, await post(path(["queues", queue, "jobs", verb]), { ids: [job.id] })),
      warning && { title: `${title} the job ${preview(job.id)}?`, text: warning, yes: `${title} it` });
  };
  return h("span", { class: "actions" }, (verbs[job.state] ?? []).map((verb) =>
    button(words[verb][0], () => act(verb), { class: verb === "delete" || verb === "cancel" ? "danger" : "", "data-action": verb })));
}

const worker_of = (job) => (job.worker ? h("code", {}, job.worker)
  : job.state === "running" ? h("span", { class: "none" }, "over HTTP, another library's, or gone") : "none");

export const list_job_view = {
  group: "queues",
  title: ({ args }) => args[1] ?? "Job",
  load: async ({ args }) => ({ job: await get(path(["queues", args[0] ?? "", "jobs", args[1] ?? ""])) }),

  render({ args, data: { job } }, page) {
    const queue = args[0];
    return [
      h("p", { class: "crumbs" }, h("a", { href: "#/" }, "Queues"), " / ", link(["queue", queue], queue), " / job of a list queue"),
      h("div", { class: "heading" }, h("h1", { class: "id" }, named(job.id)), badge(job.state, kinds[job.state] ?? "plain"),
        actions_of(queue, job, page)),
      job.failure && h("section", { class: "box failure", "data-key": "failure" },
        h("h2", {}, job.state === "failed" ? "Failed" : "The last run failed"),
        h("pre", { tabindex: "0" }, whole_text(job.failure.message || "No message is recorded.")),
        job.failure.failed_at && h("p", { class: "note" }, time(job.failure.failed_at))),
      h("dl", { class: "facts" },
        fact("Queue", link(["queue", job.queue ?? queue, job.state], job.queue ?? queue)),
        fact("Worker", worker_of(job)),
        fact("Pushed", job.queued_at ? time(job.queued_at) : "its id does not tell"),
        job.due_at && fact("Due", time(job.due_at)),
        job.started_at && fact("Started", time(job.started_at)),
        fact("Attempts", job.attempts ? count(job.attempts) : "not recorded")),
      h("h2", {}, "Payload"),
      h("pre", { class: "box", tabindex: "0" }, whole_text(payload_of(job))),
    ];
  },
};
