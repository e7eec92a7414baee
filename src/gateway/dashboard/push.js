// SPDX-License-Identifier: MIT
// Pushing a job by hand.
import { field, form_box, options_area, options_of, parsed, text_area, value_of } from "./parts.js";

function read(form) {
  const value = (name) => value_of(form, name);
  const options = options_of(form);
  if (value("delay")) options.delay = value("delay");
  if (value("priority")) options.priority = Number(value("priority"));
  if (value("tags")) options.tags = value("tags").split(",").map((tag) => tag.trim()).filter(Boolean);
  if (value("kind")) options.kind = value("kind");
  return { ...options, payload: parsed(value("payload") || "{}") };
}

/// What came of a push. Queues of lists push a job again whose id nobody remembers.
function told({ id, result = "pushed" }) {
  if (result === "pushed") return `Job ${id ?? ""} pushed.`;
  return result === "replaced" ? `The job ${id} has the unique key, and was changed.` : `Nothing was pushed: the job ${id} is there already.`;
}

/// A form that can be opened below a queue.
export function push_form(page, where, is_managed = false) {
  const send = async (post, form) => {
    const reply = await post(where, read(form));
    form.elements.payload.value = "";
    return told(reply);
  };
  return form_box(page, { key: "push-" + where, action: "push", title: "Push a job", verb: "Push" }, send,
    is_managed && field("kind", "Kind", { required: true }), text_area("payload", "Payload, JSON", { placeholder: "{}" }),
    field("delay", "Delay, such as 5m"),
    is_managed && field("priority", "Priority", { type: "number", step: "any" }),
    is_managed && field("tags", "Tags, with commas"),
    options_area(is_managed ? '{"unique": {"key": "daily"}, "limits": ["api"], "retries": 3}' : '{"id": "mail-17"}'));
}
