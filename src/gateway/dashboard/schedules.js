// SPDX-License-Identifier: MIT
// Schedules, with their next runs.
import { get, path } from "./api.js";
import { button, h, table } from "./dom.js";
import { clock, count, duration, preview } from "./format.js";
import { badge, bare, field, form_box, link, managed_name, options_area, options_of, parsed, plural, queue_link, text_area, time, value_of } from "./parts.js";

const when_of = (one) => (one.cron ? h("span", {}, h("code", {}, one.cron), one.zone && h("span", { class: "none" }, " " + one.zone)) : "every " + duration(one.every));

/// Those of a list queue are its own; jobs have a kind in managed queues only.
const is_of_list = (one) => !one.kind;
const place_of = (one) => (is_of_list(one) ? ["queues", one.queue, "schedules", one.name] : ["schedules", one.name]);
const key_of = (one) => (is_of_list(one) ? `${one.name} ${one.queue}` : one.name);

/// The next time, and the others when it is opened.
const next_of = (one) => (one.next.length === 0 ? "–"
  : h("details", {}, h("summary", {}, time(one.next[0])), h("ol", { class: "times" }, one.next.map((at) => h("li", {}, clock(at))))));

function schedule_actions(one, page) {
  const act = (verb, done, question) => page.act(async (post) => {
    const reply = await post(path([...place_of(one), verb]));
    return done + (reply.id ? ` as job ${reply.id}.` : ".");
  }, question);
  const named = (text) => ({ "aria-label": `${text} ${one.name}` });
  return h("span", { class: "actions" },
    button("Run now", () => act("run", `${one.name} was pushed`), { "data-action": "run", ...named("Run now") }),
    one.paused ? button("Resume", () => act("resume", `${one.name} runs again, from its next time on`), { "data-action": "pause", ...named("Resume") })
      : button("Pause", () => act("pause", `${one.name} is paused`), { "data-action": "pause", ...named("Pause") }),
    button("Change", () => show_in_form(one), { "data-action": "change", ...named("Change") }),
    button("Delete", () => act("delete", `${one.name} is deleted`, { title: `Delete the schedule ${preview(one.name)}?`,
      text: "The jobs that it has pushed stay.", yes: "Delete" }), { class: "danger", "data-action": "delete", ...named("Delete") }));
}

const schedule_columns = [{ title: "Schedule", class: "name" }, { title: "When" }, { title: "Next", class: "kind" }, { title: "Last" }, { title: "Pushes" },
  { title: "Runs", number: true }, { title: "Actions", hidden: true, class: "acts" }];

function schedule_row(one, page) {
  return { key: key_of(one), heading: 0, cells: [
    h("div", {}, one.name, one.paused && [" ", badge("paused", "warn")], one.problem && h("div", { class: "note bad" }, one.problem)),
    when_of(one), next_of(one),
    one.last_at ? (one.last_id ? link(is_of_list(one) ? ["listjob", one.queue, one.last_id] : ["job", one.last_id], time(one.last_at)) : time(one.last_at)) : "never",
    is_of_list(one) ? link(["queue", one.queue], one.queue) : h("span", {}, one.kind, " to ", queue_link(one.queue)), count(one.runs), schedule_actions(one, page)] };
}

/// An interval as one types it: "5m".
function interval_text(seconds) {
  const [unit, size] = [["d", 86400], ["h", 3600], ["m", 60], ["s", 1]].find(([, size]) => seconds % size === 0);
  return seconds / size + unit;
}

/// Opens the form with what a schedule has. What stands there then is all that it has, so what is taken out goes.
function show_in_form(one) {
  const box = document.querySelector("[data-key=set-schedule]");
  const values = { name: one.name, queue: bare(one.queue), kind: one.kind ?? "", payload: JSON.stringify(one.payload, null, 2), cron: one.cron ?? "",
    zone: one.zone ?? "", every: one.every ? interval_text(one.every) : "", options: JSON.stringify(rest_of(one), null, 2) };
  box.open = true;
  const form = box.querySelector("form");
  form.shows = one;
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
  box.querySelector("[name=cron]").focus();
}

/// What a schedule has and no field shows, as it is posted.
function rest_of({ name, queue, kind, payload, cron, zone, every, paused, runs, last_at, last_id, problem, next, ...rest }) {
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
}

/// What is set of a schedule, to tell whether two are the same.
const setting_of = ({ paused, runs, last_at, last_id, problem, next, ...rest }) => JSON.stringify(rest);

/// Whether a unique key is a digest, which does not tell of what it was made.
const is_digest = (key) => /^\{"kind":[0-9a-f]{64}\}$/.test(key ?? "");

/// Sets a schedule, or changes the one of this name.
function set_form(page) {
  const send = async (post, form) => {
    const value = (name) => value_of(form, name), name = value("name");
    const is_list = !value("kind"), payload = parsed(value("payload") || "{}");
    const wanted = is_list ? { payload } : { queue: value("queue"), kind: value("kind"), payload };
    const place = { name, queue: is_list ? value("queue") : managed_name(bare(value("queue"))), kind: value("kind") };
    for (const name of ["cron", "zone", "every"]) if (value(name)) wanted[name] = value(name);
    const old = (await get("schedules")).schedules.find((one) => key_of(one) === key_of(place));
    const shown = form.shows && key_of(form.shows) === key_of(place) ? form.shows : undefined;
    if (shown && old && setting_of(shown) !== setting_of(old))
      throw new Error(`The schedule ${name} was changed by somebody else since this form shows it: click "Change" again to see how it is now.`);
    const typed = options_of(form), kept = old && !shown && rest_of(old), rest = { ...kept, ...typed };
    if (!wanted.every) delete rest.anchor;
    if (is_digest(rest.unique?.key))
      throw new Error('Which members of the payload make its jobs unique is no longer known: type "unique" under other options.');
    const { changed } = await post(path(place_of(place)), { ...rest, ...wanted });
    form.reset();
    delete form.shows;
    return `The schedule ${name} ${!old ? "is set" : changed ? "is changed" : "is as it was"}.`;
  };
  return form_box(page, { key: "set-schedule", title: "Set a schedule" }, send,
    field("name", "Name", { required: true }), field("queue", "Queue", { required: true }),
    field("kind", "Kind, in a managed queue"), text_area("payload", "Payload, JSON", { placeholder: "{}" }),
    field("cron", "Cron line, such as 30 2 * * *"), field("zone", "Its time zone", { placeholder: "UTC" }),
    field("every", "or every, such as 5m"), options_area('{"missed": "all", "retries": 3, "unique": {"key": "daily"}}'));
}

/// Where qless' recurring jobs are: queues with their number.
const recurring_links = (queues) => h("ul", {}, queues.map((queue) =>
  h("li", {}, link(["managed", bare(queue.name), "recurring"], `${plural(queue.recurring, "job")} in ${bare(queue.name)}`))));

export const schedules_view = {
  group: "schedules",
  title: () => "Schedules",

  async load() {
    const queues = get(path(["queues"], { kind: "managed", count: 1000 })).catch(() => ({ queues: [], next: null }));
    const [{ schedules }, { queues: first, next }] = await Promise.all([get("schedules"), queues]);
    return { schedules, recurring: first.filter((queue) => queue.recurring > 0), more: Boolean(next) };
  },

  render({ data: { schedules, recurring, more } }, page) {
    return [
      h("h1", {}, "Schedules"),
      h("section", { "data-key": "schedules" },
        schedules.length > 0 ? h("div", { class: "box" }, table("Schedules", schedule_columns, schedules.map((one) => schedule_row(one, page))))
          : h("p", { class: "none box" }, "No schedule is set. One pushes a job at the times of a cron line, or at fixed intervals.")),
      set_form(page),
      recurring.length > 0 && h("section", { "data-key": "recurring" }, h("h2", {}, "Recurring jobs of qless"),
        h("div", { class: "box" }, recurring_links(recurring)),
        more && h("p", { class: "note" }, "Only those of the first 1000 queues.")),
    ];
  },
};
