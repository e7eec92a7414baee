// SPDX-License-Identifier: MIT
// Requests to the gateway.

const token_key = "coworker-token";

export class problem extends Error {
  constructor(status, detail, retry) {
    super(detail);
    this.status = status; // 0: no answer at all
    this.retry = retry;
  }
}

// Paths are relative to the page, so that a proxy may serve it all below a path of its own.
const url_of = (path) => new URL("v1/" + path, document.baseURI);

/// What a browser remembers, or this page alone where it is not allowed to.
export function memory(storage) {
  const kept = new Map();
  const attempt = (use, otherwise) => {
    try {
      return use(storage());
    } catch {
      return otherwise();
    }
  };
  return {
    get: (key) => attempt((store) => store.getItem(key), () => kept.get(key) ?? null),
    set: (key, value) => attempt((store) => store.setItem(key, value), () => kept.set(key, value)),
    forget: (key) => attempt((store) => store.removeItem(key), () => kept.delete(key)),
  };
}

const session = memory(() => sessionStorage);
export const token = {
  get: () => session.get(token_key),
  set: (value) => session.set(token_key, value),
  forget: () => session.forget(token_key),
  is_possible: (value) => /^[!-~]+$/.test(value), // others cannot be sent
};

async function ask(path, options) {
  const headers = { Accept: "application/json", ...options.headers };
  if (token.get()) headers.Authorization = "Bearer " + token.get();
  let reply, text;
  try {
    reply = await fetch(url_of(path), {
      ...options, headers, cache: "no-store", credentials: "omit", redirect: "error",
    });
    text = await reply.text();
  } catch {
    throw new problem(0, "The gateway does not answer.");
  }
  let data = null;
  try {
    data = JSON.parse(text);
  } catch {
    if (reply.ok) throw new problem(reply.status, "The gateway's answer cannot be read.");
  }
  if (!reply.ok) throw new problem(reply.status, data?.detail ?? reply.statusText);
  if (data && typeof data === "object") Object.defineProperty(data, "size", { value: text.length });
  return data;
}

export const get = (path) => ask(path, { method: "GET", signal: AbortSignal.timeout(30000) });
// Without a time limit: to retry a million jobs takes as long as it takes.
export const post = (path, body) =>
  ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body === undefined ? {} : body) });

/// What the token may do, asked once for each token.
let rights = null;
export async function may_act() {
  rights ??= await get("access");
  return rights.may_act;
}
export const forget_rights = () => (rights = null);

/// A path of names, each escaped, and a query.
export function path(parts, query = {}) {
  const words = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const tail = words.map(([name, value]) => encodeURIComponent(name) + "=" + encodeURIComponent(value)).join("&");
  return parts.map((part) => encodeURIComponent(part)).join("/") + (tail ? "?" + tail : "");
}

/// A part of the page that this gateway may not have: null if it is not there.
export async function get_if_there(path) {
  try {
    return await get(path);
  } catch (error) {
    if (error instanceof problem && error.status === 404) return null;
    throw error;
  }
}
