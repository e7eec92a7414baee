// SPDX-License-Identifier: MIT
// All queues of both kinds.
import { get, get_if_there, path, problem, token } from "./api.js";
import { button, h, table } from "./dom.js";
import { bytes, compact, count, duration, rate } from "./format.js";
import { hour_chart, hour_spark, read_history } from "./history.js";
import { badge, bare, link, managed_name, missing_note, tile } from "./parts.js";
import { pager } from "./pages.js";
import * as samples from "./samples.js";

/// Jobs wait, and nobody is there to take them. hworker's workers are not known, but they hold jobs.
export const is_deserted = (queue) => queue.workers === 0 && queue.waiting > 0 && queue.running === 0 && !queue.paused;
export const deserted_badge = (queue) => is_deserted(queue) && badge("no worker", "bad");

/// Nothing of it is known, since its node of the cluster is away. Then its numbers say nothing.
export const is_missing = (queue) => queue.unreachable >= (queue.partitions ?? 1);
export const unreachable_badge = (queue) => queue.unreachable > 0 &&
  badge(is_missing(queue) ? "node away" : `${queue.unreachable} of ${queue.partitions} partitions away`, "bad");

export const list_key = (name) => "list:" + name;
export const managed_key = (name) => "managed:" + name;

/// Jobs per second are those of the last minute, as Redis has them, wherever they are shown.
export const speed_of = (queue) => queue.rates?.succeeded ?? null;

export function note_list(queue) {
  if (queue.unreachable > 0) return; // it would look as if jobs had gone
  const { waiting, running } = queue;
  samples.note(list_key(queue.name), { waiting, running, latency: queue.latency_seconds ?? 0 });
}

export function note_managed(queue) {
  if (queue.unreachable > 0) return;
  const { waiting, running, stalled, scheduled } = queue;
  samples.note(managed_key(queue.name), { waiting, running, stalled, scheduled });
}

export function pause_button(page, words, name, is_paused) {
  const verb = is_paused ? "resume" : "pause";
  return button(is_paused ? "Resume" : "Pause", () =>
    page.act(async (post) => {
      await post(path([...words, verb]));
      return is_paused ? `${name} is worked on again.` : `${name} is paused: jobs that run go on, no other is taken.`;
    }), { "aria-label": `${is_paused ? "Resume" : "Pause"} ${name}`, "data-action": verb });
}

/// Pauses a managed queue, and stops the countdown of its delayed jobs.
export function pause_delays_button(page, words, name) {
  return button("Pause with delays", () =>
    page.act(async (post) => {
      await post(path([...words, "pause"], { delays: true }));
      return `${name} is paused: delayed jobs are due later by the time of the pause.`;
    }), { "aria-label": `Pause ${name} with its delayed jobs`, "data-action": "pause-delays" });
}

export function notices_button(page, words, queue) {
  const wanted = !queue.notices;
  return button(wanted ? "Write notices" : "No notices", () =>
    page.act(async (post) => {
      await post(path([...words, "notices"]), { notices: wanted });
      return wanted ? `Notices about ${queue.name} are written: coworker notify sends them.` : `No notices about ${queue.name} are written any more.`;
    }), { "aria-label": `${wanted ? "Write notices" : "Write no notices"} about ${queue.name}`, "data-action": "notices" });
}

export function delete_button(page, words, name) {
  return button("Delete", () =>
    page.act(async (post) => {
      await post(path([...words, "delete"]), { with_jobs: true });
      location.hash = "#/";
      return `${name} is deleted.`;
    }, { title: `Delete ${name}?`, yes: "Delete",
      text: "Its jobs, settings, limits and statistics are removed for good, and the schedules that push into it. Nothing is done while jobs run or workers are connected." }),
  { class: "danger", "aria-label": `Delete ${name}`, "data-action": "delete-queue" });
}

const shorts = { Waiting: "wait", Running: "run", Failed: "fail" }; // where there is little room

// What a table shows of each queue: [name of the figure, title, class]. In a narrow window the minor ones are left out.
export const list_figures = [["waiting", "Waiting"], ["running", "Running"], ["scheduled", "Scheduled", "minor"],
  ["failed", "Failed", "bad"], ["broken", "Broken", "bad minor"]];
const managed_figures = [["waiting", "Waiting"], ["running", "Running"], ["stalled", "Stalled", "bad minor"],
  ["scheduled", "Scheduled", "minor"], ["depends", "Depends", "minor"], ["recurring", "Recurring", "minor"], ["failed", "Failed", "bad"]];
const sorted_by = { latency: (queue) => queue.latency_seconds ?? -1, rate: (queue) => speed_of(queue) ?? -1,
  workers: (queue) => queue.workers ?? -1 };

function sorted(queues, name) {
  const by_name = queues.toSorted((a, b) => a.name.localeCompare(b.name));
  if (!name) return by_name;
  const value = sorted_by[name] ?? ((queue) => queue[name] ?? -1);
  return by_name.toSorted((a, b) => value(b) - value(a));
}

function columns_of(figures, query, has_workers) {
  const sort = (name) => ({ is_by: (query.sort ?? "") === name,
    href: "#/?" + new URLSearchParams(Object.entries({ ...query, sort: name }).filter(([, value]) => value)) });
  return [{ title: "Queue", class: "name", sort: sort("") },
    ...figures.map(([name, title, kind]) => ({ title, short: shorts[title], number: true, class: kind?.includes("minor") ? "minor" : null, sort: sort(name) })),
    { title: "Latency", short: "late", number: true, sort: sort("latency") },
    ...(has_workers ? [{ title: "Workers", number: true, class: "minor", sort: sort("workers") }] : []),
    { title: "Jobs/s", number: true, class: "speed", sort: sort("rate") }, { title: "Actions", hidden: true, class: "acts" }];
}

/// Failed jobs of a managed queue are not always counted.
export function figure_cell(queue, words, [name, , kind]) {
  if (is_missing(queue)) return "–";
  const is_bad = kind?.includes("bad") && queue[name] > 0;
  return h("a", { href: "#/" + [...words, name].map(encodeURIComponent).join("/"), class: is_bad ? "bad" : null }, count(queue[name]));
}

function row_of(queue, figures, words, api_words, history, page) {
  return { key: words.join("/"), heading: 0, cells: [
    [link(words, queue.name), queue.paused && badge("paused", "warn"), unreachable_badge(queue), deserted_badge(queue),
      queue.held_back > 0 && badge(`${compact(queue.held_back)} with limits`, "plain"),
      queue.unhandled > 0 && badge(`${compact(queue.unhandled)} that no worker handles`, "bad")],
    ...figures.map((figure) => figure_cell(queue, words, figure)),
    duration(queue.latency_seconds),
    ...(queue.workers !== undefined ? [is_missing(queue) ? "–" : count(queue.workers)] : []),
    h("span", { class: "with-spark" }, hour_spark(history, `Jobs of ${queue.name} in the last hour`), h("span", { class: "rate" }, rate(speed_of(queue)))),
    pause_button(page, api_words, queue.name, queue.paused),
  ] };
}

function queue_table(title, queues, figures, words_of, api_words_of, { data, query }, page) {
  const has_workers = queues[0]?.workers !== undefined;
  const rows = sorted(queues, query.sort).map((queue) =>
    row_of(queue, figures, words_of(queue), api_words_of(queue), data.histories.get(api_words_of(queue).join("/")), page));
  const foot = queues.length > 1 && ["All", ...figures.map(([name]) => count(total(queues, name))), "",
    ...(has_workers ? [""] : []), rate(queues.reduce((sum, queue) => sum + (speed_of(queue) ?? 0), 0)), ""];
  return h("div", { class: "box" }, table(title, columns_of(figures, query, has_workers), rows, { foot, kind: "queues" }));
}

const total = (queues, name) => queues.reduce((sum, queue) => sum + (queue[name] ?? 0), 0);

/// What to do when there is nothing to see yet.
function first_job() {
  const where = new URL("v1/queues/mail/jobs", document.baseURI).href;
  const lines = [`curl ${where} \\`, "     -H 'Content-Type: application/json' \\"];
  if (token.get()) lines.push("     -H \"Authorization: Bearer $COWORKER_TOKEN\" \\");
  lines.push(`     -d '{"payload": {"to": "ada@example.com"}}'`);
  return h("section", { class: "empty" },
    h("h2", {}, "No queues yet"),
    h("p", {}, "A queue appears with its first job. This queues one:"),
    h("pre", { tabindex: "0" }, lines.join("\n")),
    h("p", {}, "and this runs what comes, printing each payload:"),
    h("pre", { tabindex: "0" }, "coworker work mail -- cat"));
}

const most_histories = 20; // each is a request, once a minute

async function read_histories(all) {
  const found = await Promise.all(all.slice(0, most_histories).map(async (words) => [words.join("/"), await read_history(words, 60)]));
  return new Map(found);
}

/// What Redis tells of itself; null if the gateway's user may not ask.
const read_server = () => get("server").catch((error) => {
  if (error instanceof problem && error.status !== 401 && error.status !== 0 && error.status !== 503) return null;
  throw error;
});

function memory_text({ memory_bytes, memory_limit_bytes }) {
  return memory_limit_bytes === null ? bytes(memory_bytes) : `${bytes(memory_bytes)} of ${bytes(memory_limit_bytes)}`;
}

const nearly_full = ({ memory_bytes, memory_limit_bytes }) => memory_limit_bytes !== null && memory_bytes > 0.9 * memory_limit_bytes;
const server_name = ({ software, version, nodes }) =>
  [software === "valkey" ? "Valkey" : "Redis", version ?? "", nodes > 1 ? `, ${count(nodes)} nodes` : ""].join(" ").replace(" ,", ",").trim();

const list_words = (queue) => ["queues", queue.name], managed_words = (queue) => ["queues", managed_name(queue.name)];

export const queues_view = {
  group: "queues",
  title: () => "Queues",

  async load({ query }) {
    const read_managed = async () => {
      const page = await get_if_there(path(["queues"], { kind: "managed", count: 50, cursor: query.managed }));
      page?.queues.forEach((queue) => (queue.name = bare(queue.name)));
      // Without their node, the groups would be waited for in vain.
      return [page, page?.missing_nodes ? null : await get_if_there(path(["failed"], { count: 1000 }))];
    };
    const [lists, [managed, groups], server, throughput] = await Promise.all([
      get(path(["queues"], { kind: "list", count: 50, cursor: query.cursor })), read_managed(), read_server(), read_history([], 60)]);
    lists.queues.forEach(note_list);
    managed?.queues.forEach(note_managed);
    const there = (queues) => queues.filter((queue) => !queue.unreachable);
    const histories = await read_histories([...there(lists.queues).map(list_words), ...there(managed?.queues ?? []).map(managed_words)]);
    return { pages: [lists, managed], lists: lists.queues, next: lists.next, managed: managed?.queues ?? [], more: managed?.next, groups: groups?.groups ?? [], histories, server, throughput };
  },

  render(place, page) {
    const { data, query } = place;
    const { pages, lists, managed, groups, next, more, server, throughput } = data;
    const missing = missing_note(...pages);
    const is_part = next || more || query.cursor || query.managed;
    const rates = [...lists, ...managed].map(speed_of).filter((value) => value !== null);
    const failed = total(lists, "failed") + total(lists, "broken") + total(groups, "count");
    const is_empty = lists.length === 0 && managed.length === 0 && !is_part && !missing;
    return [
      h("h1", {}, "Queues"),
      missing,
      is_empty && first_job(),
      is_part && h("p", { class: "note" }, "There are more queues than fit on a page; these figures are of the page."),
      !is_empty && h("dl", { class: "tiles" },
        tile("Waiting", compact(total(lists, "waiting") + total(managed, "waiting"))),
        tile("Running", compact(total(lists, "running") + total(managed, "running"))),
        tile("Scheduled", compact(total(lists, "scheduled") + total(managed, "scheduled"))),
        tile("Failed and broken", compact(failed), failed > 0 ? "bad" : ""),
        tile("Jobs per second", rate(rates.length ? rates.reduce((a, b) => a + b, 0) : null)),
        server && tile(server_name(server), memory_text(server), nearly_full(server) ? "bad" : "")),
      !is_empty && throughput && h("div", { class: "charts" }, hour_chart(throughput, true)),
      lists.length > 0 && h("section", { "data-key": "lists" }, h("h2", {}, "List queues"),
        queue_table("List queues", lists, list_figures, (queue) => ["queue", queue.name], list_words, place, page),
        pager([""], query, next)),
      managed.length > 0 && h("section", { "data-key": "managed" }, h("h2", {}, "Managed queues"),
        queue_table("Managed queues", managed, managed_figures, (queue) => ["managed", queue.name], managed_words, place, page),
        pager([""], query, more, null, { label: "Pages of managed queues", cursor: "managed" })),
    ];
  },
};
