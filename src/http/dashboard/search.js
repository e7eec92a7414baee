// Searching in the jobs of a state: what stands in the address.
import { h } from "./dom.js";

/// A form above a list of jobs. `here` are the words of its address; managed queues have tags.
export function search(place, here, has_tags = false) {
  const { query } = place;
  const field = (name, title) => h("label", {}, h("span", { class: "hidden" }, title),
    h("input", { type: "search", name, value: query[name] ?? "", placeholder: title, spellcheck: "false", autocomplete: "off" }));
  return h("form", { class: "search", role: "search", "data-key": "search-" + here.join("/"), onsubmit: (event) => {
    event.preventDefault();
    const words = new URLSearchParams();
    for (const { name, value } of event.target.elements)
      if (name && value.trim()) words.set(name, value.trim());
    location.hash = "#/" + here.map(encodeURIComponent).join("/") + (words.size ? "?" + words : "");
  } },
  field("text", has_tags ? "Id, kind or text" : "Id or text"), has_tags && field("tag", "Tag"), h("button", { type: "submit" }, "Search"),
  (query.text || query.tag) && h("a", { href: "#/" + here.map(encodeURIComponent).join("/") }, "Show all"));
}

export const is_search = ({ query }) => Boolean(query.text || query.tag);

/// What is said when a page has no job: a search looks at 20,000 jobs at a time.
export function empty_text(place, otherwise) {
  if (!is_search(place)) return otherwise;
  return place.data.next ? "None of the 20,000 jobs looked at matches; the next page looks at further ones." : "No job matches.";
}
