// SPDX-License-Identifier: MIT
// What became of a queue's jobs, as Redis has it: it survives the page.
import { get, path, problem } from "./api.js";
import { plot, sparkline } from "./charts.js";
import { compact, duration, rate } from "./format.js";

const hour = 3600, day = 86400; // seconds
const read_again = 60000; // ms: Redis has minutes
const most = 100; // queues

const kept = new Map(); // by path: {at, history}

/// The history of a queue, read once a minute. `words` are its path.
export async function read_history(words, minutes = 1440) {
  const where = path([...words, "history"], { minutes });
  const last = kept.get(where);
  if (last && performance.now() - last.at < read_again) return last.history;
  const history = await get(where).catch((error) => {
    // The key holds something else, and the queue is fine; or the queue has gone, which whoever shows it is told.
    if (error instanceof problem && (error.status === 500 || error.status === 404)) return null;
    throw error;
  });
  kept.delete(where);
  kept.set(where, { at: performance.now(), history });
  if (kept.size > most) kept.delete(kept.keys().next().value);
  return history;
}

/// Points for a line: jobs per minute, on average over `step` seconds.
function points_of({ minutes, until }, name, span, step) {
  const now = Date.parse(until) / 1000;
  const points = Array.from({ length: span / step }, (_, i) => ({ at: now - i * step, value: 0 }));
  for (const minute of minutes) {
    const point = points[Math.floor((now - Date.parse(minute.minute) / 1000) / step)];
    if (point) point.value += minute[name] / (step / 60);
  }
  return points.reverse();
}

function chart_of(history, span, step, wide) {
  const begin = Date.parse(history.until) - span * 1000;
  const total = (name) =>
    history.minutes.reduce((sum, minute) => sum + (Date.parse(minute.minute) >= begin ? minute[name] : 0), 0);
  const series = [["succeeded", "good"], ["retried", "warn"], ["failed", "bad"]].map(([title, kind]) =>
    ({ title, kind, points: points_of(history, title, span, step), legend: `${title} ${compact(total(title))}` }));
  return plot(span === day ? "Jobs per minute, last day" : "Jobs per minute, last hour", series, { now: Date.parse(history.until) / 1000, span, says: "In all", wide }, rate);
}

export const hour_chart = (history, wide = false) => history && chart_of(history, hour, 60, wide);
export const history_chart = (history) => history && chart_of(history, day, 600, true);

/// A line for a table: what succeeded in the last hour.
export function hour_spark(history, label) {
  // Without the present minute, of which not all is known.
  const points = history ? points_of(history, "succeeded", hour, 60).slice(0, -1) : [];
  return sparkline(points, label, hour);
}
