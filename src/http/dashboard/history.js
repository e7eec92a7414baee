// What became of a queue's jobs in the last day, as Redis has it: it survives the page.
import { get, path, problem } from "./api.js";
import { plot } from "./charts.js";
import { compact, rate } from "./format.js";

const day = 86400, step = 600; // seconds; a day in ten minutes each
const read_again = 60000; // ms: Redis has minutes
const most = 50; // queues

const kept = new Map(); // by path: {at, history}

/// The history of a queue, read once a minute. `words` are its path.
export async function read_history(words) {
  const where = path([...words, "history"]);
  const last = kept.get(where);
  if (last && performance.now() - last.at < read_again) return last.history;
  const history = await get(where).catch((error) => {
    if (error instanceof problem && error.status === 500) return null; // the key holds something else; the queue is fine
    throw error;
  });
  kept.set(where, { at: performance.now(), history });
  if (kept.size > most) kept.delete(kept.keys().next().value);
  return history;
}

/// Points for a line: jobs per minute.
function points_of({ minutes, until }, name) {
  const now = Date.parse(until) / 1000;
  const points = Array.from({ length: day / step }, (_, i) => ({ at: now - i * step, value: 0 }));
  for (const minute of minutes) {
    const point = points[Math.floor((now - Date.parse(minute.minute) / 1000) / step)];
    if (point) point.value += minute[name] / (step / 60);
  }
  return points.reverse();
}

export function history_chart(history) {
  if (!history) return null;
  const total = (name) => history.minutes.reduce((sum, minute) => sum + minute[name], 0);
  const series = [["succeeded", "good"], ["retried", "warn"], ["failed", "bad"]].map(([title, kind]) =>
    ({ title, kind, points: points_of(history, title), legend: `${title} ${compact(total(title))}` }));
  return plot("Jobs per minute", series, { now: Date.parse(history.until) / 1000, span: day, says: "In all", wide: true }, rate);
}
