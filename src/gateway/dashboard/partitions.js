// SPDX-License-Identifier: MIT
// The partitions of a list queue, each by itself.
import { get_if_there, path } from "./api.js";
import { h, table } from "./dom.js";
import { duration } from "./format.js";
import { link } from "./parts.js";
import { figure_cell, is_missing, list_figures, unreachable_badge } from "./queues.js";

const columns = [{ title: "Partition", class: "name" }, ...list_figures.map(([, title]) => ({ title, number: true })),
  { title: "Latency", number: true }];

/// None, if the queue is not divided.
export async function read_partitions(queue) {
  if (!(queue.partitions > 0)) return [];
  return (await get_if_there(path(["queues", queue.name, "partitions"])))?.partitions ?? [];
}

function row_of(queue) {
  const words = ["queue", queue.name];
  return { key: queue.name, heading: 0, cells: [
    [link(words, queue.name), unreachable_badge(queue)],
    ...list_figures.map((figure) => figure_cell(queue, words, figure)),
    is_missing(queue) ? "–" : duration(queue.latency_seconds),
  ] };
}

export const partitions_table = (partitions) => partitions.length > 0 &&
  h("section", { "data-key": "partitions" }, h("h2", {}, "Partitions"),
    h("div", { class: "box" }, table("Partitions", columns, partitions.map(row_of))));
