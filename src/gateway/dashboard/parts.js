// SPDX-License-Identifier: MIT
// Pieces that several views are made of.
import { button, h, table } from "./dom.js";
import { count, clock, ago, name_text, preview, whole_text } from "./format.js";
import { page_size } from "./pages.js";
import { is_search, search_names } from "./search.js";

/// A name that somebody has chosen: on one line, however long it is. All of it shows when the pointer rests on it.
export function named(name) {
  const text = name_text(name);
  return h("bdi", { class: "given", title: text !== name || text.length > 24 ? text : null }, text);
}

export const link = (words, text, query = "") =>
  h("a", { href: "#/" + words.map(encodeURIComponent).join("/") + query }, typeof text === "string" ? named(text) : text);

export const badge = (text, kind) => h("span", { class: "badge " + kind }, text);

/// What a page does not show, since nodes of the cluster are away. `pages` are those that the gateway answered.
export function missing_note(...pages) {
  const nodes = [...new Set(pages.flatMap((page) => page?.missing_nodes ?? []))];
  return nodes.length > 0 && h("p", { class: "note missing" },
    `${nodes.length === 1 ? "A node of the cluster does" : `${nodes.length} nodes of the cluster do`} not answer: ${nodes.join(", ")}. What is there is not shown.`);
}

export const tile = (title, value, kind = "") =>
  h("div", { class: "tile " + kind }, h("dt", {}, title), h("dd", {}, value));

export const time = (text) => (text ? h("time", { datetime: text, title: clock(text) }, ago(text)) : "–");

/// Which part of a page of jobs to ask for: what stands in the address.
export function page_query(query) {
  const result = { count: page_size() };
  for (const name of ["cursor", ...search_names]) if (query[name]) result[name] = query[name];
  return result;
}

/// Tabs are links: each state has an address of its own.
export function tabs(label, here, states, current) {
  return h("nav", { class: "tabs", "aria-label": label },
    states.map(([name, title, amount, kind]) =>
      h("a", { href: "#/" + [...here, name].map(encodeURIComponent).join("/"), "aria-current": name === current ? "page" : null },
        title, amount !== undefined && h("span", { class: "amount " + (amount > 0 ? kind ?? "" : "") }, count(amount)))));
}

/// The name of a managed queue without `managed:`, as it is shown, and the other way round.
export const bare = (name) => name.replace(/^managed:/, "");
export const managed_name = (name) => "managed:" + name;

/// A link to the managed queue of a job.
export const queue_link = (name) => (name ? link(["managed", bare(name)], bare(name)) : h("span", { class: "none" }, "none"));

/// The payload of a job; one that is not JSON comes as a text.
export const payload_of = (job) => (job.text !== undefined ? job.text : job.payload);

/// A payload: its beginning, and all of it when it is opened.
export function payload(value) {
  if (value === undefined) return h("span", { class: "none" }, "none");
  const all = whole_text(value);
  const start = preview(value);
  if (all.length <= 60 && !all.includes("\n")) return h("code", {}, start);
  return h("details", { class: "payload" }, h("summary", {}, h("code", {}, start)), h("pre", { tabindex: "0" }, all));
}

/// A line above a table: choose all, and what can be done to those that are chosen, or to all.
/// actions: [{title, kind, one: (keys) => …, all: () => …}]
export function chooser(place, page, keys, actions) {
  const chosen = keys.filter((key) => place.selection.has(key));
  const all_chosen = keys.length > 0 && chosen.length === keys.length;
  return h("div", { class: "chooser", role: "group", "aria-label": "Actions" },
    h("label", {}, h("input", {
      type: "checkbox", checked: all_chosen, indeterminate: chosen.length > 0 && !all_chosen,
      onchange: (event) => {
        for (const key of keys)
          if (event.target.checked) place.selection.add(key);
          else place.selection.delete(key);
        page.draw();
      },
    }), "This page"),
    h("span", { class: "chosen" }, chosen.length === 0 ? "none chosen" : `${chosen.length} chosen`),
    h("span", { class: "actions" },
      actions.map((action) => button(action.title + " chosen", () => action.some(chosen),
        { disabled: chosen.length === 0, class: action.kind })),
      actions.filter((action) => action.all).map((action) =>
        button(action.title + " all", () => action.all(), { class: action.kind }))));
}

export const choice = (place, page, key, name) =>
  h("input", { type: "checkbox", "aria-label": "Choose " + name, checked: place.selection.has(key),
    onchange: (event) => page.select(key, event.target.checked) });

export function jobs_table(label, columns, rows, empty) {
  return rows.length === 0 ? h("p", { class: "none box" }, empty) : h("div", { class: "box" }, table(label, columns, rows));
}

/// Above a page that is too large to be read every two seconds.
export const stale_note = (place, page) =>
  place.is_large && h("p", { class: "note" }, is_search(place) ? "What was found is not updated by itself. "
    : "These jobs are large, so the page is not updated by itself. ",
    button("Update", page.refresh));

export const outcome_text = (verb, { done, missing = 0, refused = 0 }) =>
  `${count(done)} ${done === 1 ? "job" : "jobs"} ${verb}` +
  (missing ? `, ${count(missing)} not there any more` : "") +
  (refused ? `, ${count(refused)} refused because other jobs depend on them` : "") + ".";

export const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;

/// A field of a form, with its title above it.
export const field = (name, title, more = {}) =>
  h("label", {}, h("span", {}, title), h("input", { type: "text", name, autocomplete: "off", spellcheck: "false", ...more }));

/// The same with several lines, as wide as the form. What is set may be its text.
export const text_area = (name, title, more = {}, text = "") =>
  h("label", { class: "wide" }, h("span", {}, title), h("textarea", { name, rows: 4, spellcheck: "false", ...more }, text));

/// A field for options that have no field of their own: members of an object, as the HTTP API names them.
export const options_area = (example) => text_area("options", "Other options, JSON", { placeholder: example, rows: 2 });

/// What was typed there.
export function options_of(form) {
  const options = parsed(value_of(form, "options") || "{}", "The text of the other options");
  if (typeof options !== "object" || options === null || Array.isArray(options)) throw new Error("The other options are no JSON object.");
  return options;
}

export const value_of = (form, name) => form.elements[name]?.value.trim() ?? "";

/// A form that can be opened. `send` is called with what posts and with the form, and says what came of it.
/// about: {key, action, title, verb}
export function form_box(page, { key, action = "set", title, verb = "Set" }, send, ...fields) {
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    page.act((post) => send(post, form));
  };
  return h("details", { class: "push box", "data-key": key, "data-action": action }, h("summary", {}, title),
    h("form", { onsubmit: submit }, fields,
      h("span", { class: "actions" }, h("button", { type: "submit", class: "primary" }, verb))));
}

/// The JSON that was typed, or an error that says what is wrong with it. `what` names it.
export function parsed(text, what = "The data") {
  const is_exact = (value) => !Number.isInteger(value) || Number.isSafeInteger(value);
  let value, inexact;
  try {
    value = JSON.parse(text, (_, part) => {
      if (typeof part === "number" && !is_exact(part)) inexact ??= part;
      return part;
    });
  } catch (error) {
    throw new Error(`${what} is not JSON: ${error.message}`);
  }
  if (inexact !== undefined) throw new Error(`${what} has a number that a browser does not keep to the digit: ${inexact}.`);
  return value;
}
