// SPDX-License-Identifier: MIT
#include "json/effect_submission.hpp"

#include "text/json_spans.hpp"
#include "json/error_sentence.hpp"
#include "json/members.hpp"
#include "json/queue_words.hpp"

namespace coworker::detail {
namespace {

/// The members of an effect; empty are those that are not there.
struct effect_members
{
    std::string_view command, job;
    std::string queue;
};

const member_readers<effect_members>& readers_of_effect()
{
    using into = effect_members&;
    static const member_readers<effect_members> readers{
        {"command", [](into all, member_name, std::string_view json) { all.command = json; }},
        {"job", [](into all, member_name, std::string_view json) { all.job = json; }},
        {"queue",
         [](into all, member_name name, std::string_view json) { all.queue = member_text(name, json); }},
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
        refuse_body("a job of a list queue can push to list queues only, not to managed:" + queue);
    check_is_served(queue, rules.types);
    return {queue, read_managed_submission(job)};
}

effect_submission read_effect(std::string_view json, const effect_rules& rules)
{
    if (json.front() != '{')
        refuse_body("an effect is an object");
    effect_members found;
    read_members(json, "an effect", readers_of_effect(), found);
    if (found.command.empty() == found.job.empty() || found.job.empty() != found.queue.empty())
        refuse_body("it has either 'command', or 'queue' and 'job'");
    if (!found.command.empty()) {
        auto words = read_command(found.command);
        if (rules.check_command)
            rules.check_command(words);
        return words;
    }
    const auto queue = queue_called(found.queue);
    if (!queue || !is_queue_name(queue->name()))
        refuse_body("the queue's name is not valid: it has 1 to 512 bytes of UTF-8");
    if (queue->is_managed())
        return read_managed_child(queue->name(), found.job, rules);
    return read_list_child(queue->name(), found.job, rules);
}

} // namespace

refusal refuse_effect(std::size_t place, unsigned status, const std::string& why)
{
    auto text = "The member 'effects' cannot be used, number " + std::to_string(place + 1) + ". " +
                begin_sentence(why);
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
