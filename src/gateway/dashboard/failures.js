// SPDX-License-Identifier: MIT
// What has failed: list queues with failed jobs, and groups of failures of managed queues.
import { get, get_if_there, path } from "./api.js";
import { button, h, table } from "./dom.js";
import { count } from "./format.js";
import { choice, chooser, jobs_table, link, named, outcome_text, page_query, pager, plural, queue_link, stale_note, time } from "./parts.js";
import { note_list } from "./queues.js";
import { failure_of, job_cells } from "./managed_queue.js";

const most_queues = 10; // whose messages are read

async function messages_of(queue) {
  const page = await get(path(["queues", queue.name, "failures"]));
  return page.failures.map((group) => ({ ...group, queue: queue.name }));
}

/// Retry and delete for all jobs with a message.
function message_actions(one, page) {
  const what = one.message ? `"${one.message.slice(0, 100)}"` : "no message";
  const act = (verb) => {
    const where = one.queue ? path(["queues", one.queue, "jobs", verb]) : "jobs/" + verb;
    const which = { all: true, ...(one.queue && { state: "failed" }), ...(one.message && { message: one.message }), ...(one.group && { group: one.group }) };
    page.act(async (post) => outcome_text(verb === "retry" ? "queued again" : "deleted", await post(where, which)),
      verb === "delete" && { title: `Delete ${plural(one.count, "failed job")}?`,
        text: `All those of ${one.queue ?? one.group} with ${what} are removed for good.`, yes: "Delete" });
  };
  // Without a message there is no telling these jobs from the others.
  if (!one.message) return h("span", { class: "none" }, "each by itself");
  return h("span", { class: "actions" }, ["retry", "delete"].map((verb) =>
    button(verb === "retry" ? "Retry" : "Delete", () => act(verb), { class: verb === "delete" ? "danger" : "", "data-action": verb,
      "aria-label": `${verb === "retry" ? "Retry" : "Delete"} all with ${what}` })));
}

const message_columns = [{ title: "Where", class: "name" }, { title: "Message", class: "message more" }, { title: "Jobs", number: true },
  { title: "Last" }, { title: "Actions", hidden: true, class: "acts" }];

function message_row(one, page) {
  const where = one.queue ? link(["queue", one.queue, "failed"], one.queue) : link(["group", one.group ?? ""], one.group ?? "");
  return { key: `${one.queue ?? ""}/${one.group ?? ""}/${one.message}`, heading: 0, cells: [where,
    one.message ? h("span", { class: "bad" }, one.message) : h("span", { class: "none" }, "none recorded"),
    count(one.count), time(one.newest_at), message_actions(one, page)] };
}

export const failures_view = {
  group: "failures",
  title: () => "Failures",

  async load({ query }) {
    const [lists, groups, managed] = await Promise.all([
      get(path(["queues"], { kind: "list", count: 50, cursor: query.cursor })),
      get_if_there(path(["failed"], { count: 50, cursor: query.groups })),
      get_if_there(path(["failures"]))]);
    lists.queues.forEach(note_list);
    const failed = lists.queues.filter((queue) => queue.failed + queue.broken > 0 && !queue.unreachable);
    const of_lists = await Promise.all(failed.filter((queue) => queue.failed > 0).slice(0, most_queues).map(messages_of));
    const messages = [...of_lists.flat(), ...(managed?.failures ?? [])].toSorted((a, b) => b.count - a.count);
    return { lists: failed, next: lists.next, groups: groups?.groups ?? [], more: groups?.next, messages };
  },

  render({ data: { lists, next, groups, more, messages }, query }, page) {
    const columns = [{ title: "Queue", class: "name" }, { title: "Failed", number: true }, { title: "Broken", number: true }];
    const rows = lists.map((queue) => ({ key: queue.name, heading: 0, cells: [link(["queue", queue.name], queue.name),
      link(["queue", queue.name, "failed"], count(queue.failed)), link(["queue", queue.name, "broken"], count(queue.broken))] }));
    const group_rows = groups.map(({ group, count: amount }) => ({ key: group, heading: 0,
      cells: [link(["group", group], group), count(amount)] }));
    return [
      h("h1", {}, "Failures"),
      rows.length === 0 && groups.length === 0 && h("section", { class: "empty", "data-key": "none" }, h("h2", {}, "Nothing has failed"),
        h("p", {}, "Jobs whose attempts are used up stand here with their message, until somebody retries or deletes them.")),
      messages.length > 0 && h("section", { "data-key": "messages" }, h("h2", {}, "By message"),
        h("div", { class: "box" }, table("Failures by message", message_columns, messages.slice(0, 100).map((one) => message_row(one, page)))),
        messages.length > 100 && h("p", { class: "note" }, `The 100 most frequent of ${count(messages.length)} messages.`)),
      rows.length > 0 && h("section", { "data-key": "lists" }, h("h2", {}, "List queues"), h("div", { class: "box" }, table("List queues with failures", columns, rows))),
      pager(["failures"], query, next),
      groups.length > 0 && h("section", { "data-key": "groups" }, h("h2", {}, "Groups of managed queues"),
        h("div", { class: "box" }, table("Groups of failures", [{ title: "Group", class: "name" }, { title: "Jobs", number: true }], group_rows)),
        (more || query.groups) && h("nav", { class: "pager", "aria-label": "Pages of groups" }, query.groups && link(["failures"], "First page"),
          more && link(["failures"], "Next page", "?" + new URLSearchParams({ groups: new URLSearchParams(more.split("?")[1]).get("cursor") })))),
    ];
  },
};

const group_columns = [{ title: "Choose", hidden: true, class: "choose" }, { title: "Job", class: "id" }, { title: "Kind", class: "kind" },
  { title: "Payload", class: "data" }, { title: "Queue" }, { title: "Message", class: "message" }, { title: "Failed" }, { title: "Actions", hidden: true, class: "acts" }];

function actions_of(group, page) {
  const act = (verb, selection, number) =>
    page.act(async (post) => outcome_text(verb === "retry" ? "queued again" : "deleted", await post(`jobs/${verb}`, selection)),
      verb === "delete" && { title: number ? `Delete ${plural(number, "failed job")}?` : "Delete all jobs of this group?",
        text: "Their data and history are removed for good.", yes: "Delete" });
  return ["retry", "delete"].map((verb) => ({
    verb, title: verb === "retry" ? "Retry" : "Delete", kind: verb === "delete" ? "danger" : "",
    some: (ids) => act(verb, { ids }, ids.length), all: () => act(verb, { group, all: true }, 0),
  }));
}

export const group_view = {
  group: "failures",
  title: ({ args }) => args[0] ?? "Failures",

  async load({ args, query }) {
    const page = await get(path(["failed", args[0] ?? ""], page_query(query)));
    return { jobs: page.jobs, next: page.next, size: page.size };
  },

  render(place, page) {
    const group = place.args[0], { jobs, next } = place.data;
    const actions = actions_of(group, page);
    const rows = jobs.map((job) => ({ key: job.id, selected: place.selection.has(job.id), cells: [
      choice(place, page, job.id, "job " + job.id), ...job_cells(job), queue_link(job.queue),
      failure_of(job), time(job.failure?.failed_at),
      h("span", { class: "actions" }, actions.map((action) =>
        button(action.title, () => action.some([job.id]), { class: action.kind, "data-action": action.verb, "aria-label": `${action.title} job ${job.id}` })))] }));
    return [
      h("p", { class: "crumbs" }, h("a", { href: "#/failures" }, "Failures"), " / group of managed queues"),
      h("h1", { "data-key": "title" }, named(group)),
      stale_note(place, page),
      jobs.length > 0 && chooser(place, page, jobs.map((job) => job.id), actions),
      jobs_table("Failed jobs", group_columns, rows, "No job of this group is failed any more."),
      pager(["group", group], place.query, next),
    ];
  },
};
