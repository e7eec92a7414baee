// SPDX-License-Identifier: MIT
#include "managed/event_buffer.hpp"

#include "managed/json_fields.hpp"

#include <boost/json/value.hpp>

#include <array>
#include <utility>

namespace coworker {

namespace {

using kind = managed_event_kind;

constexpr std::array<std::pair<std::string_view, kind>, 13> kind_names = {{
    {"put", kind::put},
    {"completed", kind::completed},
    {"advanced", kind::advanced},
    {"failed", kind::failed},
    {"lock_lost", kind::lock_lost},
    {"canceled", kind::canceled},
    {"popped", kind::popped},
    {"stalled", kind::stalled},
    {"track", kind::tracked},
    {"untrack", kind::untracked},
    {"config_set", kind::config_set},
    {"config_unset", kind::config_unset},
    {"missed", kind::missed},
}};

std::optional<kind> kind_called(std::string_view name) noexcept
{
    for (const auto& [each, meaning] : kind_names)
        if (each == name && meaning != kind::missed)
            return meaning;
    return std::nullopt;
}

} // namespace

std::string_view to_string(managed_event_kind which) noexcept
{
    if (which == kind::tracked)
        return "tracked";
    if (which == kind::untracked)
        return "untracked";
    for (const auto& [name, each] : kind_names)
        if (each == which)
            return name;
    return "unknown";
}

} // namespace coworker

namespace coworker::detail {
namespace {

std::optional<managed_event> read_log(std::string_view message)
{
    const auto value = parse_answer(message);
    const json_fields fields{value, "event"};
    const auto which = kind_called(fields.text("event"));
    if (!which)
        return std::nullopt;
    managed_event event;
    event.kind = *which;
    event.jid = fields.text("jid");
    event.queue = fields.text("queue");
    event.worker = fields.text("worker");
    event.group = fields.text("group");
    event.message = fields.text("message");
    event.to = fields.text("to");
    event.option = fields.text("option");
    event.value = fields.text("value");
    return event;
}

} // namespace

std::optional<managed_event> read_event(std::string_view channel, std::string_view message)
{
    if (channel == "log") {
        try {
            return read_log(message);
        } catch (const system_error&) { // anybody can publish anything
            return std::nullopt;
        }
    }
    const auto which = kind_called(channel);
    if (!which)
        return std::nullopt;
    managed_event event;
    event.kind = *which;
    event.of_tracked = true;
    event.jid = message;
    return event;
}

namespace {

std::size_t size_of(const managed_event& event)
{
    std::size_t bytes = 0;
    for (const auto* text : {&event.jid, &event.queue, &event.worker, &event.group, &event.message, &event.to,
                             &event.option, &event.value})
        bytes += text->size();
    return bytes;
}

} // namespace

bool event_buffer::ends_with_a_gap() const
{
    return !events_.empty() && events_.back().kind == managed_event_kind::missed;
}

void event_buffer::add(managed_event event)
{
    const auto bytes = size_of(event);
    if (events_.empty() || (events_.size() < capacity_ && bytes_ + bytes <= most_bytes)) {
        bytes_ += bytes;
        events_.push_back(std::move(event));
        return;
    }
    if (!ends_with_a_gap()) {
        events_.push_back({.kind = managed_event_kind::missed});
        gap_is_unknown_ = false;
    }
    if (!gap_is_unknown_)
        ++events_.back().count;
}

void event_buffer::note_gap()
{
    if (!ends_with_a_gap())
        events_.push_back({.kind = managed_event_kind::missed});
    events_.back().count = 0;
    gap_is_unknown_ = true;
}

std::optional<managed_event> event_buffer::take()
{
    if (events_.empty())
        return std::nullopt;
    std::optional<managed_event> event{std::move(events_.front())};
    events_.pop_front();
    bytes_ -= size_of(*event);
    return event;
}

} // namespace coworker::detail
