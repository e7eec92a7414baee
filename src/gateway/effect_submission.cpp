// SPDX-License-Identifier: MIT
#include "gateway/effect_submission.hpp"

#include "gateway/members.hpp"
#include "text/json_spans.hpp"

#include <algorithm>

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
         [](into all, member_name name, std::string_view json) { all.list_queue = read_text(name, json); }},
        {"managed_queue", [](into all, member_name name,
                             std::string_view json) { all.managed_queue = read_text(name, json); }},
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

bool belongs_to_queues(std::string_view key, const effect_rules& rules)
{
    return key.starts_with(rules.managed_prefix) || key.starts_with("hworker-");
}

/// Which of the permitted commands has several keys, `job_effects` knows; here it is enough that these two do.
bool names_keys_only(std::string_view command)
{
    return command == "DEL" || command == "UNLINK";
}

void check_keys(const text_list& words, const effect_rules& rules)
{
    if (rules.keys.empty())
        throw refusal{403,
                      "this gateway carries out no Redis commands; whoever runs it has to say which keys "
                      "these may write to ('--effect-keys'). Jobs are carried out"};
    const auto count = names_keys_only(words[0]) ? words.size() : std::size_t{2};
    for (std::size_t i = 1; i != count; ++i) {
        const auto& key = words[i];
        const auto covers = [&](const std::string& beginning) { return key.starts_with(beginning); };
        if (std::none_of(rules.keys.begin(), rules.keys.end(), covers) || belongs_to_queues(key, rules))
            throw refusal{403, "'" + key.substr(0, 64) +
                                   "' is none of the keys to which commands may write through this gateway"};
    }
}

submission read_list_child(const std::string& queue, std::string_view job, const effect_rules& rules)
{
    check_is_served(queue, rules.types);
    return read_submission(job, {.types = rules.types, .queue = queue});
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
        check_keys(words, rules);
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
            throw refuse_effect(all.size(), refused.what.status, refused.detail);
        }
    }
    return all;
}

} // namespace coworker::detail
