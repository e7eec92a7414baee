// SPDX-License-Identifier: MIT
// The page: which view is shown, looking again and again, and what is the same for all views.
import { forget_rights, may_act, memory, post, problem, token } from "./dashboard/api.js";
import { show, h } from "./dashboard/dom.js";
import { ask } from "./dashboard/ask.js";
import { find_view } from "./dashboard/views.js";
import { find_place } from "./dashboard/jump.js";
import { visible } from "./dashboard/format.js";
import { is_search } from "./dashboard/search.js";

// Between two looks, in ms: /?interval=10 says ten seconds.
const asked = Number(new URLSearchParams(location.search).get("interval"));
const interval = asked > 0 ? Math.min(60000, Math.max(200, asked * 1000)) : 2000;
const longest_pause = 30000; // while the gateway or Redis is away
const large = 512 * 1024; // a page of this size is not read again and again, nor one that is searched for

const at = (id) => document.getElementById(id);
let current = null; // {view, args, query, selection, data, is_large}
let timer = 0;
let turn = 0; // of looks; an answer to an older one is of no use any more
let failures = 0;

// --- looking ------------------------------------------------------------------

function plan(pause) {
  clearTimeout(timer);
  if (document.hidden || at("token").open) return;
  timer = setTimeout(look, pause);
}

async function look() {
  clearTimeout(timer);
  const mine = ++turn;
  const place = current;
  const begin = performance.now();
  try {
    const [data, acts] = await Promise.all([place.view.load(place), may_act()]);
    if (mine !== turn) return;
    document.documentElement.dataset.rights = acts ? "act" : "look"; // the style hides what can be done
    at("read-only").hidden = acts;
    place.data = data;
    place.is_large = (data.size ?? 0) > large || is_search(place);
    failures = 0;
    at("banner").hidden = true;
    set_state(place.is_large ? "waiting" : "live", place.is_large ? "Not updated by itself" : "Live");
    draw();
    // A slow page is not asked for all the time.
    if (!place.is_large) plan(Math.max(interval, 10 * (performance.now() - begin)));
  } catch (error) {
    if (mine === turn) went_wrong(error);
  }
}

function went_wrong(error) {
  if (error instanceof problem && error.status === 401) return ask_for_token(error);
  if (!(error instanceof problem)) console.error(error);
  const is_known = error instanceof problem && error.status >= 400 && error.status < 500;
  if (is_known) {
    at("banner").hidden = true;
    set_state("waiting", "Stopped");
    show(at("main"), h("section", { class: "empty" }, h("h1", {}, error.status === 404 ? "Not there" : "Refused"),
      h("p", {}, error.message), h("p", {}, h("a", { href: "#/" }, "All queues"))));
    plan(5 * interval);
    return;
  }
  const pause = Math.min(Math.max(longest_pause, interval), interval * 2 ** failures++);
  const text = error instanceof problem
    ? error.status === 503 ? "Redis is away, or does not answer the gateway." : error.message
    : "This page has met an error of its own.";
  const old = current.data ? " What is shown below is old." : "";
  show_banner(`${text} Trying again in ${Math.max(1, Math.round(pause / 1000))} s.${old}`);
  set_state("away", "No connection");
  plan(pause);
}

function show_banner(text) {
  at("banner").hidden = false;
  if (at("banner-text").textContent !== text) at("banner-text").textContent = text;
}

function set_state(name, text) {
  at("state").dataset.state = name;
  at("state").textContent = text;
}

// --- drawing ------------------------------------------------------------------

// When a row goes, the focus passes to the same button of the next one.
const of_kind = (kind) => (kind ? [...document.querySelectorAll(`[data-action="${kind}"]`)] : []);
function place_of_focus() {
  const kind = document.activeElement?.dataset?.action;
  return [kind, of_kind(kind).indexOf(document.activeElement)];
}

const page = {
  /// Does something to the queues, and says what came of it.
  async act(what, question) {
    if (question && !(await ask(question))) return;
    const [kind, place] = place_of_focus();
    say("Working …");
    try {
      say(await what(post));
      current.selection.clear();
    } catch (error) {
      if (error instanceof problem && error.status === 401) return ask_for_token(error);
      say(error.message, true);
    }
    await look();
    if (document.activeElement === document.body) (of_kind(kind)[place] ?? of_kind(kind).at(-1) ?? at("main")).focus();
  },
  select(key, is_selected) {
    if (is_selected) current.selection.add(key);
    else current.selection.delete(key);
    draw();
  },
  draw: () => draw(),
  refresh: () => look(),
};

function draw() {
  if (!current.data) return;
  show(at("main"), current.view.render(current, page));
  at("main").removeAttribute("aria-busy");
}

let forgetting = 0;
function say(text, is_bad = false) {
  const result = at("result");
  result.textContent = visible(text);
  result.classList.toggle("bad", is_bad);
  result.classList.add("shown");
  clearTimeout(forgetting);
  forgetting = setTimeout(() => result.classList.remove("shown"), 8000);
}

// --- going from view to view ----------------------------------------------------

function go() {
  current = { ...find_view(location.hash), selection: new Set(), data: null };
  document.title = visible(current.view.title(current)) + " · coworker";
  for (const link of document.querySelectorAll("nav a"))
    if (link.dataset.view === current.view.group) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  at("main").setAttribute("aria-busy", "true");
  failures = 0;
  look();
}

addEventListener("hashchange", () => {
  go();
  at("main").focus({ preventScroll: true });
  scrollTo(0, 0);
});
document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : look()));
document.querySelector(".skip").onclick = (event) => {
  event.preventDefault(); // the address says which view is shown
  at("main").focus();
};
at("banner-retry").onclick = look;

// In a narrow window, what is seldom needed stands below the bar when it is asked for.
at("more").onclick = () => {
  const is_open = document.querySelector(".bar").classList.toggle("open");
  at("more").setAttribute("aria-expanded", String(is_open));
  if (is_open) at("find").focus();
};

at("jump").onsubmit = async (event) => {
  event.preventDefault();
  const name = at("find").value.trim();
  if (!name) return;
  const place = await find_place(name);
  at("find").value = "";
  document.querySelector(".bar").classList.remove("open");
  at("more").setAttribute("aria-expanded", "false");
  if (location.hash === place) look();
  else location.hash = place;
};

// --- the token ------------------------------------------------------------------

function ask_for_token() {
  clearTimeout(timer);
  at("token-wrong").hidden = !token.get();
  token.forget();
  forget_rights();
  at("sign-out").hidden = true;
  set_state("waiting", "Token needed");
  if (!at("token").open) at("token").showModal();
  at("token-input").focus();
}

at("token-form").onsubmit = (event) => {
  event.preventDefault();
  const given = at("token-input").value.trim();
  at("token-input").value = "";
  if (!token.is_possible(given)) {
    at("token-wrong").hidden = false;
    return;
  }
  token.set(given);
  at("token").close();
  at("sign-out").hidden = false;
  look();
};
at("token").addEventListener("cancel", (event) => event.preventDefault()); // there is nothing to see without
at("sign-out").onclick = () => {
  token.forget();
  location.reload();
};
at("sign-out").hidden = !token.get();

// --- colours --------------------------------------------------------------------

function set_theme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}
const settings = memory(() => localStorage);
at("theme").value = settings.get("coworker-theme") ?? "auto";
set_theme(at("theme").value);
at("theme").onchange = () => {
  settings.set("coworker-theme", at("theme").value);
  set_theme(at("theme").value);
};

go();
