// All queues of both kinds.
import { get, get_if_there, path, token } from "./api.js";
import { button, h, table } from "./dom.js";
import { compact, count, duration, rate } from "./format.js";
import { sparkline } from "./charts.js";
import { badge, link, pager, tile } from "./parts.js";
import * as samples from "./samples.js";

/// Jobs wait, and nobody is there to take them. hworker's workers are not known, but they hold jobs.
export const is_deserted = (queue) => queue.workers === 0 && queue.waiting > 0 && queue.in_progress === 0 && !queue.paused;
export const deserted_badge = (queue) => is_deserted(queue) && badge("no worker", "bad");

export const list_key = (name) => "list:" + name;
export const managed_key = (name) => "managed:" + name;

/// Jobs per second are those of the last minute, as Redis has them, wherever they are shown.
const speeds = ({ rates }) => ({ succeeded_rate: rates?.succeeded, retried_rate: rates?.retried, failed_rate: rates?.failed });
export const speed_of = (queue) => queue.rates?.succeeded ?? null;

export function note_list(queue) {
  const { waiting, in_progress, scheduled, failed, broken } = queue;
  samples.note(list_key(queue.name),
    { waiting, in_progress, scheduled, failed, broken, latency: queue.latency_seconds ?? 0, ...speeds(queue) });
}

export function note_managed(queue) {
  const { waiting, running, stalled, scheduled } = queue;
  samples.note(managed_key(queue.name), { waiting, running, stalled, scheduled, ...speeds(queue) });
}

/// The lines of a chart of jobs per second.
export const speed_lines = (key) =>
  [["succeeded", "good"], ["retried", "warn"], ["failed", "bad"]].map(([title, kind]) =>
    ({ title, kind, points: samples.levels(key, title + "_rate") }));

export function pause_button(page, words, name, is_paused) {
  const verb = is_paused ? "resume" : "pause";
  return button(is_paused ? "Resume" : "Pause", () =>
    page.act(async (post) => {
      await post(path([...words, verb]));
      return is_paused ? `${name} is worked on again.` : `${name} is paused: jobs that run go on, no other is taken.`;
    }), { "aria-label": `${is_paused ? "Resume" : "Pause"} ${name}`, "data-action": verb });
}

function list_row(queue, page) {
  const key = list_key(queue.name);
  return { key, heading: 0, cells: [
    [link(["queue", queue.name], queue.name), queue.paused && badge("paused", "warn"), deserted_badge(queue)],
    link(["queue", queue.name, "waiting"], count(queue.waiting)),
    link(["queue", queue.name, "in_progress"], count(queue.in_progress)),
    link(["queue", queue.name, "scheduled"], count(queue.scheduled)),
    h("a", { href: `#/queue/${encodeURIComponent(queue.name)}/failed`, class: queue.failed > 0 ? "bad" : null }, count(queue.failed)),
    h("a", { href: `#/queue/${encodeURIComponent(queue.name)}/broken`, class: queue.broken > 0 ? "bad" : null }, count(queue.broken)),
    duration(queue.latency_seconds), count(queue.workers),
    h("span", { class: "with-spark" },
      sparkline(samples.levels(key, "succeeded_rate"), `Jobs per second of ${queue.name}`), h("span", { class: "rate" }, rate(speed_of(queue)))),
    pause_button(page, ["queues", queue.name], queue.name, queue.paused),
  ] };
}

const list_columns = [{ title: "Queue", class: "name" }, { title: "Waiting", number: true }, { title: "Running", number: true },
  { title: "Scheduled", number: true }, { title: "Failed", number: true }, { title: "Broken", number: true },
  { title: "Latency", number: true }, { title: "Workers", number: true }, { title: "Jobs/s", number: true }, { title: "Actions", hidden: true }];

function managed_row(queue, page) {
  const key = managed_key(queue.name);
  const cell = (state) => link(["managed", queue.name, state], count(queue[state]));
  return { key, heading: 0, cells: [
    [link(["managed", queue.name], queue.name), queue.paused && badge("paused", "warn")],
    cell("waiting"), cell("running"),
    h("a", { href: `#/managed/${encodeURIComponent(queue.name)}/stalled`, class: queue.stalled > 0 ? "bad" : null }, count(queue.stalled)),
    cell("scheduled"), cell("depends"), cell("recurring"), duration(queue.latency_seconds),
    h("span", { class: "with-spark" }, sparkline(samples.levels(key, "waiting"), `Waiting jobs of ${queue.name}`)),
    pause_button(page, ["managed", "queues", queue.name], queue.name, queue.paused),
  ] };
}

const managed_columns = [{ title: "Queue", class: "name" }, { title: "Waiting", number: true }, { title: "Running", number: true },
  { title: "Stalled", number: true }, { title: "Scheduled", number: true }, { title: "Depends", number: true },
  { title: "Recurring", number: true }, { title: "Latency", number: true }, { title: "Waiting, 5 min", number: true }, { title: "Actions", hidden: true }];

/// What to do when there is nothing to see yet.
function first_job() {
  const where = new URL("jobber/queue", document.baseURI).href;
  const lines = [`curl ${where} \\`, "     -H 'Content-Type: application/json' \\"];
  if (token.get()) lines.push("     -H \"Authorization: Bearer $COWORKER_TOKEN\" \\");
  lines.push(`     -d '{"type": "mail", "payload": {"to": "ada@example.com"}}'`);
  return h("section", { class: "empty" },
    h("h2", {}, "No queues yet"),
    h("p", {}, "A queue appears with its first job. This queues one:"),
    h("pre", { tabindex: "0" }, lines.join("\n")),
    h("p", {}, "and this runs what comes, printing each payload:"),
    h("pre", { tabindex: "0" }, "coworker work mail -- cat"));
}

/// List queues that others filled are found by their keys, which takes a while if there are many.
function find_queue() {
  return h("form", { class: "find", "data-key": "find", onsubmit: (event) => {
    event.preventDefault();
    const name = event.target.elements.queue.value.trim();
    if (name) location.hash = "#/queue/" + encodeURIComponent(name);
  } },
  h("label", { for: "find" }, "A list queue that is not shown, such as one that only other programs push to: "),
  h("input", { id: "find", name: "queue", type: "text", autocomplete: "off", spellcheck: "false", placeholder: "name" }),
  h("button", { type: "submit" }, "Show"));
}

export const queues_view = {
  group: "queues",
  title: () => "Queues",

  async load({ query }) {
    const [lists, managed, groups] = await Promise.all([
      get(path(["queues"], { count: 50, cursor: query.cursor })),
      get_if_there(path(["managed", "queues"], { count: 50, cursor: query.managed })),
      get_if_there(path(["managed", "failed"], { count: 1000 }))]);
    lists.queues.forEach(note_list);
    managed?.queues.forEach(note_managed);
    return { lists: lists.queues, next: lists.next, managed: managed?.queues ?? [], more: managed?.next, groups: groups?.groups ?? [] };
  },

  render({ data, query }, page) {
    const { lists, managed, groups, next, more } = data;
    const is_part = next || more || query.cursor || query.managed;
    const further = more && "?managed=" + encodeURIComponent(new URLSearchParams(more.split("?")[1]).get("cursor"));
    const total = (queues, name) => queues.reduce((sum, queue) => sum + (queue[name] ?? 0), 0);
    const rates = [...lists, ...managed].map(speed_of).filter((value) => value !== null);
    const failed = total(lists, "failed") + total(lists, "broken") + total(groups, "count");
    const is_empty = lists.length === 0 && managed.length === 0 && !is_part;
    return [
      h("h1", {}, "Queues"),
      is_empty && first_job(),
      is_part && h("p", { class: "note" }, "There are more queues than fit on a page; these figures are of the page."),
      !is_empty && h("dl", { class: "tiles" },
        tile("Waiting", compact(total(lists, "waiting") + total(managed, "waiting"))),
        tile("Running", compact(total(lists, "in_progress") + total(managed, "running"))),
        tile("Scheduled", compact(total(lists, "scheduled") + total(managed, "scheduled"))),
        tile("Failed and broken", compact(failed), failed > 0 ? "bad" : ""),
        tile("Jobs per second", rate(rates.length ? rates.reduce((a, b) => a + b, 0) : null))),
      lists.length > 0 && h("section", { "data-key": "lists" }, h("h2", {}, "List queues"),
        h("div", { class: "box" }, table("List queues", list_columns,
          lists.toSorted((a, b) => a.name.localeCompare(b.name)).map((queue) => list_row(queue, page)))),
        pager([""], query, next)),
      managed.length > 0 && h("section", { "data-key": "managed" }, h("h2", {}, "Managed queues"),
        h("div", { class: "box" }, table("Managed queues", managed_columns, managed.map((queue) => managed_row(queue, page)))),
        (further || query.managed) && h("nav", { class: "pager", "aria-label": "Pages of managed queues" },
          query.managed && link([""], "First page"), further && link([""], "Next page", further))),
      find_queue(),
    ];
  },
};
