// SPDX-License-Identifier: MIT
// One job of a managed queue, with all that happened to it.
import { get, path } from "./api.js";
import { button, h, table } from "./dom.js";
import { clock, count, duration, preview, visible, whole_text } from "./format.js";
import { badge, field, form_box, link, named, outcome_text, parsed, payload_of, queue_link, text_area, time, value_of } from "./parts.js";
import { retries_left_of } from "./managed_queue.js";
import { job_graph, kinds, load_graph } from "./job_graph.js";

function actions_of(job, page) {
  const act = (verb, done, question) =>
    page.act(async (post) => outcome_text(done, await post(`jobs/${verb}`, { ids: [job.id] })), question);
  const remove = job.state === "running" ? "Cancel" : "Delete";
  return h("span", { class: "actions" },
    job.state === "failed" && button("Retry", () => act("retry", "queued again"), { "data-action": "retry" }),
    job.state === "scheduled" && button("Run now", () => act("run", "queued"), { "data-action": "run" }),
    job.state === "running" && button("Release", () => act("release", "released; it runs again"), { "data-action": "release" }),
    button(remove, () => act("delete", job.state === "running" ? "cancelled" : "deleted", { title: remove + " this job?",
      text: `Job ${preview(job.id)} and its history are removed for good.${job.state === "running" ? " Its worker is told to stop it." : ""}`, yes: remove === "Cancel" ? "Cancel the job" : remove }),
    { class: "danger", "data-action": "delete" }));
}

const links_to = (ids) => (ids.length === 0 ? "none" : ids.slice(0, 50).map((id) => [link(["job", id], h("code", {}, id)), " "]));

const progress_of = ({ fraction, message, told_at }) => [
  h("progress", { max: 1, value: fraction ?? 0, "aria-label": "Progress" }), ` ${Math.round(100 * (fraction ?? 0))} % `,
  message && visible(message.slice(0, 500)) + " ", told_at && h("span", { class: "none" }, "(", time(told_at), ")")];

const has_ended = ({ state }) => ["complete", "failed", "recurring"].includes(state);

/// Sends a signal to a job, which waits for it or will.
function signal_form(job, page) {
  const send = async (post, form) => {
    const name = value_of(form, "name");
    await post(path(["jobs", job.id, "signals", name]), parsed(value_of(form, "value") || "null"));
    return `The signal ${name} is sent.`;
  };
  const asked = job.sleeps_for?.signal ?? (job.options?.awaits_signal ? job.options.wait_for_signal : "");
  return form_box(page, { key: "signal-" + job.id, action: "signal", title: "Send a signal", verb: "Send" }, send,
    field("name", "Name", { required: true, maxlength: 256, placeholder: asked }), text_area("value", "Value, JSON", { placeholder: "null" }));
}

/// What the job sleeps for now.
const sleep_of = ({ signal, job, name, until }) => [
  job !== undefined ? ["the end of ", link(["job", job], h("code", {}, preview(job, 300)))]
    : [signal === undefined ? "" : "the signal ", h("code", {}, preview(signal ?? name, 300))],
  ", until ", time(until)];

const signals_of = (signals) => Object.entries(signals).map(([name, values]) =>
  h("span", { class: "pair" }, visible(name) + ": ", values.slice(0, 20).map((one) => [h("code", {}, preview(JSON.stringify(one), 300)), " "])));

/// What its runs have stored under names.
const values_of = (values) => Object.entries(values).slice(0, 100).map(([name, value]) =>
  h("span", { class: "pair" }, visible(name) + ": ", h("code", {}, preview(JSON.stringify(value), 300)), " "));

/// Jobs that have ended for which it waited, and how.
const ends_of = (jobs) => Object.entries(jobs).map(([id, { state, result, failure }]) =>
  h("span", { class: "pair" }, link(["job", id], h("code", {}, preview(id, 300))), `: ${state} `,
    h("code", {}, preview(JSON.stringify(result ?? failure?.message ?? null), 300)), " "));

export const fact = (name, ...value) => [h("dt", {}, name), h("dd", {}, ...value)];

/// Options whose values are more than a text. Others are shown by the name of their member.
const ways = {
  batch: (id) => link(["batch", id]),
  limits: (limits) => limits.map(({ name, units }) => [link(["limits"], visible(name)), units === 1 ? " " : ` (${count(units)} units) `]),
  unique_key: (key) => h("code", {}, preview(key, 300)),
  expires_at: time,
  timeout: duration,
  retention: duration,
  result_retention: duration,
  backoff: ({ initial, factor, maximum }) => `${duration(initial)}, times ${factor}, at most ${duration(maximum)}`,
  metadata: (texts) => Object.entries(texts).map(([name, value]) => h("span", { class: "pair" }, visible(name) + ": ", h("code", {}, preview(value, 300)))),
};
const titles = { expires_at: "Expires", retention: "Kept when done", result_retention: "Result kept", backoff: "Back-off" };

/// Those that stand beside what they are about.
const elsewhere = ["held_back", "held_by", "unhandled", "wait_for_signal", "awaits_signal", "on_parent_failure", "failed_parents"];

const is_nothing = (value) => value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
const title_of = (name) => name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");

/// What the job was pushed with, where it was.
const options_of = (options) => Object.entries(options)
  .filter(([name, value]) => !elsewhere.includes(name) && !is_nothing(value))
  .map(([name, value]) => fact(titles[name] ?? title_of(name), (ways[name] ?? ((one) => preview(one, 300)))(value)));

function facts(job) {
  return h("dl", { class: "facts" },
    fact("Queue", queue_link(job.queue)),
    fact("Kind", job.options?.unhandled ? [job.kind, " ", badge("no worker handles this kind", "bad")] : job.kind),
    fact("Worker", job.worker ? h("code", {}, job.worker) : "none"),
    job.lease_ends_at && fact("Lease ends", time(job.lease_ends_at)),
    job.due_at && fact("Due", time(job.due_at)),
    job.sleeps_for && fact("Sleeps for", sleep_of(job.sleeps_for)),
    job.signals && Object.keys(job.signals).length > 0 && fact("Signals", signals_of(job.signals)),
    job.ended_jobs && Object.keys(job.ended_jobs).length > 0 && fact("Waited for", ends_of(job.ended_jobs)),
    job.steps && fact("Steps", values_of(job.steps)),
    job.checkpoint !== undefined && fact("Checkpoint", h("code", {}, preview(JSON.stringify(job.checkpoint), 300))),
    job.progress && fact("Progress", progress_of(job.progress)),
    fact("Priority", count(job.priority)),
    fact("Retries left", retries_left_of(job)),
    job.options?.held_by && fact("Held back by", link(["limits"], job.options.held_by)),
    fact("Tags", job.tags.length ? job.tags.map((tag) => [badge(tag, "plain"), " "]) : "none"),
    fact("Waits for", links_to(job.depends_on)),
    job.options?.wait_for_signal && fact("Waits for the signal", h("code", {}, preview(job.options.wait_for_signal, 300)),
      job.options.awaits_signal ? " which has not come" : " which has come"),
    job.options?.on_parent_failure && fact("When one of those fails", job.options.on_parent_failure.replace("_", " ")),
    job.options?.failed_parents && fact("Failed before it", links_to(job.options.failed_parents)),
    fact("Jobs that wait for it", links_to(job.dependents)),
    fact("Tracked", job.tracked ? "yes" : "no"),
    job.options && options_of(job.options));
}

/// What its handler has logged, the newest below.
const log_of = (lines) => [h("h2", {}, "Log"), h("ol", { class: "box log", tabindex: "0", "data-key": "log" }, lines.map(({ at, text }) =>
  h("li", {}, h("time", { datetime: at, title: at }, clock(at)), h("span", {}, whole_text(text, 2000)))))];

function history(job) {
  const columns = [{ title: "When" }, { title: "What" }, { title: "More", class: "more" }];
  const rows = job.history.map(({ what, at, details, ...more }, i) => ({ key: String(i), cells: [
    h("time", { datetime: at, title: at }, clock(at)), badge(what, kinds[what] ?? "plain"),
    Object.entries(details ?? more).filter(([, value]) => value !== null).map(([name, value]) =>
      h("span", { class: "pair" }, visible(name === "q" ? "queue" : name) + ": ", h("code", {}, preview(value, 300)))),
  ] }));
  return h("div", { class: "box" }, table("History", columns, rows));
}

export const job_view = {
  group: "queues",
  title: ({ args }) => args[0] ?? "Job",
  async load({ args }) {
    const job = await get(path(["jobs", args[0] ?? ""]));
    return { job, graph: await load_graph(job) };
  },

  render({ data: { job, graph } }, page) {
    return [
      h("p", { class: "crumbs" }, h("a", { href: "#/" }, "Queues"), " / ", job.queue && [queue_link(job.queue), " / "], "job of a managed queue"),
      h("div", { class: "heading" }, h("h1", { class: "id" }, named(job.id)), badge(job.state, kinds[job.state] ?? "plain"), actions_of(job, page)),
      job.failure && h("section", { class: "box failure", "data-key": "failure" },
        h("h2", {}, "Failed: ", link(["group", job.failure.group], job.failure.group)),
        h("pre", { tabindex: "0" }, whole_text(job.failure.message)),
        h("p", { class: "note" }, time(job.failure.failed_at), job.failure.worker ? ", at " : "", job.failure.worker && h("code", {}, job.failure.worker))),
      facts(job),
      graph && job_graph(graph),
      h("h2", {}, "Payload"),
      h("pre", { class: "box", tabindex: "0" }, whole_text(payload_of(job))),
      job.result !== undefined && job.result !== null && [h("h2", {}, "Result"),
        h("pre", { class: "box", tabindex: "0", "data-key": "result" }, whole_text(job.result))],
      job.log && log_of(job.log),
      !has_ended(job) && signal_form(job, page),
      h("h2", {}, "History"),
      history(job),
    ];
  },
};
