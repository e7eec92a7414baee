// SPDX-License-Identifier: MIT
// The partitions of a list queue, each by itself.
import { get_if_there, path } from "./api.js";
import { h, table } from "./dom.js";
import { count, duration } from "./format.js";
import { badge, link } from "./parts.js";

const figures = [["waiting", "Waiting"], ["in_progress", "Running"], ["scheduled", "Scheduled"], ["failed", "Failed"],
  ["broken", "Broken"]];
const columns = [{ title: "Partition", class: "name" }, ...figures.map(([, title]) => ({ title, number: true })),
  { title: "Latency", number: true }];

/// None, if the queue is not divided.
export async function read_partitions(queue) {
  if (!(queue.partitions > 0)) return [];
  return (await get_if_there(path(["queues", queue.name, "partitions"])))?.partitions ?? [];
}

function row_of(queue) {
  const is_away = queue.unreachable > 0;
  return { key: queue.name, heading: 0, cells: [
    [link(["queue", queue.name], queue.name), is_away && badge("node away", "bad")],
    ...figures.map(([name]) => (is_away ? "–" : count(queue[name]))),
    is_away ? "–" : duration(queue.latency_seconds),
  ] };
}

export const partitions_table = (partitions) => partitions.length > 0 &&
  h("section", { "data-key": "partitions" }, h("h2", {}, "Partitions"),
    h("div", { class: "box" }, table("Partitions", columns, partitions.map(row_of))));
