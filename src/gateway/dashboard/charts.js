// SPDX-License-Identifier: MIT
// Small charts, drawn as SVG. Each says in words what it shows.
import { h } from "./dom.js";
import { count, duration } from "./format.js";

const longest = 300, shortest = 60; // seconds

/// How far a chart reaches back: as far as there is something to show.
const span_of = (points) => {
  const begin = Math.min(...points.map((point) => point.at)), end = Math.max(...points.map((point) => point.at));
  return Math.min(longest, Math.max(shortest, Math.ceil((end - begin) / 60) * 60 || 0));
};

function line_of(points, width, height, top, now, span) {
  const x = (at) => Math.max(0, width - ((now - at) / span) * width);
  const y = (value) => height - 1 - (value / top) * (height - 3);
  const shown = points.filter((point) => now - point.at <= span);
  return shown.map((point) => `${x(point.at).toFixed(1)},${y(point.value).toFixed(1)}`);
}

/// A line without axes, for a table's cell.
export function sparkline(points, label, span) {
  const width = 120, height = 28, now = points.at(-1)?.at ?? 0;
  const top = Math.max(...points.map((point) => point.value), 1e-9);
  const line = line_of(points, width, height, top, now, span);
  const first = line[0]?.split(",")[0];
  return h("svg", { class: "spark", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label,
    preserveAspectRatio: "none" },
    h("line", { class: "base", x1: 0, x2: width, y1: height - 1, y2: height - 1 }),
    line.length > 1 && h("path", { class: "area", d: `M${first},${height - 1} L${line.join(" L")} L${width},${height - 1} Z` }),
    line.length > 1 && h("polyline", { points: line.join(" ") }));
}

/// The next round number: 1, 2 or 5 times a power of ten.
function round_up(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value * 0.999) ?? value;
}

/// Lines over the last minutes. series: [{title, kind, points}]
export function chart(title, series, show_value) {
  const points = series.flatMap((one) => one.points);
  const now = Math.max(0, ...points.map((point) => point.at));
  const legend = (one) => `${one.title} ${one.points.length ? show_value(one.points.at(-1).value) : "–"}`;
  return plot(title, series.map((one) => ({ ...one, legend: legend(one) })), { now, span: span_of(points), says: "Now" }, show_value);
}

/// Lines over the time `span` until `now`. series: [{title, kind, points, legend}]; `says`: what the legends tell
export function plot(title, series, { now, span, says, wide }, show_value) {
  const width = wide ? 1080 : 360, height = 110;
  const points = series.flatMap((one) => one.points);
  const top = round_up(Math.max(0, ...points.filter((p) => now - p.at <= span).map((p) => p.value)));
  const lines = series.map((one) => h("polyline", { class: one.kind, points: line_of(one.points, width, height, top, now, span).join(" ") }));
  return h("figure", { class: wide ? "chart wide" : "chart" },
    h("figcaption", {}, h("span", { class: "title" }, title),
      h("span", { class: "legend" }, series.map((one) => h("span", { class: "key " + one.kind }, one.legend)))),
    h("div", { class: "plot" },
      h("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", preserveAspectRatio: "none",
        "aria-label": `${title.includes("last") ? title : `${title} over the last ${duration(span)}`}. ${says}: ${series.map((one) => one.legend).join(", ")}` },
        [0.25, 0.5, 0.75].map((part) => h("line", { class: "grid", x1: 0, x2: width, y1: height * part, y2: height * part })),
        h("line", { class: "base", x1: 0, x2: width, y1: height - 1, y2: height - 1 }),
        lines),
      h("span", { class: "top" }, show_value(top))),
    h("div", { class: "ends", "aria-hidden": "true" }, h("span", {}, `${duration(span)} ago`), h("span", {}, "now")));
}

/// Where bars begin, in seconds: what is longer may be coarser. The last one is open.
const borders = [0, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 10800, 21600, 43200, 86400, 604800];

/// Parts of a histogram, [{from, to, count}], put together to bars. Redis counts by the second up to a minute, then by the
/// minute: drawn as they are, a second would look like a minute. `all`: how many jobs there are; what no part has is longer.
function bars_of(parts, all) {
  const bars = borders.map((from, i) => ({ from, to: borders[i + 1], count: 0 }));
  for (const part of parts) bars.findLast((bar) => bar.from <= part.from).count += part.count;
  bars.at(-1).count += Math.max(0, all - parts.reduce((sum, part) => sum + part.count, 0));
  const is_full = (bar) => bar.count > 0;
  return bars.slice(Math.max(0, bars.findIndex(is_full)), bars.findLastIndex(is_full) + 1);
}

/// Bars one below the other, from the first that is not empty to the last.
export function histogram(title, spread) {
  const bars = bars_of(spread?.histogram ?? [], spread?.count ?? 0);
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  const summary = spread?.count
    ? `${count(spread.count)} ${spread.count === 1 ? "job" : "jobs"}, mean ${duration(spread.mean_seconds)}, deviation ${duration(spread.deviation_seconds)}`
    : "No jobs on this day";
  return h("figure", { class: "histogram" },
    h("figcaption", {}, h("span", { class: "title" }, title), h("span", { class: "legend" }, summary)),
    bars.length > 0 && h("ol", {}, bars.map((bar) =>
      h("li", {},
        h("span", { class: "range" }, bar.to === undefined ? `${duration(bar.from)} or more` : `${duration(bar.from)} – ${duration(bar.to)}`),
        h("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
          h("rect", { x: 0, y: 0, height: 10, width: bar.count === 0 ? 0 : Math.max(0.8, (bar.count / most) * 100), rx: 1 })),
        h("span", { class: "amount" }, count(bar.count))))));
}
