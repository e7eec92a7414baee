// SPDX-License-Identifier: MIT
// What was seen of the queues in the last minutes.

const keep = 300; // seconds
const most = 600; // looks

const seen = new Map(); // by kind and name: [{at, values}]

/// Remembers a look. A value that is not known is null.
export function note(key, values) {
  let looks = seen.get(key);
  if (!looks) seen.set(key, (looks = []));
  const at = performance.now() / 1000;
  const last = looks.at(-1);
  if (last && at - last.at < 0.1) looks.pop();
  looks.push({ at, values });
  while (looks.length > most || at - looks[0].at > keep) looks.shift();
  if (seen.size > 500) seen.delete(seen.keys().next().value);
}

/// Whether there was such a queue.
export const is_seen = (key) => seen.has(key);

/// Points for a chart: [{at, value}].
export const levels = (key, name) =>
  (seen.get(key) ?? []).map(({ at, values }) => ({ at, value: values[name] ?? null })).filter(({ value }) => value !== null);
