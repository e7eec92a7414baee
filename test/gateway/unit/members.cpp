// SPDX-License-Identifier: MIT
#include "gateway/description.hpp"
#include "json/batch_text.hpp"
#include "json/event_text.hpp"
#include "json/job_text.hpp"
#include "json/limit_text.hpp"
#include "json/push_options.hpp"
#include "json/queue_text.hpp"
#include "json/run_text.hpp"
#include "json/schedule_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

/// A thing has the same members wherever it is described: over HTTP, by --json, by --lines, in the stream of events, in
/// OpenAPI and in the glossary.
BOOST_AUTO_TEST_SUITE(members)

using namespace coworker;
namespace json = boost::json;

namespace {

using names = std::set<std::string>;

names names_in(const json::object& object)
{
    names all;
    for (const auto& [name, value] : object)
        all.emplace(name);
    return all;
}

void add_names(names& to, const detail::json_object& text)
{
    to.merge(names_in(json::parse(text.str()).as_object()));
}

job_info a_list_job(job_state state)
{
    job_info job;
    job.queue = queue_ref::list("mail");
    job.state = state;
    job.payload = "broken";
    return job;
}

/// With all that can be known of it.
job_info a_managed_job()
{
    managed_job record;
    record.history.emplace_back();
    record.failure.emplace();
    job_info job;
    job.queue = queue_ref::managed("mail");
    job.data = "{}";
    job.options.emplace();
    job.options->on_parent_failure = parent_failure::fail;
    job.options->failed_parents.emplace_back("a");
    job.options->timeout.emplace();
    job.options->retention.emplace();
    job.options->result_retention.emplace();
    job.options->version = 2U;
    job.options->backoff.emplace();
    job.progress.emplace();
    job.signals = {.received = "{}", .slept = "[]", .ended_jobs = "{}"};
    job.checkpoint = "1";
    job.steps.emplace("a", "1");
    job.signals.sleeps_for.emplace();
    job.log.emplace_back();
    job.state = job_state::complete;
    job.ended_at.emplace();
    job.record = std::make_shared<const managed_job>(std::move(record));
    return job;
}

json::object inside(const detail::json_object& text, const char* member)
{
    return json::parse(text.str()).at(member).as_object();
}

queue_info a_queue(queue_kind kind)
{
    queue_info queue;
    queue.queue = {kind, "mail"};
    queue.partitions = 4;
    queue.unreachable = 1;
    return queue;
}

managed_event an_event()
{
    managed_event what;
    what.jid = what.queue = what.worker = what.group = what.message = what.to = what.option = what.value =
        "a";
    return what;
}

detail::json_object a_run()
{
    managed_details details;
    details.timeout.emplace();
    details.metadata.emplace("a", "b");
    details.batch = "a";
    details.parents.emplace_back("a");
    detail::job_run run;
    run.payload = run.checkpoint = run.signals = run.slept = run.ended_jobs = "{}";
    const std::map<std::string, std::string> steps{{"a", "1"}};
    run.steps = &steps;
    run.managed = &details;
    run.queued_at.emplace();
    return describe(run);
}

/// What is described in C++, by what it is.
std::map<std::string, names> described(detail::json_for reader)
{
    std::map<std::string, names> all;
    for (const auto state : {job_state::running, job_state::broken})
        add_names(all["job"], detail::describe(a_list_job(state), reader));
    const auto managed = detail::describe(a_managed_job(), reader);
    add_names(all["job"], managed);
    add_names(all["job"], detail::describe(schedule_info{}, reader));
    all["failure"] = names_in(inside(managed, "failure"));
    all["options"] = names_in(inside(managed, "options"));
    for (const auto kind : {queue_kind::list, queue_kind::managed})
        add_names(all["queue"], detail::describe(a_queue(kind), reader));
    add_names(all["worker"], detail::describe(worker_info{}, reader));
    add_names(all["server"], detail::describe(server_info{}, reader));
    all["server"].insert("missing_nodes"); // which are said where some are
    add_names(all["schedule"], detail::describe(schedule_status{}, reader));
    add_names(all["batch"], detail::describe(batch_status{}, reader));
    add_names(all["limit"], detail::describe(limit_state{}, reader));
    add_names(all["event"], detail::describe(an_event()));
    add_names(all["run"], a_run());
    all["run"].insert({"lease_seconds", "token"}); // which a run over HTTP has besides
    return all;
}

names properties_of(const json::value& schema)
{
    return names_in(schema.at("properties").as_object());
}

std::map<std::string, names> in_openapi(const json::value& description)
{
    const auto& schemas = description.at("components").at("schemas");
    std::map<std::string, names> all;
    for (const std::string thing :
         {"job", "failure", "queue", "worker", "server", "schedule", "batch", "limit", "event"})
        all[thing] = properties_of(schemas.at(thing));
    for (const auto& option : detail::options_of_push())
        all["schedule"].erase(std::string{option.name});
    all["options"] = properties_of(schemas.at("job").at("properties").at("options"));
    all["run"] = properties_of(schemas.at("taken_job"));
    all["run"].insert("queued_at"); // of lines
    return all;
}

/// The rows of the glossary's table: | job | `id`, `kind` |
std::map<std::string, names> in_glossary()
{
    std::map<std::string, names> all;
    std::ifstream file{GLOSSARY};
    bool is_table = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("## "))
            is_table = line == "## Members of JSON";
        if (!is_table || !line.starts_with("| ") || line.find('`') == line.npos)
            continue;
        const auto thing = line.substr(2, line.find(' ', 2) - 2);
        for (auto open = line.find('`'); open != line.npos;) {
            const auto close = line.find('`', open + 1);
            all[thing].insert(line.substr(open + 1, close - open - 1));
            open = line.find('`', close + 1);
        }
    }
    return all;
}

std::string text_of(const std::map<std::string, names>& all)
{
    std::ostringstream out;
    for (const auto& [thing, members] : all) {
        out << thing << ':';
        for (const auto& name : members)
            out << ' ' << name;
        out << '\n';
    }
    return out.str();
}

/// All names of properties below a part of a description.
void collect(const json::value& part, names& into)
{
    if (const auto* const list = part.if_array())
        for (const auto& each : *list)
            collect(each, into);
    const auto* const object = part.if_object();
    if (object == nullptr)
        return;
    if (const auto* const properties = object->if_contains("properties"))
        if (const auto* const named = properties->if_object())
            into.merge(names_in(*named));
    for (const auto& member : *object)
        collect(member.value(), into);
}

const json::value& the_description()
{
    static const auto parsed = json::parse(detail::openapi_description());
    return parsed;
}

} // namespace

BOOST_AUTO_TEST_CASE(are_the_same_for_programs_and_for_scripts)
{
    BOOST_TEST(text_of(described(detail::json_for::programs)) ==
               text_of(described(detail::json_for::terminals)));
}

BOOST_AUTO_TEST_CASE(are_those_that_openapi_has)
{
    BOOST_TEST(text_of(described(detail::json_for::programs)) == text_of(in_openapi(the_description())));
}

BOOST_AUTO_TEST_CASE(are_those_that_the_glossary_has)
{
    BOOST_TEST(text_of(described(detail::json_for::programs)) == text_of(in_glossary()));
}

BOOST_AUTO_TEST_CASE(have_one_name_each)
{
    names all;
    collect(the_description(), all);
    for (const std::string other :
         {"jid", "klass", "data", "data_text", "dependencies", "expires", "remaining", "reason", "when",
          "holder", "in_progress", "found_at", "list_queue", "managed_queue"})
        BOOST_TEST(!all.contains(other), other);
    for (const auto& name : all)
        BOOST_TEST(!all.contains(name + "_seconds"), name);
}

BOOST_AUTO_TEST_SUITE_END()
