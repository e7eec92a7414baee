// SPDX-License-Identifier: MIT
// Turning pages: the next one, the one before, and how long they are.
import { memory } from "./api.js";
import { h } from "./dom.js";
import { link } from "./parts.js";

const sizes = [20, 50, 100, 200];
const settings = memory(() => localStorage), session = memory(() => sessionStorage);
const size_key = "coworker-page-size", way_key = "coworker-pages";

/// How many rows a page has, which this browser remembers.
export function page_size() {
  const size = Number(settings.get(size_key));
  return sizes.includes(size) ? size : sizes[0];
}

const most = 200; // pages whose predecessor is known
function ways() {
  try {
    return new Map(JSON.parse(session.get(way_key) ?? "[]"));
  } catch {
    return new Map();
  }
}

/// The gateway's cursors lead on only; the page before is where a link to this one stood.
function note_way(from, to) {
  const known = ways();
  if (known.get(to) === from) return;
  known.delete(to);
  known.set(to, from);
  session.set(way_key, JSON.stringify([...known].slice(-most)));
}

const query_text = (query) => {
  const words = new URLSearchParams(query).toString();
  return words ? "?" + words : "";
};
const place_of = (here, query) => here.map(encodeURIComponent).join("/") + query_text(query);

/// Links below a list, and a choice of its length. `here` are the words of its address, `query` what else stands in it, `next`
/// the path that the gateway named, `cursor` the name of the member of the query that says where a page begins.
export function pager(here, query, next, page, { label = "Pages", cursor = "cursor" } = {}) {
  const following = next ? new URLSearchParams(next.split("?")[1] ?? "").get("cursor") : null;
  const is_first = !query[cursor];
  if (is_first && following === null && !page) return null;
  const { [cursor]: _, ...rest } = query;
  const on = following !== null && { ...rest, [cursor]: following };
  if (on) note_way(query_text(query), place_of(here, on));
  const before = is_first ? undefined : ways().get(place_of(here, query));
  return h("nav", { class: "pager", "aria-label": label },
    !is_first && link(here, "First page", query_text(rest)),
    before !== undefined && link(here, "Previous page", before),
    on && link(here, "Next page", query_text(on)),
    page && size_choice(page));
}

const size_choice = (page) => h("label", { class: "size" }, h("span", {}, "Rows "),
  h("select", { name: "page-size", onchange: (event) => {
    settings.set(size_key, event.target.value);
    page.refresh();
  } }, sizes.map((size) => h("option", { value: size, selected: size === page_size() }, String(size)))));
