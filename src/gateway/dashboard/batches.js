// SPDX-License-Identifier: MIT
// Batches of managed queues: how far they are, what is inside of them, and what has failed.
import { get, path } from "./api.js";
import { button, h, table } from "./dom.js";
import { count, preview } from "./format.js";
import { badge, choice, chooser, field, form_box, jobs_table, link, named, options_area, options_of, outcome_text, page_query, plural, queue_link, stale_note, tabs, tile, time, value_of } from "./parts.js";
import { page_size, pager } from "./pages.js";
import { job_cells } from "./managed_queue.js";

const kinds = { open: "accent", running: "good", stopping: "warn", succeeded: "plain", failed: "bad", cancelled: "plain" };
const parts = ["succeeded", "failed", "cancelled", "pending"];

const share = (one, amount) => (one.total > 0 ? (100 * amount) / one.total : 0);

/// A bar with a part for each way in which jobs have ended, and what is said of it in words.
function progress(one) {
  const words = parts.filter((part) => one[part] > 0).map((part) => `${count(one[part])} ${part}`).join(", ");
  const text = one.total > 0 ? `${words} of ${count(one.total)}` : "no job yet";
  let at = 0;
  const bars = parts.filter((part) => part !== "pending").map((part) => {
    const width = share(one, one[part]);
    at += width;
    return h("rect", { class: part, x: `${at - width}%`, width: `${width}%`, height: "100%" });
  });
  return h("div", { class: "split" }, h("svg", { role: "img", "aria-label": text }, bars),
    h("span", { class: "note", title: text }, `${Math.floor(share(one, one.total - one.pending))} %`,
      one.failed > 0 && h("span", { class: "bad" }, ` ${count(one.failed)} failed`)));
}

function seal_button(one, page) {
  if (one.state !== "open") return null;
  const act = () => page.act(async (post) => {
    await post(path(["batches", one.id, "seal"]));
    return `${one.id} is sealed.`;
  }, { title: `Seal the batch ${preview(one.id)}?`, yes: "Seal",
    text: one.pending > 0 ? "It ends when nothing of it is pending. Until then, jobs can still be added."
      : "Nothing of it is pending, so it ends at once, and no job can be added any more." });
  return button("Seal", act, { "data-action": "seal", "aria-label": "Seal " + one.id });
}

function cancel_button(one, page, running) {
  if (one.ended_at) return null;
  const act = () => page.act(async (post) => {
    const { cancelled, left } = await post(path(["batches", one.id, "cancel"]), { running });
    return `${plural(cancelled, "job")} cancelled${left ? `, ${count(left)} left: they run, or others wait for them` : ""}.`;
  }, { title: `Cancel the batch ${preview(one.id)}?`, yes: "Cancel the batch",
    text: "Its jobs, and those of the batches inside of it, are removed for good. " +
      (running ? "Workers that run them are told to stop." : "Those that run may end. No more can be added.") });
  return button(running ? "Cancel, also what runs" : "Cancel", act, { class: "danger", "data-action": "delete",
    "aria-label": `Cancel ${one.id}${running ? ", also what runs" : ""}` });
}

const columns = [{ title: "Batch", class: "name" }, { title: "State", class: "state" }, { title: "Progress", class: "progress" },
  { title: "Jobs", number: true, class: "minor" }, { title: "Opened", class: "when" }, { title: "Ended", class: "minor" },
  { title: "Actions", hidden: true, class: "acts" }];

const row_of = (one, page) => ({ key: one.id, heading: 0, cells: [
  h("div", {}, link(["batch", one.id], one.description || one.id), one.description && h("div", { class: "note" }, one.id),
    one.problem && h("div", { class: "note bad" }, one.problem)),
  badge(one.state, kinds[one.state] ?? "plain"), progress(one), count(one.total), time(one.opened_at), time(one.ended_at),
  h("span", { class: "actions" }, seal_button(one, page), cancel_button(one, page, false))] });

const batches_table = (label, batches, page) =>
  h("div", { class: "box" }, table(label, columns, batches.map((one) => row_of(one, page)), { kind: "batches" }));

/// Opens a batch, to which jobs can be pushed until it is sealed.
function open_form(page) {
  const send = async (post, form) => {
    const wanted = options_of(form);
    for (const name of ["id", "description", "parent"]) if (value_of(form, name)) wanted[name] = value_of(form, name);
    const { id } = await post(path(["batches"]), wanted);
    form.reset();
    return `The batch ${id} is open. Jobs are pushed to it with the option "batch".`;
  };
  return form_box(page, { key: "open-batch", action: "push", title: "Open a batch", verb: "Open" }, send,
    field("id", "Id; if empty, a new one"), field("description", "What it is for"), field("parent", "Inside of the batch"),
    options_area('{"on_success": {"queue": "managed:reports", "kind": "Summary"}}'));
}

export const batches_view = {
  group: "batches",
  title: () => "Batches",
  load: ({ query }) => get(path(["batches"], { count: page_size(), cursor: query.cursor })),

  render({ data: { batches, next }, query }, page) {
    return [
      h("h1", {}, "Batches"),
      h("section", { "data-key": "batches" },
        batches.length > 0 ? batches_table("Batches", batches, page)
          : h("p", { class: "none box" }, "There are no batches. A batch tells when all of its jobs have ended; programs open them, and 'coworker batches open'.")),
      pager(["batches"], query, next, batches.length > 0 && page),
      open_form(page),
    ];
  },
};

const most_inside = 50, most_parts = 5; // a part may have none, although there are more

async function inside_of(id) {
  const found = [];
  let next = path(["batches"], { parent: id, count: most_inside });
  for (let part = 0; next && part !== most_parts && found.length < most_inside; ++part) {
    const page = await get(next);
    found.push(...page.batches);
    next = page.next?.replace(/^\/v1\//, "");
  }
  return { inside: found, has_more: Boolean(next) };
}

const job_columns = (failed) => [...(failed ? [{ title: "Choose", hidden: true, class: "choose" }] : []),
  { title: "Job", class: "id" }, { title: "Kind", class: "kind" }, { title: "Payload", class: "data" }, { title: "Queue" },
  ...(failed ? [{ title: "Message", class: "message" }, { title: "Failed" }, { title: "Actions", hidden: true, class: "acts" }] : [{ title: "State" }])];

function actions_of(id, page) {
  const act = (verb, selection, which) =>
    page.act(async (post) => outcome_text(verb === "retry" ? "queued again" : "deleted", await post(`jobs/${verb}`, selection)),
      verb === "delete" ? { title: `Delete ${which}?`, text: "Their data and history are removed for good.", yes: "Delete" }
        : selection.all && { title: `Retry ${which}?`, text: "They run again, with all their attempts.", yes: "Retry", is_safe: true });
  return ["retry", "delete"].map((verb) => ({
    verb, title: verb === "retry" ? "Retry" : "Delete", kind: verb === "delete" ? "danger" : "",
    some: (ids) => act(verb, { ids }, plural(ids.length, "failed job")),
    all: () => act(verb, { batch: id, all: true }, "all failed jobs of this batch"),
  }));
}

const failed_row = (job, place, page, actions) => ({ key: job.id, selected: place.selection.has(job.id), cells: [
  choice(place, page, job.id, "job " + job.id), ...job_cells(job), queue_link(job.queue),
  h("span", { class: "bad" }, (job.failure?.message ?? "").slice(0, 2000)), time(job.failure?.failed_at),
  h("span", { class: "actions" }, actions.map((action) => button(action.title, () => action.some([job.id]),
    { class: action.kind, "data-action": action.verb, "aria-label": `${action.title} job ${job.id}` })))] });

const pending_row = (job) => ({ key: job.id, cells: [...job_cells(job), queue_link(job.queue), badge(job.state, "plain")] });

const empty = {
  pending: "No job of this batch is pending. Batches inside of it count as pending, too.",
  failed: "No job of this batch has failed.",
};

export const batch_view = {
  group: "batches",
  title: ({ args }) => args[0] ?? "Batch",

  async load({ args, query }) {
    const id = args[0] ?? "", state = args[1] === "failed" ? "failed" : "pending";
    const [batch, inside, jobs] = await Promise.all([get(path(["batches", id])), inside_of(id),
      get(path(["batches", id, "jobs"], { ...page_query(query), state }))]);
    return { batch, ...inside, state, jobs: jobs.jobs, next: jobs.next, size: jobs.size };
  },

  render(place, page) {
    const { batch, inside, has_more, state, jobs, next } = place.data;
    const is_failed = state === "failed", here = ["batch", batch.id];
    const actions = is_failed ? actions_of(batch.id, page) : [];
    return [
      h("p", { class: "crumbs" }, h("a", { href: "#/batches" }, "Batches"), " / ",
        batch.parent && [link(["batch", batch.parent], batch.parent), " / "], "batch"),
      h("div", { class: "heading" }, h("h1", { class: "id" }, named(batch.id)), badge(batch.state, kinds[batch.state] ?? "plain"),
        h("span", { class: "actions" }, seal_button(batch, page), cancel_button(batch, page, false), cancel_button(batch, page, true))),
      batch.description && h("p", { class: "whole" }, batch.description),
      batch.problem && h("p", { class: "whole bad" }, batch.problem),
      progress(batch),
      h("dl", { class: "tiles" }, tile("Jobs", count(batch.total)), tile("Pending", count(batch.pending)), tile("Succeeded", count(batch.succeeded)),
        tile("Failed", count(batch.failed), batch.failed > 0 ? "bad" : ""), tile("Cancelled", count(batch.cancelled)),
        tile("Opened", time(batch.opened_at)), tile("Ended", time(batch.ended_at))),
      inside.length > 0 && h("section", { "data-key": "inside" }, h("h2", {}, "Batches inside of it"),
        batches_table("Batches inside of it", inside, page),
        has_more && h("p", { class: "note" }, `The ${count(inside.length)} newest.`)),
      tabs("Jobs of the batch", here, [["pending", "Pending"], ["failed", "Failed"]], state),
      stale_note(place, page),
      is_failed && jobs.length > 0 && chooser(place, page, jobs.map((job) => job.id), actions),
      h("div", { "data-key": state }, jobs_table(`${is_failed ? "Failed" : "Pending"} jobs`, job_columns(is_failed),
        jobs.map((job) => (is_failed ? failed_row(job, place, page, actions) : pending_row(job))),
        next ? "None of the jobs looked at; the next page looks at further ones." : empty[state])),
      pager([...here, state], place.query, next, page),
    ];
  },
};
