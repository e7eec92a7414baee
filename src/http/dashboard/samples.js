// What was seen of the queues in the last minutes.

const keep = 300; // seconds
const most = 600; // looks
const reach = 5; // looks that a rate is taken over

const seen = new Map(); // by kind and name: [{at, values, totals}]

/// Remembers a look. `values` are levels, `totals` are counters.
export function note(key, values, totals = {}) {
  let looks = seen.get(key);
  if (!looks) seen.set(key, (looks = []));
  const at = performance.now() / 1000;
  // Counters that began anew would draw nonsense.
  const last = looks.at(-1);
  if (last && Object.keys(totals).some((name) => totals[name] < last.totals[name])) looks.length = 0;
  if (last && at - last.at < 0.1) looks.pop();
  looks.push({ at, values, totals });
  while (looks.length > most || at - looks[0].at > keep) looks.shift();
  if (seen.size > 500) seen.delete(seen.keys().next().value);
}

export const looks = (key) => seen.get(key) ?? [];

/// null: one of the looks did not see this counter.
function rate_between(from, to, name) {
  const passed = to.at - from.at, done = to.totals[name] - from.totals[name];
  return passed > 0 && !Number.isNaN(done) ? done / passed : null;
}

/// Per second, over the last looks; null until there are two.
export function rate(key, name) {
  const all = looks(key);
  return all.length < 2 ? null : rate_between(all[Math.max(0, all.length - 1 - reach)], all.at(-1), name);
}

/// Points for a chart: [{at, value}].
export const levels = (key, name) => looks(key).map(({ at, values }) => ({ at, value: values[name] ?? 0 }));
export const rates = (key, name) =>
  looks(key).slice(1).map((look, i) => ({ at: look.at, value: rate_between(looks(key)[i], look, name) }))
    .filter(({ value }) => value !== null);
