// SPDX-License-Identifier: MIT
#include "json/hold_submission.hpp"

#include "json/members.hpp"
#include "json/queue_words.hpp"

#include <string>

namespace coworker::detail {
namespace {

struct texts_of_hold
{
    std::string queue{}, limit{}, order_key{}, group{};
    std::optional<std::chrono::milliseconds> time{};
};

const member_readers<texts_of_hold>& hold_members()
{
    using item = texts_of_hold&;
    static const member_readers<texts_of_hold> readers{
        {"queue", [](item into, member_name name, json_text json) { into.queue = member_text(name, json); }},
        {"limit", [](item into, member_name name, json_text json) { into.limit = member_text(name, json); }},
        {"order_key",
         [](item into, member_name name, json_text json) { into.order_key = member_text(name, json); }},
        {"group", [](item into, member_name name, json_text json) { into.group = member_text(name, json); }},
        {"time", [](item into, member_name name, json_text json) { into.time = member_time(name, json); }},
    };
    return readers;
}

} // namespace

hold_target hold_of(std::string_view queue, std::string_view limit, std::string_view order_key,
                    std::string_view group)
{
    if (!queue.empty() + !limit.empty() + !order_key.empty() != 1)
        refuse_body("A hold is of exactly one of 'queue', 'limit' and 'order_key'.");
    if (!group.empty() && queue.empty())
        refuse_body("A 'group' is one of a 'queue', which is missing.");
    if (!limit.empty())
        return {.kind = hold_kind::limit, .name = limit};
    if (!order_key.empty())
        return {.kind = hold_kind::order_key, .name = order_key};
    const auto called = queue_called(queue);
    if (!called || !called->is_managed() || called->name().empty())
        refuse_body("Only managed queues can be held: the queue is managed:NAME.");
    if (group.empty())
        return {.kind = hold_kind::queue, .name = called->name()};
    return {.kind = hold_kind::group, .name = group, .queue = called->name()};
}

hold_submission read_hold_submission(const std::string& json)
{
    const auto given = read_object(json, "a hold", hold_members());
    return {hold_of(given.queue, given.limit, given.order_key, given.group), given.time};
}

} // namespace coworker::detail
