// SPDX-License-Identifier: MIT
// One list queue: its figures over time, and its jobs by state.
import { get, get_if_there, path } from "./api.js";
import { button, h } from "./dom.js";
import { compact, count, duration, preview, rate } from "./format.js";
import { chart } from "./charts.js";
import { history_chart, hour_chart, read_history } from "./history.js";
import { badge, choice, chooser, jobs_table, link, named, outcome_text, page_query, payload, payload_of, plural, stale_note, tabs,
  tile, time } from "./parts.js";
import { pager } from "./pages.js";
import { partitions_table, read_partitions } from "./partitions.js";
import { push_form } from "./push.js";
import { empty_text, is_search, search } from "./search.js";
import { delete_button, deserted_badge, is_deserted, list_key, note_list, notices_button, pause_button, speed_of } from "./queues.js";
import * as samples from "./samples.js";

const states = ["waiting", "running", "scheduled", "failed", "broken"];
const titles = { waiting: "Waiting", running: "Running", scheduled: "Scheduled", failed: "Failed", broken: "Broken" };
const verbs = { failed: ["retry", "delete"], broken: ["retry", "delete"], scheduled: ["run", "delete"], waiting: ["delete"],
  running: ["cancel"] };
const empty = {
  waiting: "No job waits.",
  running: "No job runs now.",
  scheduled: "No job is scheduled. A job with a delay, or one that is tried again later, would stand here.",
  failed: "No job has failed.",
  broken: "No payload is broken. What is not JSON, or not a job, would stand here.",
};

const state_of = ({ args }) => (states.includes(args[1]) ? args[1] : "waiting");

function columns_of(state, can_choose) {
  const middle = {
    waiting: [{ title: "Waits since" }],
    running: [{ title: "Started" }, { title: "Worker" }],
    scheduled: [{ title: "Due" }],
    failed: [{ title: "Message", class: "message" }, { title: "Attempts", number: true }, { title: "Failed" }],
    broken: [{ title: "Message", class: "message" }, { title: "Found" }],
  }[state];
  return [...(can_choose ? [{ title: "Choose", hidden: true, class: "choose" }] : []),
    { title: "Job", class: "id" }, { title: "Payload", class: state === "waiting" ? "data most" : "data" }, ...middle,
    ...(can_choose ? [{ title: "Actions", hidden: true, class: "acts" }] : [])];
}

/// Why a job has failed or is broken.
export const message_of = ({ failure }, none) => (failure?.message ? h("span", { class: "bad" }, failure.message.slice(0, 2000))
  : h("span", { class: "none" }, none));

function cells_of(state, job) {
  switch (state) {
    case "waiting": return [time(job.queued_at)];
    case "running": return [time(job.started_at), job.worker ? h("code", {}, job.worker) : h("span", { class: "none" }, "over HTTP, another library's, or gone")];
    case "scheduled": return [time(job.due_at)];
    case "failed": return [message_of(job, "none"), job.attempts ? count(job.attempts) : "–", time(job.failure?.failed_at)];
    case "broken": return [message_of(job, "not recorded"), time(job.failure?.failed_at)];
    default: return [];
  }
}

const words_of = { retry: ["Retry", "queued again"], run: ["Run now", "queued"], delete: ["Delete", "deleted"],
  cancel: ["Cancel", "cancelled"] };

/// What can be done to jobs of a state: [{title, kind, some, all}]. `amount`: of all of them; null if a part is shown
function actions_of(name, state, amount, page) {
  const act = (verb, selection, number) => {
    const jobs = `${plural(number, titles[state].toLowerCase() + " job")}`;
    const questions = {
      delete: { title: `Delete ${jobs}?`, text: `${number === 1 ? "It is" : "They are"} removed from ${name} for good.`, yes: "Delete" },
      cancel: { title: `Cancel ${jobs}?`, yes: number === 1 ? "Cancel it" : "Cancel them",
        text: `${number === 1 ? "Its handler is" : "Their handlers are"} told to end. You find ${number === 1 ? "it" : "them"} with the failed jobs.` },
    };
    const question = questions[verb] ?? (selection.all && { title: `${words_of[verb][0]} ${jobs}?`, yes: words_of[verb][0], is_safe: true,
      text: "They run again, with all their attempts." });
    page.act(async (post) => outcome_text(words_of[verb][1], await post(path(["queues", name, "jobs", verb]), selection)), question);
  };
  return (verbs[state] ?? []).map((verb) => ({
    verb, title: words_of[verb][0], kind: verb === "delete" || verb === "cancel" ? "danger" : "",
    some: (keys) => act(verb, { keys }, keys.length),
    all: amount !== null && (verb === "delete" || state === "failed" || state === "broken") ? () => act(verb, { all: true, state }, amount) : null,
  }));
}

/// A link to the page of a job; one that does not decode has no id, and none.
export const list_job_link = (queue, { id }) => (id ? link(["listjob", queue, id], h("code", {}, preview(id, 256)))
  : h("span", { class: "none" }, "no id"));

function job_rows(place, page, state, actions) {
  return place.data.jobs.map((job) => {
    const name = job.id ?? "without an id";
    return { key: job.key, selected: place.selection.has(job.key), cells: [
      ...(actions.length ? [choice(place, page, job.key, "job " + name)] : []),
      list_job_link(place.data.queue.name, job),
      payload(payload_of(job)),
      ...cells_of(state, job),
      ...(actions.length ? [h("span", { class: "actions" }, actions.map((action) =>
        button(action.title, () => action.some([job.key]), { class: action.kind, "data-action": action.verb, "aria-label": `${action.title} job ${name}` })))] : []),
    ] };
  });
}

function charts_of(key, history) {
  return h("div", { class: "charts" },
    hour_chart(history),
    chart("Latency of the next job", [{ title: "now", kind: "accent", points: samples.levels(key, "latency") }], duration),
    chart("Jobs", [{ title: "waiting", kind: "accent", points: samples.levels(key, "waiting") },
      { title: "running", kind: "good", points: samples.levels(key, "running") }], (value) => compact(Math.round(value))),
    history_chart(history));
}

export const list_view = {
  group: "queues",
  title: ({ args }) => args[0] ?? "Queue",

  async load(place) {
    const name = place.args[0];
    const [queue, history] = await Promise.all([get(path(["queues", name])), read_history(["queues", name])]);
    note_list(queue);
    const state = state_of(place);
    const [jobs, partitions] = await Promise.all([
      get_if_there(path(["queues", name, "jobs"], { state, ...page_query(place.query) })), read_partitions(queue)]);
    return { queue, history, partitions, state, jobs: jobs?.jobs ?? [], next: jobs?.next, is_shown: jobs !== null, size: jobs?.size };
  },

  render(place, page) {
    const { queue, history, state, next, is_shown } = place.data;
    const here = ["queue", queue.name];
    const actions = actions_of(queue.name, state, is_search(place) ? null : queue[state], page);
    return [
      h("p", { class: "crumbs" }, h("a", { href: "#/" }, "Queues"), " / list queue"),
      h("div", { class: "heading" }, h("h1", {}, named(queue.name)), queue.paused && badge("paused", "warn"), deserted_badge(queue),
        pause_button(page, ["queues", queue.name], queue.name, queue.paused),
        notices_button(page, ["queues", queue.name], queue),
        delete_button(page, ["queues", queue.name], queue.name)),
      h("div", { class: "forms", "data-key": "forms" }, push_form(page, path(["queues", queue.name, "jobs"]))),
      h("dl", { class: "tiles" },
        tile("Jobs per second", rate(speed_of(queue))),
        tile("Latency", duration(queue.latency_seconds)),
        queue.partitions > 0 && tile("Partitions", count(queue.partitions)),
        tile("Workers", count(queue.workers), is_deserted(queue) ? "bad" : ""),
        tile("Succeeded", compact(queue.totals.succeeded)),
        tile("Retried", compact(queue.totals.retried)),
        tile("Recovered", compact(queue.totals.recovered)),
        tile("Failed so far", compact(queue.totals.failed))),
      charts_of(list_key(queue.name), history),
      tabs("Jobs by state", here, states.map((one) => [one, titles[one], queue[one], one === "failed" || one === "broken" ? "bad" : ""]), state),
      queue.overdue > 0 && h("p", { class: "note" },
        `${plural(queue.overdue, "overdue job")}: due, counted as waiting, and listed with the scheduled jobs until a worker looks.`),
      stale_note(place, page),
      is_shown && search(place, [...here, state]),
      is_shown && actions.length > 0 && place.data.jobs.length > 0 &&
        chooser(place, page, place.data.jobs.map((job) => job.key), actions),
      is_shown && h("div", { "data-key": state }, jobs_table(titles[state] + " jobs", columns_of(state, actions.length > 0),
        job_rows(place, page, state, actions), empty_text(place, state === "waiting" && queue.overdue > 0 ? "No other job waits." : empty[state]))),
      !is_shown && h("p", { class: "none box" }, "This gateway does not show these jobs."),
      pager([...here, state], place.query, next, is_shown && page),
      partitions_table(place.data.partitions),
    ];
  },
};
