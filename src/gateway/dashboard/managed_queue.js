// SPDX-License-Identifier: MIT
// One managed queue: its figures over time, what happened on a day, and its jobs by state.
import { get, path } from "./api.js";
import { button, h } from "./dom.js";
import { compact, count, duration, rate, visible } from "./format.js";
import { chart, histogram } from "./charts.js";
import { history_chart, hour_chart, read_history } from "./history.js";
import { badge, bare, choice, chooser, jobs_table, link, managed_name, named, outcome_text, page_query, payload, payload_of, plural, stale_note, tabs, tile, time } from "./parts.js";
import { pager } from "./pages.js";
import { push_form } from "./push.js";
import { hold_form, limits_form, limits_note, settings_form, settings_note, weight_form, weights_note } from "./queue_limits.js";
import { empty_text, search, search_names } from "./search.js";
import { delete_button, deserted_badge, is_deserted, managed_key, note_managed, notices_button, pause_button, pause_delays_button, speed_of } from "./queues.js";
import * as samples from "./samples.js";

const states = ["waiting", "running", "stalled", "scheduled", "depends", "failed", "complete", "recurring"];
const titles = { waiting: "Waiting", running: "Running", stalled: "Stalled", scheduled: "Scheduled", depends: "Depends",
  failed: "Failed", complete: "Completed", recurring: "Recurring" };
const empty = {
  waiting: "No job waits.",
  running: "No job runs now.",
  stalled: "No job is stalled. One whose worker let its lock run out would stand here.",
  scheduled: "No job is scheduled.",
  depends: "No job waits for another one.",
  failed: "No job has failed.",
  complete: "No job that is complete is kept. Redis keeps them a week, unless its settings say otherwise.",
  recurring: "No job recurs.",
};

const statistics_of = (name, day) => get(path(["queues", managed_name(name), "statistics"], { day: day || undefined }));

// What can be done to jobs in a state.
const verbs = { waiting: ["delete"], running: ["release", "delete"], stalled: ["delete"], scheduled: ["run", "delete"], depends: ["delete"],
  failed: ["retry", "delete"] };
const verb_words = {
  release: ["Release", "released; they run again", "Their workers are told to stop them, and they run again, before all other jobs."],
  run: ["Run now", "queued"],
  retry: ["Retry", "queued again"],
  delete: ["Cancel", "cancelled", "Their data and history are removed for good. Workers that run them are told to stop."],
};
// No worker runs a failed job, so none is told.
const words_of = (verb, state) => (verb === "delete" && state === "failed"
  ? ["Delete", "deleted", "Their data and history are removed for good."] : verb_words[verb]);

/// [{verb, title, kind, some: (ids) => …, all: () => …}]; all are those that the search finds.
function actions_of({ data, query }, page) {
  const { queue, state } = data;
  const act = (verb, selection, jobs) => {
    const [title, done, warning] = words_of(verb, state);
    page.act(async (post) => outcome_text(done, await post(path(["queues", managed_name(queue.name), "jobs", verb]), selection)),
      warning ? { title: `${title}: ${jobs}?`, text: warning, yes: title }
        : selection.all && { title: `${title}: ${jobs}?`, text: "They run as soon as workers take them.", yes: title, is_safe: true });
  };
  const found = Object.fromEntries(search_names.filter((name) => query[name]).map((name) => [name, query[name]]));
  return (verbs[state] ?? []).map((verb) => ({
    verb, title: words_of(verb, state)[0], kind: verb === "delete" ? "danger" : "",
    some: (ids) => act(verb, { ids }, plural(ids.length, state + " job")),
    all: () => act(verb, { state, all: true, ...found },
      Object.keys(found).length ? `all ${state} jobs that this search finds`
        : queue[state] === null ? `all ${state} jobs` : plural(queue[state], state + " job")),
  }));
}

const job_columns = (state, can_choose) => [
  ...(can_choose ? [{ title: "Choose", hidden: true, class: "choose" }] : []),
  { title: "Job", class: "id" }, { title: "Kind", class: "kind" }, { title: "Payload", class: "data" },
  ...(state === "waiting" ? [{ title: "Waits since" }] : []),
  ...(state === "complete" ? [{ title: "Attempts", number: true }, { title: "Completed" }] : []),
  ...(state === "running" || state === "stalled" ? [{ title: "Worker" }, { title: "Lease ends" }] : []),
  ...(state === "depends" ? [{ title: "Waits for" }] : []),
  ...(state === "scheduled" ? [{ title: "Due" }] : []),
  ...(state === "failed" ? [{ title: "Message", class: "message" }, { title: "Failed" }] : []),
  ...(state === "recurring" ? [{ title: "Next" }, { title: "Every", number: true }, { title: "Pushed so far", number: true }] : []),
  { title: "Priority", number: true }, ...(state === "failed" || state === "complete" ? [] : [{ title: "Retries left", number: true }]),
  ...(can_choose ? [{ title: "Actions", hidden: true, class: "acts" }] : []),
];

/// Of a job that is over nothing is left to be retried, whatever its record says.
export function retries_left_of({ state, retries_left, retries }) {
  if (retries_left === undefined || state === "failed" || state === "complete") return "–";
  return retries === 0 ? "none" : `${retries_left} of ${retries}`;
}

export function job_cells(job) {
  return [job.state === "recurring" ? h("code", {}, job.id) : link(["job", job.id], h("code", {}, job.id)),
    job.kind ?? "–", payload(payload_of(job))];
}

/// Why a job has failed.
export const failure_of = (job) => h("span", { class: "bad" }, (job.failure?.message ?? "").slice(0, 2000));

function job_rows(place, page, actions) {
  const { jobs, state } = place.data;
  return jobs.map((job) => ({ key: job.id, selected: place.selection.has(job.id), cells: [
    ...(actions.length ? [choice(place, page, job.id, "job " + job.id)] : []),
    ...job_cells({ ...job, state: state === "recurring" ? state : job.state }),
    ...(state === "waiting" ? [time(job.queued_at)] : []),
    ...(state === "complete" ? [count(job.attempts), time(job.completed_at)] : []),
    ...(state === "running" || state === "stalled" ? [job.worker ? h("code", {}, job.worker) : "–", time(job.lease_ends_at)] : []),
    ...(state === "depends" ? [(job.depends_on ?? []).slice(0, 5).map((id) => [link(["job", id], h("code", {}, id)), " "])] : []),
    ...(state === "scheduled" || state === "recurring" ? [time(job.due_at)] : []),
    ...(state === "failed" ? [failure_of(job), time(job.failure?.failed_at)] : []),
    ...(state === "recurring" ? [duration(job.interval_seconds), count(job.spawned)] : []),
    count(job.priority), ...(state === "failed" || state === "complete" ? [] : [retries_left_of(job)]),
    ...(actions.length ? [h("span", { class: "actions" }, actions.map((action) =>
      button(action.title, () => action.some([job.id]), { class: action.kind, "data-action": action.verb, "aria-label": `${action.title} job ${job.id}` })))] : []),
  ] }));
}

function day_link(name, day, step, text) {
  const date = new Date(Date.parse(day) + step * 86400000);
  if (date > new Date()) return null;
  return link(["managed", name, "statistics"], text, "?day=" + date.toISOString().slice(0, 10));
}

function statistics_part(name, data) {
  if (!data) return null;
  return h("section", { "data-key": "statistics" },
    h("div", { class: "heading" }, h("h2", {}, "On " + data.day),
      h("nav", { class: "pager", "aria-label": "Days" }, day_link(name, data.day, -1, "Day before"), day_link(name, data.day, 1, "Day after"))),
    h("dl", { class: "tiles" },
      tile("Done", compact(data.run?.count ?? 0)), tile("Retries", compact(data.retries)),
      tile("Lost leases", compact(data.lost_locks)), tile("Failures", compact(data.failures)),
      tile("Still failed", compact(data.failed), data.failed > 0 ? "bad" : "")),
    h("div", { class: "charts" }, histogram("Jobs waited", data.wait), histogram("Jobs ran", data.run)));
}

export const managed_view = {
  group: "queues",
  title: ({ args }) => args[0] ?? "Queue",

  async load({ args, query }) {
    const name = args[0], here = ["queues", managed_name(name)];
    const is_statistics = args[1] === "statistics";
    const state = states.includes(args[1]) ? args[1] : "waiting";
    const day = /^\d{4}-\d\d-\d\d$/.test(query.day ?? "") ? query.day : "";
    const [queue, { limits }, { groups }, settings, history, statistics, jobs] = await Promise.all([
      get(path(here)),
      get(path([...here, "limits"])),
      get(path([...here, "groups"])),
      get(path([...here, "settings"])),
      read_history(here),
      is_statistics ? statistics_of(name, day) : null,
      is_statistics ? null : get(path([...here, "jobs"], { state, ...page_query(query) }))]);
    queue.name = bare(queue.name);
    note_managed(queue);
    return { queue, limits, groups, settings, history, state: is_statistics ? "statistics" : state, statistics, jobs: jobs?.jobs ?? [], next: jobs?.next, size: jobs?.size };
  },

  render(place, page) {
    const { queue, limits, groups, settings, history, state, jobs, next } = place.data;
    const actions = actions_of(place, page);
    const is_listed = state !== "statistics";
    const key = managed_key(queue.name), here = ["managed", queue.name];
    const level = (name, kind) => ({ title: name, kind, points: samples.levels(key, name) });
    const whole = (value) => compact(Math.round(value));
    return [
      h("p", { class: "crumbs" }, h("a", { href: "#/" }, "Queues"), " / managed queue"),
      h("div", { class: "heading" }, h("h1", {}, named(queue.name)), queue.paused && badge("paused", "warn"), deserted_badge(queue),
        queue.held_back > 0 && badge(`${plural(queue.held_back, "job")} with limits, order keys or groups`, "plain"),
        queue.unhandled > 0 && badge(`${plural(queue.unhandled, "job")} that no worker handles: ${queue.unhandled_kinds.map(visible).join(", ")}`, "bad"),
        pause_button(page, ["queues", managed_name(queue.name)], queue.name, queue.paused),
        !queue.paused && pause_delays_button(page, ["queues", managed_name(queue.name)], queue.name),
        notices_button(page, ["queues", managed_name(queue.name)], queue),
        delete_button(page, ["queues", managed_name(queue.name)], queue.name)),
      h("div", { class: "forms", "data-key": "forms" },
        push_form(page, path(["queues", managed_name(queue.name), "jobs"]), true),
        limits_form(page, queue.name, limits),
        settings_form(page, queue.name, settings),
        weight_form(page, queue.name),
        hold_form(page, queue.name)),
      limits_note(limits),
      settings_note(settings),
      weights_note(groups),
      h("dl", { class: "tiles" },
        tile("Jobs per second", rate(speed_of(queue))),
        tile("Latency", duration(queue.latency_seconds)),
        tile("Workers", count(queue.workers), is_deserted(queue) ? "bad" : "")),
      h("div", { class: "charts" },
        hour_chart(history),
        chart("Jobs that wait", [level("waiting", "accent"), level("scheduled", "warn")], whole),
        chart("Jobs that run", [level("running", "good"), level("stalled", "bad")], whole),
        history_chart(history)),
      tabs("Jobs by state", here, [...states.map((one) => [one, titles[one], queue[one], one === "stalled" || one === "failed" ? "bad" : ""]),
        ["statistics", "Statistics"]], state),
      stale_note(place, page),
      is_listed && state !== "recurring" && search(place, [...here, state], true),
      is_listed && actions.length > 0 && jobs.length > 0 && chooser(place, page, jobs.map((job) => job.id), actions),
      is_listed
        ? h("div", { "data-key": state }, jobs_table(titles[state] + " jobs", job_columns(state, actions.length > 0), job_rows(place, page, actions), empty_text(place, empty[state])))
        : statistics_part(queue.name, place.data.statistics),
      is_listed && pager([...here, state], place.query, next, page),
    ];
  },
};
