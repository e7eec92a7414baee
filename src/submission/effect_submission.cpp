// SPDX-License-Identifier: MIT
#include "submission/effect_submission.hpp"

#include "submission/members.hpp"
#include "text/json_spans.hpp"

namespace coworker::detail {
namespace {

/// The members of an effect; empty are those that are not there.
struct effect_members
{
    std::string_view command, job;
    std::string list_queue, managed_queue;
};

const member_readers<effect_members>& readers_of_effect()
{
    using into = effect_members&;
    using member_name = const std::string&;
    static const member_readers<effect_members> readers{
        {"command", [](into all, member_name, std::string_view json) { all.command = json; }},
        {"job", [](into all, member_name, std::string_view json) { all.job = json; }},
        {"list_queue",
         [](into all, member_name name, std::string_view json) { all.list_queue = member_text(name, json); }},
        {"managed_queue", [](into all, member_name name,
                             std::string_view json) { all.managed_queue = member_text(name, json); }},
    };
    return readers;
}

text_list read_command(std::string_view json)
{
    constexpr auto wanted = R"(an array of two strings or more, such as ["INCR", "orders"])";
    if (json.front() != '[')
        refuse_member("command", wanted);
    auto words = text_list::none();
    for (const auto word : elements_of(json)) {
        if (word.front() != '"')
            refuse_member("command", wanted);
        words.push_back(string_of(word)); // may be empty: a value
    }
    if (words.size() < 2)
        refuse_member("command", wanted);
    return words;
}

list_submission read_list_child(const std::string& queue, std::string_view job, const effect_rules& rules)
{
    check_is_served(queue, rules.types);
    return read_list_submission(job, {.types = rules.types, .queue = queue});
}

managed_child read_managed_child(const std::string& queue, std::string_view job, const effect_rules& rules)
{
    if (rules.kind != queue_kind::managed)
        refuse_body("A job of a list queue can push to list queues only: 'managed_queue' is not possible");
    check_is_served(queue, rules.types);
    return {queue, read_managed_submission(job)};
}

effect_submission read_effect(std::string_view json, const effect_rules& rules)
{
    if (json.front() != '{')
        refuse_body("an effect is an object");
    effect_members found;
    read_members(json, "an effect", readers_of_effect(), found);
    const auto kinds = !found.command.empty() + !found.list_queue.empty() + !found.managed_queue.empty();
    if (kinds != 1 || found.command.empty() == found.job.empty())
        refuse_body("it has either 'command', or 'job' with one of 'list_queue' and 'managed_queue'");
    if (!found.command.empty()) {
        auto words = read_command(found.command);
        if (rules.check_command)
            rules.check_command(words);
        return words;
    }
    const auto& queue = found.list_queue.empty() ? found.managed_queue : found.list_queue;
    if (!is_queue_name(queue))
        refuse_body("the queue's name is not valid: it has 1 to 512 bytes of UTF-8");
    if (!found.list_queue.empty())
        return read_list_child(queue, found.job, rules);
    return read_managed_child(queue, found.job, rules);
}

} // namespace

refusal refuse_effect(std::size_t place, unsigned status, const std::string& why)
{
    auto text = "The member 'effects' cannot be used, number " + std::to_string(place + 1) + ": " + why;
    if (text.back() != '.')
        text += '.';
    return refusal{status, text + " Nothing was acknowledged."};
}

std::vector<effect_submission> read_effects(std::string_view json, const effect_rules& rules)
{
    if (json.front() != '[')
        refuse_member("effects", "an array of effects");
    std::vector<effect_submission> all;
    for (const auto element : elements_of(json)) {
        try {
            all.push_back(read_effect(element, rules));
        } catch (const refusal& refused) {
            throw refuse_effect(all.size(), refused.status, refused.detail);
        }
    }
    return all;
}

} // namespace coworker::detail
