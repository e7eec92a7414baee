// SPDX-License-Identifier: MIT
// From a name to its view.
import { get_if_there, path } from "./api.js";
import { is_seen } from "./samples.js";

const place = (...words) => "#/" + words.map(encodeURIComponent).join("/");

/// The address of a queue or a job. A name that stands for several things means a queue that was seen here, then a job of
/// a managed queue, then such a queue, then a list queue, whose page says if there is none.
export async function find_place(name) {
  if (name.startsWith("managed:")) return place("managed", name.slice(8));
  if (is_seen("list:" + name)) return place("queue", name);
  if (is_seen("managed:" + name)) return place("managed", name);
  const there = async (words) => (await get_if_there(path(words)).catch(() => null)) !== null;
  if (await there(["jobs", name])) return place("job", name);
  if (await there(["queues", "managed:" + name])) return place("managed", name);
  return place("queue", name);
}
