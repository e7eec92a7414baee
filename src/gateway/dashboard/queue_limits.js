// SPDX-License-Identifier: MIT
// What all jobs of a managed queue are subject to, its settings, and the turns of its groups.
import { path } from "./api.js";
import { h } from "./dom.js";
import { count, duration } from "./format.js";
import { field, form_box, link, managed_name, plural, text_area, value_of } from "./parts.js";

/// As the command line has it: NAME or NAME=UNITS.
const line_of = ({ name, units }) => (units === 1 && !name.includes("=") ? name : `${name}=${units}`);

function use_of(line) {
  const at = line.lastIndexOf("=");
  return at < 0 ? line : { name: line.slice(0, at).trim(), units: Number(line.slice(at + 1)) };
}

/// Names the limits of a queue.
export function limits_note(limits) {
  if (limits.length === 0) return null;
  const named = limits.map(({ name, units }, i) => [i > 0 && ", ", link(["limits"], name), units > 1 && ` (${count(units)} units each)`]);
  return h("p", { class: "note whole", "data-key": "limits" }, "All its jobs are subject to ", limits.length === 1 ? "the limit " : "the limits ", named, ".");
}

/// Sets the limits of a queue; those that are set stand in it.
export function limits_form(page, queue, limits) {
  const send = async (post, form) => {
    const lines = value_of(form, "limits").split("\n").map((line) => line.trim()).filter(Boolean);
    const now = await post(path(["queues", managed_name(queue), "limits"]), { limits: lines.map(use_of) });
    form.reset();
    return now.limits.length === 0 ? `${queue} has no limits.` : `${queue} has ${plural(now.limits.length, "limit")}.`;
  };
  return form_box(page, { key: "limits-" + queue, title: "Set its limits" }, send,
    text_area("limits", "Limits of all its jobs, one a line: gpu, or gpu=4 if each job takes 4 units. Without a line it has none",
      {}, limits.map(line_of).join("\n")));
}

/// Names the settings of a queue that are not those of all others.
export function settings_note({ heartbeat, max_concurrency, max_waiting, ageing, held_for_seconds }) {
  const parts = [
    max_concurrency > 0 && `at most ${plural(max_concurrency, "job")} at the same time`,
    held_for_seconds > 0 && `held for ${duration(held_for_seconds)}`,
    max_waiting > 0 && `pushes are refused when ${plural(max_waiting, "job")} wait`,
    ageing > 0 && `a waiting job gains one priority every ${duration(ageing)}`,
    heartbeat !== null && `a job without a sign of its worker runs again after ${duration(heartbeat)}`,
  ].filter(Boolean);
  return parts.length === 0 ? null : h("p", { class: "note whole", "data-key": "settings" }, `Its settings: ${parts.join("; ")}.`);
}

/// Changes the settings of a queue; those that are set stand in it.
export function settings_form(page, queue, { heartbeat, max_concurrency, max_waiting, ageing }) {
  const send = async (post, form) => {
    await post(path(["queues", managed_name(queue), "settings"]),
      { heartbeat: value_of(form, "heartbeat") || null, max_concurrency: Number(value_of(form, "max_concurrency")),
        max_waiting: Number(value_of(form, "max_waiting")), ageing: value_of(form, "ageing") || 0 });
    form.reset();
    return `${queue} has these settings now.`;
  };
  return form_box(page, { key: "settings-" + queue, title: "Change its settings" }, send,
    field("max_concurrency", "Jobs at the same time, in all workers together; empty: any number",
      { type: "number", min: 0, step: 1, value: max_concurrency || "" }),
    field("max_waiting", "Jobs that may wait, beyond which pushes are refused; empty: any number",
      { type: "number", min: 0, step: 1, value: max_waiting || "" }),
    field("ageing", "A waiting job gains one priority every, such as 10m; empty: never", { value: ageing > 0 ? `${ageing}s` : "" }),
    field("heartbeat", "A job without a sign of its worker runs again after, such as 30s; empty: as in other queues",
      { value: heartbeat === null ? "" : `${heartbeat}s` }));
}

/// Holds a queue, or a group of it, for a time.
export function hold_form(page, queue) {
  const send = async (post, form) => {
    const group = value_of(form, "group");
    const now = await post("holds", { queue: managed_name(queue), ...(group && { group }), time: value_of(form, "time") });
    form.reset();
    return `${group || queue} is ${now.held_for_seconds > 0 ? "held for " + duration(now.held_for_seconds) : "not held"}.`;
  };
  return form_box(page, { key: "hold-" + queue, title: "Hold it for a time" }, send,
    field("time", "No worker takes a job of it for, such as 30s; 0 ends a hold", { required: true }),
    field("group", "Only of this group; empty: of all"));
}

const most_groups = 20;

/// Names the groups that have more jobs in their turn than others, or fewer.
export function weights_note(groups) {
  if (groups.length === 0) return null;
  const named = groups.slice(0, most_groups).map(({ group, weight }) => `${group} (${weight})`).join(", ");
  const rest = groups.length - most_groups;
  return h("p", { class: "note whole", "data-key": "weights" },
    `Jobs in their turn: ${named}${rest > 0 ? ` and ${plural(rest, "more group")}` : ""}; each other group 1.`);
}

/// Gives a group of a queue more jobs in its turn, or fewer.
export function weight_form(page, queue) {
  const send = async (post, form) => {
    const { group, weight } = await post(path(["queues", managed_name(queue), "groups"]),
      { group: value_of(form, "group"), weight: Number(value_of(form, "weight")) });
    form.reset();
    return `The group ${group} has the weight ${weight}.`;
  };
  return form_box(page, { key: "weight-" + queue, title: "Set the weight of a group" }, send,
    field("group", "Group", { required: true }),
    field("weight", "Jobs in its turn, 0.001 to 1000", { type: "number", step: "any", required: true }));
}
