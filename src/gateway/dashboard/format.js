// SPDX-License-Identifier: MIT
// Numbers, times and payloads for people.

const whole = new Intl.NumberFormat("en-US");
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

export const count = (value) => (value === null || value === undefined ? "–" : whole.format(value));
export const compact = (value) => (value < 10000 ? count(value) : short.format(value));

/// "1,200", "12.4" or "0.05".
export function rate(value) {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "0";
  return value >= 100 ? whole.format(Math.round(value)) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/// "640 B", "1.5 GiB".
export function bytes(value) {
  if (value === null || value === undefined) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, value)) / 10)));
  return (unit === 0 ? count(value) : (value / 1024 ** unit).toFixed(1)) + " " + units[unit];
}

/// "350 ms", "12 s", "3 min", "5 h" or "2 d".
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds <= 0) return "0 s";
  const steps = [[1e-3, "µs", 1e6], [1, "ms", 1e3], [120, "s", 1], [7200, "min", 1 / 60], [172800, "h", 1 / 3600]];
  for (const [below, unit, factor] of steps)
    if (seconds < below) {
      const value = seconds * factor;
      return (value < 10 && unit !== "µs" ? Number(value.toFixed(1)) : Math.round(value)) + " " + unit;
    }
  return Math.round(seconds / 86400) + " d";
}

/// How long ago, or in how long. `text` is RFC 3339.
export function ago(text) {
  const time = Date.parse(text ?? "");
  if (Number.isNaN(time)) return "unknown";
  const seconds = (Date.now() - time) / 1000;
  if (Math.abs(seconds) < 1) return "now";
  return seconds >= 0 ? duration(seconds) + " ago" : "in " + duration(-seconds);
}

/// How long it has been, "5 h".
export const span_since = (text) => duration(Math.max(0, (Date.now() - Date.parse(text)) / 1000));

export function clock(text) {
  const time = new Date(text ?? "");
  return Number.isNaN(time.getTime()) ? "unknown" : time.toLocaleString();
}

/// A payload on one line. Control characters, and those that turn the direction of text, become visible.
export function visible(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

/// A name as it can be told from others: blanks at its ends become visible as well.
export const name_text = (name) =>
  visible(name).replace(/^\s+|\s+$/g, (blanks) => [...blanks].map((c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")).join(""));

export function preview(value, length = 80) {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  const start = text.slice(0, length * 2).replace(/\s+/g, " ");
  return visible(start.slice(0, length)) + (start.length > length || text.length > length * 2 ? "…" : "");
}

/// All of it, up to what a browser shows without effort.
export function whole_text(value, limit = 20000) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "";
  const rest = text.length - limit;
  return visible(text.slice(0, limit)) + (rest > 0 ? `\n… and ${count(rest)} characters more` : "");
}
