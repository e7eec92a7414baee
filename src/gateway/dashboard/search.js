// SPDX-License-Identifier: MIT
// Searching in the jobs of a state: what stands in the address.
import { h } from "./dom.js";

/// What an address may say of the jobs that are looked for.
export const search_names = ["text", "tag", "kind", "worker", "since", "until"];

const times = ["since", "until"];

/// A time as a field has it, in the zone of whoever looks; the address has it in UTC.
function local_time(text) {
  const time = Date.parse(text ?? "");
  if (Number.isNaN(time)) return "";
  return new Date(time - new Date(time).getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}

/// A form above a list of jobs. `here` are the words of its address; managed queues have kinds and tags.
export function search(place, here, is_managed = false) {
  const { query } = place;
  const field = (name, title) => h("label", {}, h("span", { class: "hidden" }, title),
    h("input", { type: "search", name, value: query[name] ?? "", placeholder: title, spellcheck: "false", autocomplete: "off" }));
  const time_field = (name, title) => h("label", {}, h("span", { class: "note" }, title, " "),
    h("input", { type: "datetime-local", name, value: local_time(query[name]) }));
  return h("form", { class: "search", role: "search", "data-key": "search-" + here.join("/"), onsubmit: (event) => {
    event.preventDefault();
    const words = new URLSearchParams();
    for (const { name, value } of event.target.elements)
      if (name && value.trim()) words.set(name, times.includes(name) ? new Date(value).toISOString() : value.trim());
    location.hash = "#/" + here.map(encodeURIComponent).join("/") + (words.size ? "?" + words : "");
  } },
  field("text", is_managed ? "Id, kind or text" : "Id or text"), is_managed && field("tag", "Tag"), is_managed && field("kind", "Kind"),
  query.worker && h("label", {}, h("span", { class: "note" }, "of the worker "), h("input", { type: "search", name: "worker", value: query.worker, spellcheck: "false", autocomplete: "off" })),
  h("details", { "data-key": "times", open: query.since || query.until ? true : null }, h("summary", {}, "Time"),
    time_field("since", "from"), " ", time_field("until", "to")), h("button", { type: "submit" }, "Search"),
  is_search(place) && h("a", { href: "#/" + here.map(encodeURIComponent).join("/") }, "Show all"));
}

export const is_search = ({ query }) => search_names.some((name) => query[name]);

/// What is said when a page has no job: a search looks at 20,000 jobs at a time.
export function empty_text(place, otherwise) {
  if (!is_search(place) && !(place.data.state === "complete" && place.data.next)) return otherwise;
  return place.data.next ? "None of the 20,000 jobs looked at matches; the next page looks at further ones." : "No job matches.";
}
