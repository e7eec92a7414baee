// SPDX-License-Identifier: MIT
#include "gateway/remote_text.hpp"

#include "text/json_spans.hpp"
#include "json/members.hpp"

namespace coworker::detail {
namespace {

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

/// @throws refusal
run_report with_token(run_report said)
{
    if (said.token.empty())
        refuse_body("The member 'token' is missing; it came with the job.");
    return said;
}

std::string read_token(std::string_view json)
{
    return with_token(read_report(json, "a renewal", {"token"})).token;
}

told_end read_ended_job(std::string_view json, const effect_rules& rules)
{
    const auto said =
        with_token(read_report(json, "an acknowledgement",
                               {"token", "outcome", "message", "delay", "group", "queue", "payload", "result",
                                "effects", "name", "signal", "job", "until", "after"}));
    auto told = read_outcome(said, rules);
    return told_end{{said.token, std::move(told.result)}, std::move(told.effects)};
}

told_progress read_told(std::string_view json)
{
    const auto said = with_token(read_report(json, "progress", {"token", "progress", "message"}));
    if (!said.progress || !(*said.progress >= 0 && *said.progress <= 1))
        throw refusal{400, "The member 'progress' is missing, or is not a number from 0 to 1."};
    told_progress told;
    told.token = said.token;
    told.fraction = *said.progress;
    told.message = said.message;
    return told;
}

told_log read_log(std::string_view json)
{
    const auto said = with_token(read_report(json, "a log", {"token", "log"}));
    constexpr std::size_t most_lines = 100;
    if (said.log.empty() || said.log.size() > most_lines)
        throw refusal{400, "The member 'log' is missing, or is not a text, or a list of 1 to 100 texts."};
    told_log told;
    told.token = said.token;
    told.lines = said.log;
    return told;
}

saved_checkpoint read_checkpoint(std::string_view json)
{
    const auto said = with_token(read_report(json, "a checkpoint", {"token", "checkpoint"}));
    if (!said.checkpoint || said.checkpoint->text == "null")
        throw refusal{400, "The member 'checkpoint' is missing, or null; any other JSON value is possible."};
    saved_checkpoint saved;
    saved.token = said.token;
    saved.checkpoint = said.checkpoint->text;
    return saved;
}

done_step read_step(std::string_view json)
{
    const auto said = with_token(read_report(json, "a step", {"token", "step", "value"}));
    if (said.step.empty())
        refuse_body("The member 'step' is missing; it is the name of the step.");
    if (!said.value)
        refuse_body("The member 'value' is missing; it is any JSON value, null for a step without one.");
    done_step done;
    done.token = said.token;
    done.name = said.step;
    done.value = said.value->text;
    return done;
}

void read_wait(take_options& into, const std::string& name, std::string_view json)
{
    into.wait = member_time(name, json);
    if (into.wait > longest_wait)
        throw refusal{400, "The member 'wait' is longer than 60s; ask again after that."};
}

struct kind_of_take
{
    std::string kind{};
    std::vector<unsigned> versions{};
};

void read_versions(kind_of_take& into, member_name name, json_text json)
{
    constexpr auto wanted = "an array of whole numbers from 1 to 1000000";
    if (json.front() != '[')
        refuse_member(name, wanted);
    for (const auto each : elements_of(json))
        into.versions.push_back(member_number<unsigned>(name, each, wanted));
}

taken_kind read_kind(member_name name, json_text json)
{
    if (json.front() == '"')
        return taken_kind{member_text(name, json)};
    static const member_readers<kind_of_take> readers{
        {"kind", [](kind_of_take& into, member_name member,
                    json_text text) { into.kind = member_text(member, text); }},
        {"versions", read_versions},
    };
    if (json.front() != '{')
        refuse_member(name, R"(an array of kinds, or of objects such as {"kind": "Mail", "versions": [2]})");
    kind_of_take read;
    read_members(json, "a kind", readers, read);
    if (read.kind.empty())
        refuse_body("The member 'kind' of one of the 'kinds' is missing.");
    return taken_kind{read.kind, std::move(read.versions)};
}

void read_kinds(take_options& into, member_name name, json_text json)
{
    if (json.front() != '[' || trimmed(json.substr(1)).front() == ']')
        refuse_member(name, R"(an array of kinds, or of objects such as {"kind": "Mail", "versions": [2]})");
    for (const auto each : elements_of(json))
        into.kinds.push_back(read_kind(name, each));
}

const member_readers<take_options>& take_members()
{
    using options = take_options&;
    static const member_readers<take_options> readers{
        {"worker", [](options into, member_name name,
                      json_text json) { into.worker = member_text_or_none(name, json); }},
        {"count",
         [](options into, member_name name, json_text json) {
             constexpr auto wanted = "a whole number from 1 to 128";
             into.count = member_number<std::size_t>(name, json, wanted);
             if (into.count == 0 || into.count > 128)
                 refuse_member(name, wanted);
         }},
        {"wait", read_wait},
        {"checkpoints", [](options into, member_name name,
                           json_text json) { into.checkpoints = member_boolean(name, json); }},
        {"kinds", read_kinds},
        {"steps",
         [](options into, member_name name, json_text json) { into.steps = member_boolean(name, json); }},
    };
    return readers;
}

} // namespace

take_options read_take(const std::string& body, queue_kind kind)
{
    auto options = read_object(body, "a request for jobs", take_members());
    if (options.checkpoints && kind == queue_kind::list)
        throw refusal{409, "A list queue keeps no checkpoints; leave the member 'checkpoints' out."};
    if (!options.kinds.empty() && kind == queue_kind::list)
        throw refusal{409, "The jobs of a list queue have no kinds; leave the member 'kinds' out."};
    if (options.steps && kind == queue_kind::list)
        throw refusal{409, "A list queue keeps no steps; leave the member 'steps' out."};
    return options;
}

for_each_job<std::string> read_tokens(std::string_view body, std::size_t most)
{
    return read_each<std::string>(body, most, read_token);
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

for_each_job<told_log> read_logs_of_jobs(std::string_view body, std::size_t most)
{
    return read_each<told_log>(body, most, read_log);
}

for_each_job<done_step> read_steps_of_jobs(std::string_view body, std::size_t most)
{
    return read_each<done_step>(body, most, read_step);
}

for_each_job<saved_checkpoint> read_checkpoints_of_jobs(std::string_view body, std::size_t most)
{
    return read_each<saved_checkpoint>(body, most, read_checkpoint);
}

} // namespace coworker::detail
