// SPDX-License-Identifier: MIT
// Making and updating elements. Text only ever becomes text: nothing here parses markup, and no character of it is
// invisible or changes the direction of what follows.
import { visible } from "./format.js";

const read_by_people = new Set(["title", "aria-label"]); // attributes

const svg_names = new Set(["svg", "path", "rect", "line", "text", "g", "title", "polyline", "circle"]);

/// An element. Attributes are given as an object: functions become handlers (`onclick`), `true` an attribute
/// without a value; what is null, undefined or false is left out. `checked`, `value` and `disabled` are properties. A link inside
/// a picture is called "svg:a".
export function h(name, attributes = {}, ...children) {
  const element = svg_names.has(name) || name === "svg:a"
    ? document.createElementNS("http://www.w3.org/2000/svg", name.replace("svg:", ""))
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element[key] = value;
    else if (key === "checked" || key === "indeterminate") element[key] = value;
    else element.setAttribute(key, value === true ? "" : read_by_people.has(key) ? visible(String(value)) : String(value));
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : name === "textarea" ? String(child) : visible(String(child)));
  return element;
}

const handlers = ["onclick", "onchange", "onsubmit", "ontoggle", "onkeydown"];

function copy_attributes(from, to) {
  for (const { name } of [...to.attributes])
    if (!from.hasAttribute(name) && !(name === "open" && to.tagName === "DETAILS")) to.removeAttribute(name);
  for (const { name, value } of [...from.attributes])
    if (to.getAttribute(name) !== value) to.setAttribute(name, value);
  for (const handler of handlers)
    if (to[handler] !== from[handler]) to[handler] = from[handler];
  if (to.tagName === "INPUT") {
    to.checked = from.checked;
    to.indeterminate = from.indeterminate;
  }
}

const key_of = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("data-key") : null);
const is_like = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && key_of(a) === key_of(b);

/// Makes the children of `target` like those of `model`, and keeps the nodes that are there, so that focus,
/// selected text and opened details survive the next look at the queues.
export function update(target, model) {
  const keyed = new Map();
  for (const child of target.childNodes) if (key_of(child) !== null) keyed.set(key_of(child), child);
  let current = target.firstChild;
  for (const wanted of [...model.childNodes]) {
    const key = key_of(wanted);
    const found = key !== null ? keyed.get(key) : current;
    if (found && is_like(found, wanted)) {
      if (found === current) current = current.nextSibling;
      else target.insertBefore(found, current);
      if (found.nodeType === Node.TEXT_NODE) {
        if (found.data !== wanted.data) found.data = wanted.data;
      } else {
        copy_attributes(wanted, found);
        update(found, wanted);
      }
    } else {
      target.insertBefore(wanted, current);
    }
  }
  while (current) {
    const next = current.nextSibling;
    current.remove();
    current = next;
  }
}

/// The same with a list of new children.
export function show(target, ...children) {
  const model = document.createDocumentFragment();
  for (const child of children.flat(Infinity)) if (child) model.append(child);
  update(target, model);
}

/// A table that becomes a list of cards in a narrow window; so its roles have to be said.
///
/// columns: [{title, short, number, hidden, class, sort: {href, is_by}}], rows: [{key, cells, selected}], a cell is a node, a text
/// or a list. `more`: {foot: cells of a last row, kind: class of the table}
export function table(label, columns, rows, more = {}) {
  const head = columns.map((column) =>
    h("th", { role: "columnheader", scope: "col", class: class_of(column),
      "aria-sort": column.sort?.is_by ? (column.number ? "descending" : "ascending") : null },
    column.hidden ? h("span", { class: "hidden" }, column.title)
      : column.sort ? h("a", { href: column.sort.href }, column.title) : column.title));
  const line = ({ key, cells, selected, heading = -1 }) =>
    h("tr", { role: "row", "data-key": key, class: selected ? "selected" : null },
      cells.map((cell, i) =>
        h("td", {
          role: i === heading ? "rowheader" : "cell",
          "data-title": columns[i].hidden ? null : columns[i].title,
          "data-short": columns[i].short,
          class: class_of(columns[i]),
        }, cell)));
  return h("table", { role: "table", "aria-label": label, class: more.kind ?? null },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, head)),
    h("tbody", { role: "rowgroup" }, rows.map(line)),
    more.foot && h("tfoot", { role: "rowgroup" }, line({ cells: more.foot, heading: 0 })));
}

const class_of = (column) => [column.number ? "number" : "", column.class ?? ""].join(" ").trim() || null;

export const button = (text, onclick, attributes = {}) => h("button", { type: "button", onclick, ...attributes }, text);
