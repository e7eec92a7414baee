// Schedules of managed queues, with their next runs.
import { get, path } from "./api.js";
import { button, h, table } from "./dom.js";
import { clock, count, duration, preview } from "./format.js";
import { badge, link, time } from "./parts.js";

const when_of = (one) => (one.cron ? h("span", {}, h("code", {}, one.cron), one.zone && h("span", { class: "none" }, " " + one.zone)) : "every " + duration(one.every_seconds));

/// The next time, and the others when it is opened.
const next_of = (one) => (one.next.length === 0 ? "–"
  : h("details", {}, h("summary", {}, time(one.next[0])), h("ol", { class: "times" }, one.next.map((at) => h("li", {}, clock(at))))));

function schedule_actions(one, page) {
  const act = (verb, done, question) => page.act(async (post) => {
    const reply = await post(path(["schedules", one.name, verb]));
    return done + (reply.id ? ` as job ${reply.id}.` : ".");
  }, question);
  const named = (text) => ({ "aria-label": `${text} ${one.name}` });
  return h("span", { class: "actions" },
    button("Run now", () => act("run", `${one.name} was pushed`), { "data-action": "run", ...named("Run now") }),
    one.paused ? button("Resume", () => act("resume", `${one.name} runs again, from its next time on`), { "data-action": "pause", ...named("Resume") })
      : button("Pause", () => act("pause", `${one.name} is paused`), { "data-action": "pause", ...named("Pause") }),
    button("Delete", () => act("delete", `${one.name} is deleted`, { title: `Delete the schedule ${preview(one.name)}?`,
      text: "The jobs that it has pushed stay.", yes: "Delete" }), { class: "danger", "data-action": "delete", ...named("Delete") }));
}

const schedule_columns = [{ title: "Schedule", class: "name" }, { title: "When" }, { title: "Next", class: "kind" }, { title: "Last" }, { title: "Pushes" },
  { title: "Runs", number: true }, { title: "Actions", hidden: true, class: "acts" }];

function schedule_row(one, page) {
  return { key: one.name, heading: 0, cells: [
    h("div", {}, one.name, one.paused && [" ", badge("paused", "warn")], one.problem && h("div", { class: "note bad" }, one.problem)),
    when_of(one), next_of(one),
    one.last ? (one.last_id ? link(["job", one.last_id], time(one.last)) : time(one.last)) : "never",
    h("span", {}, one.klass, " to ", link(["managed", one.queue], one.queue)), count(one.runs), schedule_actions(one, page)] };
}

export const schedules_view = {
  group: "schedules",
  title: () => "Schedules",
  load: () => get("schedules"),

  render({ data: { schedules } }, page) {
    return [
      h("h1", {}, "Schedules"),
      h("section", { "data-key": "schedules" },
        schedules.length > 0 ? h("div", { class: "box" }, table("Schedules", schedule_columns, schedules.map((one) => schedule_row(one, page))))
          : h("p", { class: "none box" }, "No schedule is set. 'coworker schedules set' sets one.")),
    ];
  },
};
