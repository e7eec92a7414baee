// SPDX-License-Identifier: MIT
// Asks before something is done that cannot be undone.

import { visible } from "./format.js";

/// question: {title, text, yes, is_safe}: safe is what can be undone. Resolves to true if it may be done.
export function ask({ title, text, yes, is_safe = false }) {
  const dialog = document.getElementById("ask");
  const of = (name) => document.getElementById("ask-" + name);
  of("title").textContent = visible(title);
  of("text").textContent = visible(text ?? "");
  of("yes").textContent = yes;
  of("yes").className = is_safe ? "primary" : "danger";
  return new Promise((resolve) => {
    const finish = (answer) => () => {
      dialog.onclose = null;
      if (dialog.open) dialog.close();
      resolve(answer);
    };
    of("yes").onclick = finish(true);
    of("no").onclick = finish(false);
    dialog.onclose = finish(false); // Escape
    dialog.showModal();
    of("no").focus();
  });
}
