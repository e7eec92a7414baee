// Pushing a job by hand.
import { h } from "./dom.js";

/// The JSON that was typed, or an error that says what is wrong with it.
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error("The data is not JSON: " + error.message);
  }
}

function read(form, make) {
  const value = (name) => form.elements[name]?.value.trim() ?? "";
  const options = {};
  if (value("delay")) options.delay = value("delay");
  if (value("priority")) options.priority = Number(value("priority"));
  if (value("tags")) options.tags = value("tags").split(",").map((tag) => tag.trim()).filter(Boolean);
  return make({ klass: value("klass"), data: parsed(value("data") || "{}"), options });
}

/// A form that can be opened below a queue. `make` makes the body of what was typed: {klass, data, options}
export function push_form(page, where, make, is_managed = false) {
  const field = (name, title, more = {}) =>
    h("label", {}, h("span", {}, title), h("input", { type: "text", name, autocomplete: "off", spellcheck: "false", ...more }));
  const send = (event) => {
    event.preventDefault();
    const form = event.target;
    page.act(async (post) => {
      const reply = await post(where, read(form, make));
      form.elements.data.value = "";
      return `Job ${reply.id ?? ""} pushed.`;
    });
  };
  return h("details", { class: "push box", "data-key": "push-" + where, "data-action": "push" }, h("summary", {}, "Push a job"),
    h("form", { onsubmit: send },
      is_managed && field("klass", "Kind (klass)", { required: true }),
      h("label", { class: "wide" }, h("span", {}, "Data, JSON"), h("textarea", { name: "data", rows: 4, spellcheck: "false", placeholder: "{}" })),
      field("delay", "Delay, such as 5m"),
      is_managed && field("priority", "Priority", { type: "number", step: "any" }),
      is_managed && field("tags", "Tags, with commas"),
      h("span", { class: "actions" }, h("button", { type: "submit", class: "primary" }, "Push"))));
}
