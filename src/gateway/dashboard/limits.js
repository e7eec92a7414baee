// SPDX-License-Identifier: MIT
// Limits of managed queues, and what they hold back.
import { get, path } from "./api.js";
import { button, h, table } from "./dom.js";
import { count, duration, preview } from "./format.js";
import { field, form_box, value_of } from "./parts.js";

const rate_of = (one) => (one.rate === null ? "–"
  : `${count(one.rate)} in ${duration(one.period)}${one.burst > 1 ? `, ${count(one.burst)} at once` : ""}`);

const columns = [{ title: "Limit", class: "name" }, { title: "Held back", number: true }, { title: "In use", number: true },
  { title: "At most running", number: true }, { title: "At most beginning" }, { title: "Opens", number: true },
  { title: "Actions", hidden: true, class: "acts" }];

function row_of(one, page) {
  const remove = () => page.act(async (post) => {
    await post(path(["limits", one.name, "delete"]));
    return `The limit ${one.name} is removed.`;
  }, { title: `Remove the limit ${preview(one.name)}?`, text: "The jobs that it holds back run, if nothing else holds them back.", yes: "Remove" });
  return { key: one.name, heading: 0, cells: [one.name,
    h("span", { class: one.held_back > 0 ? "bad" : null }, count(one.held_back)), count(one.used),
    one.max_running === null ? "–" : count(one.max_running), rate_of(one),
    one.held_for_seconds > 0 ? "held for " + duration(one.held_for_seconds)
      : one.opens_in_seconds > 0 ? "in " + duration(one.opens_in_seconds) : "–",
    button("Remove", remove, { class: "danger", "data-action": "delete", "aria-label": "Remove " + one.name })] };
}

/// Sets a limit, or changes the one of this name.
function set_form(page) {
  const send = async (post, form) => {
    const value = (name) => value_of(form, name);
    const settings = {};
    for (const name of ["max_running", "rate", "burst"]) if (value(name)) settings[name] = Number(value(name));
    if (value("period")) settings.period = value("period");
    await post(path(["limits", value("name")]), settings);
    return `The limit ${value("name")} is set.`;
  };
  const number = { type: "number", min: 0, step: 1 };
  return form_box(page, { key: "set", title: "Set a limit" }, send,
    field("name", "Name, such as gpu or tenant:*", { required: true }),
    field("max_running", "At most running", number), field("rate", "At most beginning", number),
    field("period", "in a time of", { placeholder: "1s" }), field("burst", "at once", { ...number, min: 1 }));
}

/// Holds a limit for a time.
function hold_form(page) {
  const send = async (post, form) => {
    const limit = value_of(form, "limit");
    const now = await post("holds", { limit, time: value_of(form, "time") });
    return `The limit ${limit} is ${now.held_for_seconds > 0 ? "held for " + duration(now.held_for_seconds) : "not held"}.`;
  };
  return form_box(page, { key: "hold", title: "Hold a limit for a time" }, send,
    field("limit", "Name; it need not be set", { required: true }),
    field("time", "No worker takes a job of it for, such as 30s; 0 ends a hold", { required: true }));
}

export const limits_view = {
  group: "limits",
  title: () => "Limits",
  load: () => get("limits"),

  render({ data: { limits } }, page) {
    const rows = limits.toSorted((a, b) => b.held_back - a.held_back).map((one) => row_of(one, page));
    return [
      h("h1", {}, "Limits"),
      h("section", { "data-key": "limits" },
        rows.length > 0 ? h("div", { class: "box" }, table("Limits", columns, rows))
          : h("p", { class: "none box" }, "No limit is set. Jobs of managed queues that name one run as if there were none."),
        set_form(page), hold_form(page)),
    ];
  },
};
