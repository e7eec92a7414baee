// SPDX-License-Identifier: MIT
// The jobs around a job of a managed queue: what it waits for, and what waits for it, as a picture and as a list.
import { get_if_there, path } from "./api.js";
import { h } from "./dom.js";
import { preview } from "./format.js";
import { badge, link, plural } from "./parts.js";

export const kinds = { failed: "bad", stalled: "bad", running: "good", complete: "good", waiting: "accent" };

const levels = 2, most = 50; // jobs, with the one in the middle
const at_once = 6, kept_for = 10000; // requests; ms until jobs are read again
const width = 150, height = 38, gap = 44, step = 48, farthest = 4, centered = 8;

const parents_of = (job) => [...new Set([...job.depends_on, ...(job.options?.failed_parents ?? [])])];
const sides = [[-1, parents_of], [1, (job) => job.dependents]];

let last = { id: null, at: 0, jobs: new Map() };

async function read(places) {
  for (let i = 0; i < places.length; i += at_once)
    await Promise.all(places.slice(i, i + at_once).map(async (place) => {
      if (!last.jobs.has(place.id)) last.jobs.set(place.id, await get_if_there(path(["jobs", place.id])));
      place.job = last.jobs.get(place.id); // null: its record is gone
    }));
}

function edges_of(places) {
  const edges = new Map();
  const add = (from, to) => places.has(from) && places.has(to) && edges.set(JSON.stringify([from, to]), [places.get(from), places.get(to)]);
  for (const { id, job } of places.values()) {
    if (!job) continue;
    for (const parent of parents_of(job)) add(parent, id);
    for (const child of job.dependents) add(id, child);
  }
  return [...edges.values()];
}

// A job stands left of all that wait for it, however it was found.
function arrange(edges) {
  for (let i = 0; i !== farthest; ++i)
    for (const [from, to] of edges) {
      if (to.level <= 0) from.level = Math.max(-farthest, Math.min(from.level, to.level - 1));
      else if (from.level >= 0) to.level = Math.min(farthest, Math.max(to.level, from.level + 1));
    }
}

/// The jobs up to two steps away, 50 at most; null if there are none.
export async function load_graph(job) {
  if (sides.every(([, others_of]) => others_of(job).length === 0)) return null;
  if (last.id !== job.id || Date.now() - last.at > kept_for) last = { id: job.id, at: Date.now(), jobs: new Map() };
  const places = new Map([[job.id, { id: job.id, level: 0, job }]]);
  let left_out = 0;
  for (let level = 1; level <= levels; ++level)
    for (const [side, others_of] of sides) {
      const from = [...places.values()].filter((one) => one.job && one.level === side * (level - 1));
      const ids = [...new Set(from.flatMap((one) => others_of(one.job)))].filter((id) => !places.has(id)).sort();
      const found = ids.slice(0, most - places.size).map((id) => ({ id, level: side * level, job: null }));
      left_out += ids.length - found.length;
      for (const one of found) places.set(one.id, one);
      await read(found);
    }
  const edges = edges_of(places);
  arrange(edges);
  return { places: [...places.values()], edges, left_out };
}

const state_of = ({ job }) => job?.state ?? "gone";
const kind_of = (place) => kinds[state_of(place)] ?? "plain";

function node(place) {
  const { id, level, job, x, y } = place;
  const box = [h("title", {}, `${preview(id, 300)}: ${state_of(place)}`),
    h("rect", { class: kind_of(place), x, y, width, height, rx: 6 }),
    h("text", { class: "id", x: x + 8, y: y + 16 }, preview(id, 17)),
    h("text", { class: "what", x: x + 8, y: y + 31 }, preview(state_of(place) + (job ? ", " + job.kind : ""), 20))];
  return level === 0 ? h("g", { class: "here", "data-key": id }, box)
    : h("svg:a", { href: "#/job/" + encodeURIComponent(id), tabindex: -1, "data-key": id }, box);
}

function picture({ places, edges }) {
  const columns = [...new Set(places.map(({ level }) => level))].sort((a, b) => a - b)
    .map((level) => places.filter((one) => one.level === level));
  const tallest = Math.max(...columns.map((column) => column.length)) * step;
  const middle = Math.min(tallest, centered * step) / 2; // of a tall picture the top is seen first
  columns.forEach((column, i) => column.forEach((place, k) => {
    place.x = 2 + i * (width + gap);
    place.y = Math.max(0, middle - column.length * step / 2) + k * step + (step - height) / 2;
  }));
  const line = ([from, to]) => {
    const [x, y, to_x, to_y] = [from.x + width, from.y + height / 2, to.x, to.y + height / 2];
    return h("path", { class: "edge", d: `M${x},${y} C${x + gap / 2},${y} ${to_x - gap / 2},${to_y} ${to_x},${to_y}` });
  };
  const all = columns.length * (width + gap) - gap + 4;
  return h("svg", { class: "graph", width: all, height: tallest, viewBox: `0 0 ${all} ${tallest}`, role: "img",
    "aria-label": `The jobs around this one, ${places.length - 1}; below they are as a list` }, edges.map(line), places.map(node));
}

function line_of(place, edges) {
  const before = edges.filter(([, to]) => to === place).map(([from]) => from.id);
  return h("li", { "data-key": place.id },
    place.level === 0 ? h("code", {}, place.id) : link(["job", place.id], h("code", {}, place.id)), " ",
    badge(state_of(place), kind_of(place)), place.job && " " + preview(place.job.kind, 60), place.level === 0 && ", this job",
    before.length > 0 && [", after ", before.map((id, i) => [i > 0 && ", ", h("code", {}, id)])]);
}

/// The graph around a job, as `load_graph` found it.
export function job_graph(graph) {
  const in_order = [...graph.places].sort((a, b) => a.level - b.level);
  return h("section", { class: "around", "data-key": "graph" }, h("h2", {}, "Jobs around it"),
    h("div", { class: "box scroll" }, picture(graph)),
    graph.left_out > 0 && h("p", { class: "note" }, plural(graph.left_out, "more job") + " not shown."),
    h("details", {}, h("summary", {}, "As a list"), h("ul", {}, in_order.map((place) => line_of(place, graph.edges)))));
}
