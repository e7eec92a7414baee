// SPDX-License-Identifier: MIT
#include "gateway/remote_text.hpp"

#include "gateway/base64url.hpp"
#include "submission/list_submission.hpp"
#include "text/json_spans.hpp"
#include "text/numbers.hpp"

#include <charconv>
#include <map>
#include <set>

namespace coworker::detail {
namespace {

using member_map = std::map<std::string, std::string_view>;

/// The members of an object, each there once and with a name that is known.
member_map read_object(std::string_view json, const std::set<std::string>& known)
{
    if (json.front() != '{')
        throw refusal{400,
                      "The body is not a JSON object, or an array of objects where several jobs are meant."};
    member_map members;
    for (const auto& each : members_of(json)) {
        if (!known.contains(each.name))
            throw refusal{400, "The member '" + each.name.substr(0, 64) + "' is not known here."};
        if (!members.emplace(each.name, each.value).second)
            throw refusal{400, "The member '" + each.name + "' is there twice; remove one."};
    }
    return members;
}

std::string text_of(const member_map& members, const std::string& name)
{
    const auto found = members.find(name);
    if (found == members.end())
        return {};
    if (found->second.front() != '"')
        throw refusal{400, "The member '" + name + "' is not a string."};
    return string_of(found->second);
}

std::optional<std::chrono::milliseconds> time_of(const member_map& members, const std::string& name)
{
    const auto found = members.find(name);
    if (found == members.end())
        return std::nullopt;
    const auto json = found->second;
    const auto time = parse_delay(json.front() == '"' ? string_of(json) : std::string{json});
    if (!time)
        throw refusal{400, "The member '" + name +
                               R"(' is not a number of seconds or a text such as "90s", "5m" or "2h".)"};
    return *time;
}

std::string token_of(const member_map& members)
{
    const auto text = text_of(members, "token");
    auto token = from_base64url(text);
    if (text.empty() || !token)
        throw refusal{400, "The member 'token' is missing, or is not what came with the job."};
    return std::move(*token);
}

/// Reads one item, or an array of them.
template<class Item, class Read>
for_each_job<Item> read_each(std::string_view body, std::size_t most, Read read)
{
    check_body(body);
    const auto json = trimmed(body);
    for_each_job<Item> result;
    result.is_array = json.front() == '[';
    if (!result.is_array) {
        result.items.emplace_back(read(json));
        return result;
    }
    const auto elements = elements_of(json);
    check_number_of_jobs(elements.size(), most);
    for (const auto element : elements) {
        try {
            result.items.emplace_back(read(element));
        } catch (const refusal& refused) {
            result.items.emplace_back(refused);
        }
    }
    return result;
}

outcome::kind kind_of(const std::string& word, queue_kind kind)
{
    static const std::map<std::string, outcome::kind> words{{"success", outcome::kind::success},
                                                            {"retry", outcome::kind::retry},
                                                            {"failure", outcome::kind::failure},
                                                            {"release", outcome::kind::release},
                                                            {"forward", outcome::kind::forward}};
    const auto found = words.find(word);
    if (found != words.end() && (found->second != outcome::kind::forward || kind == queue_kind::managed))
        return found->second;
    throw refusal{400, kind == queue_kind::managed
                           ? "The member 'outcome' is not success, retry, failure, release or forward."
                           : "The member 'outcome' is not success, retry, failure or release."};
}

/// Members that a kind of outcome has beside 'token' and 'outcome'.
std::set<std::string> members_of_outcome(outcome::kind what, queue_kind kind)
{
    const bool managed = kind == queue_kind::managed;
    std::set<std::string> names{"token", "outcome"};
    if (what == outcome::kind::success || what == outcome::kind::forward)
        names.insert("effects");
    if (what == outcome::kind::retry || what == outcome::kind::failure) {
        names.insert("message");
        if (managed)
            names.insert("group");
    }
    if (what == outcome::kind::retry || what == outcome::kind::forward)
        names.insert("delay");
    if (what == outcome::kind::forward)
        names.insert("queue");
    if (managed && (what == outcome::kind::success || what == outcome::kind::forward))
        names.insert("data");
    if (what == outcome::kind::success)
        names.insert("result"); // list queues keep none, whoever returns it
    return names;
}

told_end read_ended_job(std::string_view json, const effect_rules& rules)
{
    static const std::set<std::string> all{"token", "outcome", "message", "delay",  "group",
                                           "queue", "data",    "result",  "effects"};
    const auto members = read_object(json, all);
    const auto token = token_of(members);
    const auto what = kind_of(text_of(members, "outcome"), rules.kind);
    const auto known = members_of_outcome(what, rules.kind);
    for (const auto& [name, _] : members)
        if (!known.contains(name))
            throw refusal{400,
                          "The member '" + name + "' does not go with this outcome and this kind of queue."};
    const auto delay = time_of(members, "delay");
    outcome::managed_part more;
    more.group = text_of(members, "group");
    more.next = text_of(members, "queue");
    if (what == outcome::kind::forward && more.next.empty())
        throw refusal{400, "The member 'queue' is missing; it says where the job goes on."};
    if (what == outcome::kind::forward)
        check_is_served(more.next, rules.types);
    more.how.delay = delay.value_or(std::chrono::milliseconds{0});
    if (const auto data = members.find("data"); data != members.end()) {
        if (is_json_false(data->second))
            throw refusal{400, "The member 'data' is false, with which no qless client can complete a job."};
        more.how.data = raw_json{std::string{data->second}};
    }
    if (const auto value = members.find("result");
        value != members.end() && rules.kind == queue_kind::managed)
        more.value = raw_json{std::string{value->second}};
    told_end end{{token, outcome{what, text_of(members, "message"), delay, std::move(more)}}};
    if (const auto effects = members.find("effects"); effects != members.end())
        end.effects = read_effects(effects->second, rules);
    return end;
}

told_progress read_told(std::string_view json)
{
    const auto members = read_object(json, {"token", "progress", "message"});
    told_progress told;
    told.token = token_of(members);
    const auto progress = members.find("progress");
    const auto text = progress == members.end() ? std::string_view{} : progress->second;
    const auto fraction = to_number<double>(text);
    if (!fraction || !(*fraction >= 0 && *fraction <= 1))
        throw refusal{400, "The member 'progress' is missing, or is not a number from 0 to 1."};
    told.fraction = *fraction;
    told.message = text_of(members, "message");
    return told;
}

saved_checkpoint read_checkpoint(std::string_view json)
{
    const auto members = read_object(json, {"token", "checkpoint"});
    saved_checkpoint saved;
    saved.token = token_of(members);
    const auto checkpoint = members.find("checkpoint");
    if (checkpoint == members.end() || checkpoint->second == "null")
        throw refusal{400, "The member 'checkpoint' is missing, or null; any other JSON value is possible."};
    saved.checkpoint = checkpoint->second;
    return saved;
}

} // namespace

take_options read_take(std::string_view body, queue_kind kind)
{
    check_body(body);
    std::set<std::string> known{"worker", "count", "wait"};
    if (kind == queue_kind::managed)
        known.insert("checkpoints");
    const auto members = read_object(trimmed(body), known);
    take_options options;
    if (members.contains("worker"))
        options.worker = text_of(members, "worker");
    if (const auto count = members.find("count"); count != members.end()) {
        const auto text = count->second;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), options.count);
        if (error != std::errc{} || end != text.data() + text.size() || options.count == 0 ||
            options.count > 128)
            throw refusal{400, "The member 'count' is not a whole number from 1 to 128."};
    }
    options.wait = time_of(members, "wait").value_or(std::chrono::milliseconds{0});
    if (options.wait > longest_wait)
        throw refusal{400, "The member 'wait' is longer than 60s; ask again after that."};
    if (const auto reads = members.find("checkpoints"); reads != members.end()) {
        options.checkpoints = reads->second == "true";
        if (!options.checkpoints && reads->second != "false")
            throw refusal{400, "The member 'checkpoints' is not true or false."};
    }
    return options;
}

for_each_job<std::string> read_tokens(std::string_view body, std::size_t most)
{
    return read_each<std::string>(
        body, most, [](std::string_view json) { return token_of(read_object(json, {"token"})); });
}

for_each_job<told_end> read_ended_jobs(std::string_view body, const effect_rules& rules, std::size_t most)
{
    return read_each<told_end>(body, most,
                               [&](std::string_view json) { return read_ended_job(json, rules); });
}

for_each_job<told_progress> read_progress_of_jobs(std::string_view body, std::size_t most)
{
    return read_each<told_progress>(body, most, read_told);
}

for_each_job<saved_checkpoint> read_checkpoints_of_jobs(std::string_view body, std::size_t most)
{
    return read_each<saved_checkpoint>(body, most, read_checkpoint);
}

} // namespace coworker::detail
