// SPDX-License-Identifier: MIT
#include "json/run_report.hpp"

#include "bounds.hpp"
#include "text/base64.hpp"
#include "json/list_submission.hpp"
#include "json/queue_words.hpp"

#include <map>
#include <utility>

namespace coworker::detail {
namespace {

raw_json as_it_is(member_name, json_text json)
{
    return raw_json{std::string{json}};
}

void read_token(run_report& into, member_name name, json_text json)
{
    const auto text = json.front() == '"' ? string_of(json) : std::string{};
    auto token = from_base64url(text);
    if (text.empty() || !token)
        refuse_member(name, "what came with the job");
    into.token = std::move(*token);
}

void told_payload(run_report& into, member_name name, json_text json)
{
    if (is_json_false(json))
        refuse_body("The member '" + name + "' is false, with which no qless client can complete a job.");
    into.payload = as_it_is(name, json);
}

/// A line, or several.
void told_lines(run_report& into, member_name name, json_text json)
{
    if (json.front() == '"')
        into.log = text_list{member_text(name, json)};
    else
        into.log = member_texts(name, json);
}

/// All that can be said.
const member_readers<run_report>& report_readers()
{
    static const member_readers<run_report> readers{
        {"token", read_token},
        {"id", read_into<member_text_or_none, &run_report::id>},
        {"outcome", read_into<member_text_or_none, &run_report::outcome>},
        {"message", read_into<member_text_or_none, &run_report::message>},
        {"group", read_into<member_text_or_none, &run_report::group>},
        {"queue", read_into<member_managed_queue, &run_report::queue>},
        {"delay", read_into<member_time, &run_report::delay>},
        {"payload", told_payload},
        {"result", read_into<as_it_is, &run_report::result>},
        {"checkpoint", read_into<as_it_is, &run_report::checkpoint>},
        {"step", read_into<member_text, &run_report::step>},
        {"value", read_into<as_it_is, &run_report::value>},
        {"name", read_into<member_text, &run_report::name>},
        {"signal", read_into<member_text, &run_report::signal>},
        {"job", read_into<member_text, &run_report::job>},
        {"until", read_into<member_point_in_time, &run_report::until>},
        {"after",
         [](run_report& into, member_name name, json_text json) {
             into.after = member_number<unsigned>(name, json, "how many signals do not wake the job");
         }},
        {"effects", [](run_report& into, member_name, json_text json) { into.effects = json; }},
        {"log", told_lines},
        {"progress",
         [](run_report& into, member_name name, json_text json) {
             into.progress = member_number<double>(name, json, "a number from 0 to 1");
         }},
    };
    return readers;
}

/// Members whose null is a value.
bool may_be_null(const std::string& name)
{
    return name == "token" || name == "payload" || name == "result" || name == "checkpoint" ||
           name == "value";
}

void read_member(run_report& into, member_name name, json_text json)
{
    if (json == "null" && !may_be_null(name))
        return;
    report_readers().at(name)(into, name, json);
    into.names.insert(name);
}

outcome::kind kind_of(const std::string& word, queue_kind kind)
{
    static const std::map<std::string, outcome::kind> words{{"success", outcome::kind::success},
                                                            {"retry", outcome::kind::retry},
                                                            {"failure", outcome::kind::failure},
                                                            {"release", outcome::kind::release},
                                                            {"forward", outcome::kind::forward}};
    if (word.empty())
        refuse_body("The member 'outcome' is missing; it says how the run ended.");
    const auto found = words.find(word);
    if (found != words.end() && (found->second != outcome::kind::forward || kind == queue_kind::managed))
        return found->second;
    refuse_member("outcome", kind == queue_kind::managed
                                 ? "success, retry, failure, release, sleep or forward"
                                 : "success, retry, failure or release");
}

/// A release of another kind: until a time, or until a signal comes or another job ends.
constexpr std::string_view sleep_word = "sleep";

void check_members(const run_report& said, const std::set<std::string>& known)
{
    for (const auto& name : said.names)
        if (!known.contains(name))
            refuse_body("The member '" + name + "' does not go with this outcome and this kind of queue.");
}

outcome read_sleep(const run_report& said)
{
    std::set<std::string> known{"token", "id", "outcome", "delay", "until"};
    job_wait wait;
    if (said.names.contains("signal")) {
        wait.what = wait_kind::signal;
        wait.name = said.signal;
        wait.after = said.after;
        known.insert({"signal", "after"});
    } else if (said.names.contains("job")) {
        wait.what = wait_kind::job;
        wait.name = said.job;
        known.insert("job");
    } else {
        wait.name = said.name;
        known.insert("name");
    }
    check_members(said, known);
    if (wait.name.empty() || wait.name.size() > max_name)
        refuse_body(
            "The member 'name', 'signal' or 'job' is missing or too long; it says what the job sleeps "
            "for, in 1 to 256 bytes.");
    if (said.delay.has_value() == said.until.has_value())
        refuse_body("One of the members 'delay' and 'until' says for how long the job sleeps.");
    wait.length = said.delay.value_or(std::chrono::milliseconds{0});
    wait.until = said.until;
    return suspend(std::move(wait));
}

/// Members that go with a kind of outcome. A list queue keeps no result, whoever returns it.
std::set<std::string> members_of_outcome(outcome::kind what, queue_kind kind)
{
    const bool managed = kind == queue_kind::managed;
    std::set<std::string> names{"token", "id", "outcome"};
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
        names.insert("payload");
    if (what == outcome::kind::success)
        names.insert("result");
    return names;
}

} // namespace

run_report read_report(std::string_view json, const std::string& what,
                       std::initializer_list<const char*> names)
{
    member_readers<run_report> readers;
    for (const auto* name : names)
        readers.emplace(name, read_member);
    if (json.front() != '{')
        refuse_body("The body is not a JSON object, or an array of objects where several jobs are meant.");
    run_report result;
    read_members(json, what, readers, result);
    return result;
}

run_report read_report_line(std::string_view json)
{
    run_report result;
    for (const auto& member : members_of(json))
        if (report_readers().contains(member.name))
            read_member(result, member.name, member.value);
    return result;
}

told_outcome read_outcome(const run_report& said, const effect_rules& rules)
{
    if (said.outcome == sleep_word && rules.kind == queue_kind::managed)
        return told_outcome{read_sleep(said)};
    const auto what = kind_of(said.outcome, rules.kind);
    const auto known = members_of_outcome(what, rules.kind);
    check_members(said, known);
    outcome::managed_part more;
    more.group = said.group;
    if (what == outcome::kind::forward) {
        if (!said.queue)
            refuse_body("The member 'queue' is missing; it says where the job goes on.");
        more.next = said.queue->name();
        check_is_served(more.next, rules.types);
    }
    more.how.delay = said.delay.value_or(std::chrono::milliseconds{0});
    more.how.data = said.payload;
    if (rules.kind == queue_kind::managed)
        more.value = said.result;
    told_outcome told{outcome{what, said.message, said.delay, std::move(more)}};
    if (!said.effects.empty())
        told.effects = read_effects(said.effects, rules);
    return told;
}

} // namespace coworker::detail
