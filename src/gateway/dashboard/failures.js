// SPDX-License-Identifier: MIT
// What has failed: list queues with failed jobs, and groups of failures of managed queues.
import { get, get_if_there, path } from "./api.js";
import { button, h, table } from "./dom.js";
import { count } from "./format.js";
import { choice, chooser, jobs_table, link, named, outcome_text, page_query, plural, queue_link, stale_note, time } from "./parts.js";
import { pager } from "./pages.js";
import { note_list } from "./queues.js";
import { failure_of, job_cells } from "./managed_queue.js";

const most_queues = 25; // list queues whose messages are read
const most_rows = 100;

async function messages_of(queue) {
  const page = await get(path(["queues", queue.name, "failures"]));
  return page.failures.map((group) => ({ ...group, queue: queue.name }));
}

/// Failures with the same message, of whatever queue: [{message, count, newest_at, parts: [{queue or group, count}]}], the most
/// frequent first. Without a message there is no telling them from others, so they stay by themselves.
function by_message(failures) {
  const rows = new Map();
  for (const one of failures) {
    const key = one.message || `/${one.queue ?? ""}/${one.group ?? ""}`;
    const row = rows.get(key) ?? { key, message: one.message, count: 0, newest_at: null, parts: [] };
    row.count += one.count;
    if (one.newest_at && !(row.newest_at > one.newest_at)) row.newest_at = one.newest_at;
    row.parts.push(one);
    rows.set(key, row);
  }
  return [...rows.values()].toSorted((a, b) => b.count - a.count);
}

const name_of = (part) => part.queue ?? part.group ?? "";
const total = (parts) => parts.reduce((sum, part) => sum + part.count, 0);

/// Whether a row, or a part of it, has what was typed.
function filtered(rows, text) {
  const wanted = (text ?? "").toLowerCase();
  if (!wanted) return rows;
  const has = (one) => one.toLowerCase().includes(wanted);
  return rows.flatMap((row) => {
    const parts = has(row.message) ? row.parts : row.parts.filter((part) => has(name_of(part)));
    return parts.length > 0 ? [{ ...row, parts, count: total(parts) }] : [];
  });
}

async function act_on(post, verb, { queue, group, message }) {
  const where = queue ? path(["queues", queue, "jobs", verb]) : "jobs/" + verb;
  return post(where, { all: true, ...(queue && { state: "failed" }), ...(message && { message }), ...(group && { group }) });
}

/// Retry and delete for all jobs with a message, in all of the queues and groups that are shown.
function message_actions(row, page) {
  if (!row.message) return h("span", { class: "none" }, "each by itself");
  const what = `"${row.message.slice(0, 100)}"`;
  const where = row.parts.slice(0, 5).map(name_of).join(", ") + (row.parts.length > 5 ? ` and ${count(row.parts.length - 5)} more` : "");
  const act = (verb) => page.act(async (post) => {
    const sum = { done: 0, missing: 0, refused: 0 };
    for (const part of row.parts) {
      const outcome = await act_on(post, verb, part);
      for (const name of Object.keys(sum)) sum[name] += outcome[name] ?? 0;
    }
    return outcome_text(verb === "retry" ? "queued again" : "deleted", sum);
  }, { title: `${verb === "retry" ? "Retry" : "Delete"} ${plural(row.count, "failed job")}?`, yes: verb === "retry" ? "Retry" : "Delete",
    is_safe: verb === "retry",
    text: `All those of ${where} with ${what} ${verb === "retry" ? "run again, with all their attempts" : "are removed for good"}.` });
  return h("span", { class: "actions" }, ["retry", "delete"].map((verb) =>
    button(verb === "retry" ? "Retry" : "Delete", () => act(verb), { class: verb === "delete" ? "danger" : "", "data-action": verb,
      "aria-label": `${verb === "retry" ? "Retry" : "Delete"} all with ${what}` })));
}

const message_columns = [{ title: "Message", class: "message more" }, { title: "Where", class: "where" }, { title: "Jobs", number: true },
  { title: "Last" }, { title: "Actions", hidden: true, class: "acts" }];

const place_of = (part) => (part.queue ? link(["queue", part.queue, "failed"], part.queue) : link(["group", part.group ?? ""], part.group ?? ""));

const most_places = 4;
function places_of({ parts }) {
  const line = (part) => h("div", { class: "place" }, place_of(part), parts.length > 1 && h("span", { class: "none" }, count(part.count)));
  if (parts.length <= most_places) return h("div", {}, parts.map(line));
  return h("div", {}, parts.slice(0, most_places - 1).map(line),
    h("details", {}, h("summary", {}, `${count(parts.length - most_places + 1)} more`), parts.slice(most_places - 1).map(line)));
}

const message_row = (row, page) => ({ key: row.key, heading: 0, cells: [
  row.message ? h("span", { class: "bad" }, row.message) : h("span", { class: "none" }, "none recorded"),
  places_of(row), count(row.count), time(row.newest_at), message_actions(row, page)] });

/// What is typed stands in the address, so that it can be shared.
const filter_form = ({ query }) => h("form", { class: "search", role: "search", "data-key": "filter", onsubmit: (event) => {
  event.preventDefault();
  const text = event.target.elements.text.value.trim();
  location.hash = "#/failures" + (text ? "?" + new URLSearchParams({ text }) : "");
} },
h("label", {}, h("span", { class: "hidden" }, "Message, queue or group"),
  h("input", { type: "search", name: "text", value: query.text ?? "", class: "long", placeholder: "Message, queue or group", spellcheck: "false", autocomplete: "off" })),
h("button", { type: "submit" }, "Filter"), query.text && h("a", { href: "#/failures" }, "Show all"));

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
    return { lists: failed, next: lists.next, groups: groups?.groups ?? [], more: groups?.next,
      rows: by_message([...of_lists.flat(), ...(managed?.failures ?? [])]) };
  },

  render(place, page) {
    const { data: { lists, next, groups, more, rows }, query } = place;
    const shown = filtered(rows, query.text);
    const columns = [{ title: "Queue", class: "name" }, { title: "Failed", number: true }, { title: "Broken", number: true }];
    const list_rows = lists.map((queue) => ({ key: queue.name, heading: 0, cells: [link(["queue", queue.name], queue.name),
      link(["queue", queue.name, "failed"], count(queue.failed)), link(["queue", queue.name, "broken"], count(queue.broken))] }));
    const group_rows = groups.map(({ group, count: amount }) => ({ key: group, heading: 0,
      cells: [link(["group", group], group), count(amount)] }));
    return [
      h("h1", {}, "Failures"),
      lists.length === 0 && groups.length === 0 && h("section", { class: "empty", "data-key": "none" }, h("h2", {}, "Nothing has failed"),
        h("p", {}, "Jobs whose attempts are used up stand here with their message, until somebody retries or deletes them.")),
      rows.length > 0 && h("section", { "data-key": "messages" }, h("h2", {}, "By message"), filter_form(place),
        shown.length > 0 ? h("div", { class: "box" }, table("Failures by message", message_columns, shown.slice(0, most_rows).map((row) => message_row(row, page))))
          : h("p", { class: "none box" }, "No message, queue or group has this text."),
        shown.length > most_rows && h("p", { class: "note" }, `The ${most_rows} most frequent of ${count(shown.length)} messages.`)),
      list_rows.length > 0 && h("section", { "data-key": "lists" }, h("h2", {}, "List queues"), h("div", { class: "box" }, table("List queues with failures", columns, list_rows))),
      pager(["failures"], query, next),
      groups.length > 0 && h("section", { "data-key": "groups" }, h("h2", {}, "Groups of managed queues"),
        h("div", { class: "box" }, table("Groups of failures", [{ title: "Group", class: "name" }, { title: "Jobs", number: true }], group_rows)),
        pager(["failures"], query, more, null, { label: "Pages of groups", cursor: "groups" })),
    ];
  },
};

const group_columns = [{ title: "Choose", hidden: true, class: "choose" }, { title: "Job", class: "id" }, { title: "Kind", class: "kind" },
  { title: "Payload", class: "data" }, { title: "Queue" }, { title: "Message", class: "message" }, { title: "Failed" }, { title: "Actions", hidden: true, class: "acts" }];

function actions_of(group, page) {
  const act = (verb, selection, number) =>
    page.act(async (post) => outcome_text(verb === "retry" ? "queued again" : "deleted", await post(`jobs/${verb}`, selection)),
      verb === "delete" ? { title: number ? `Delete ${plural(number, "failed job")}?` : "Delete all jobs of this group?",
        text: "Their data and history are removed for good.", yes: "Delete" }
        : !number && { title: "Retry all jobs of this group?", text: "They run again, with all their attempts, whatever queue they are of.", yes: "Retry", is_safe: true });
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
      pager(["group", group], place.query, next, jobs.length > 0 && page),
    ];
  },
};
