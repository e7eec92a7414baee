// SPDX-License-Identifier: MIT
#include "live_queue.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>

using namespace coworker::test;
using namespace coworker::test::model;

/// Large numbers and large jobs. MODEL_MANY in the environment makes them larger.
BOOST_AUTO_TEST_SUITE(limits)

namespace {

/// More than Lua can take as arguments of a call, about 8000.
std::size_t many()
{
    const char* text = std::getenv("MODEL_MANY");
    return text ? std::strtoull(text, nullptr, 10) : 8'500;
}

const std::string now = "1700000000.5", later = "1700000001.5";

strings numbered(const std::string& name, std::size_t count)
{
    strings result;
    for (std::size_t i = 0; i != count; ++i)
        result.push_back(name + std::to_string(i));
    return result;
}

strings operator+(strings words, const strings& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::string list(const strings& texts)
{
    return json::serialize(to_json(texts));
}

struct large
{
    live_queue live;

    /// A call that must be answered.
    json::value call(const std::string& script, const strings& words, bool is_document = false)
    {
        const auto reply = live.call(script, words);
        BOOST_REQUIRE_MESSAGE(!reply.is_error(), script << ": " << reply.text);
        return read_reply(reply, is_document);
    }

    std::string refusal_of(const std::string& script, const strings& words)
    {
        const auto before = live.state();
        const auto reply = live.call(script, words);
        BOOST_TEST_REQUIRE(reply.is_error());
        BOOST_TEST((live.state() == before), script << " has changed something");
        return reply.text;
    }

    void put(const strings& jids, const strings& options = {})
    {
        strings words{now};
        for (const auto& jid : jids)
            words = std::move(words) +
                    (strings{std::to_string(6 + options.size()), "w", "q", jid, "k", "{}", "0"} + options);
        call("put_many", words);
    }

    void take(std::size_t count)
    {
        const auto taken = call("pop", {now, "q", "w", std::to_string(count)}, true);
        BOOST_TEST_REQUIRE(taken.as_array().size() == count);
    }

    std::size_t waiting() { return count("ql:q:q-work"); }
    std::size_t running() { return count("ql:q:q-locks"); }
    std::size_t count(const std::string& key)
    {
        return static_cast<std::size_t>(live.server()("ZCARD", key).integer);
    }

    void check()
    {
        const auto findings = live.broken(1'700'000'002);
        BOOST_TEST(findings.size() == 0U, "the check finds " << (findings.empty() ? "" : findings.front()));
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(many_jobs_wait_for_one, large)
{
    put({"root"});
    put(numbered("j", many()), {"depends", R"(["root"])"});
    BOOST_TEST(count("ql:q:q-depends") == many());
    take(1);
    BOOST_TEST(call("complete", {later, "root", "w", "q", "{}"}) == "complete");
    check();
    for (std::size_t last = 0; last != waiting();) { // in steps
        last = waiting();
        call("recover", {later});
    }
    BOOST_TEST(waiting() == many());
    check();
}

BOOST_FIXTURE_TEST_CASE(one_job_waits_for_many, large)
{
    const auto others = numbered("j", many());
    put(others);
    put({"last"}, {"depends", list(others)});
    BOOST_TEST(live.server()("SCARD", "ql:j:last-dependencies").integer == static_cast<std::int64_t>(many()));
    call("depends", strings{later, "last", "off"} + others);
    BOOST_TEST(waiting() == many() + 1);
    put({"again"}, {"depends", list(others)});
    call("depends", {later, "again", "off", "all"});
    put({"chosen"}, {"depends", R"(["j1"])"});
    call("depends", strings{later, "chosen", "on"} + others);
    BOOST_TEST(refusal_of("cancel", strings{later} + others).find("is a dependency of chosen") !=
               std::string::npos);
    call("cancel", strings{later, "chosen"} + others);
    BOOST_TEST(waiting() == 2U);
    check();
}

BOOST_FIXTURE_TEST_CASE(a_job_has_many_tags, large)
{
    const auto tags = numbered("t", many()), more = numbered("u", many());
    put({"j"}, {"tags", list(tags)});
    BOOST_TEST(count("ql:tags") == many());
    BOOST_TEST(call("tag", strings{later, "add", "j"} + more, true).as_array().size() == 2 * many());
    put({"j"});
    BOOST_TEST(call("tag", strings{later, "remove", "j"} + tags, true).as_array().size() == many());
    BOOST_TEST(call("tag", {later, "top", "0", "100000"}, true).as_object().empty());
    call("cancel", {later, "j"});
    call("recur", {now, "q", "r", "k", "{}", "interval", "60", "0", "tags", list(tags)});
    BOOST_TEST(call("recur_tag", strings{now, "r"} + more, true).as_array().size() == 2 * many());
    take(1);
    BOOST_TEST(call("recur_untag", strings{now, "r"} + tags, true).as_array().size() == many());
    check();
}

BOOST_FIXTURE_TEST_CASE(many_jobs_go_through_one_call_each, large)
{
    const auto jids = numbered("j", many());
    put(jids);
    BOOST_TEST(call("peek", {now, "q", std::to_string(many())}, true).as_array().size() == many());
    take(many());
    BOOST_TEST(call("multiget", strings{now} + jids, true).as_array().size() == many());
    BOOST_TEST(call("jobs", {now, "running", "q", "0", std::to_string(many())}).as_array().size() == many());
    BOOST_TEST(call("workers", {now, "w"}, true).at("jobs").as_array().size() == many());
    refusal_of("timeout", strings{now} + jids + strings{"unknown"});
    call("timeout", strings{now} + jids);
    BOOST_TEST(waiting() == many());
    BOOST_TEST(running() == 0U);
    check();
    BOOST_TEST(call("cancel", strings{later} + jids).as_array().size() == many());
    BOOST_TEST(live.server()("KEYS", "ql:j:*").elements.size() == 0U);
    check();
}

BOOST_FIXTURE_TEST_CASE(many_jobs_are_settled_in_one_call_each, large)
{
    const auto jids = numbered("j", many());
    const auto each = [&](const strings& tail) {
        strings words{later};
        for (const auto& jid : jids)
            words = std::move(words) + (strings{std::to_string(tail.size() + 1), jid} + tail);
        return words;
    };
    call("config_set", {now, "jobs-history-count", std::to_string(2 * many())});
    put(jids);
    take(many());
    call("heartbeat_many", each({"w"}));
    call("retry_many", each({"q", "w"}));
    BOOST_TEST(waiting() == many());
    take(many());
    call("fail_many", each({"w", "g", "m"}));
    BOOST_TEST(call("failed", {later, "g", "0", std::to_string(many())}, true).at("jobs").as_array().size() ==
               many());
    BOOST_TEST(call("unfail", {later, "q", "g", std::to_string(many())}) ==
               static_cast<std::int64_t>(many()));
    take(many());
    call("complete_many", each({"w", "q", "{}"}));
    BOOST_TEST(count("ql:completed") == many());
    BOOST_TEST(call("jobs", {later, "complete", "0", std::to_string(many())}).as_array().size() == many());
    check();
}

BOOST_FIXTURE_TEST_CASE(many_things_are_due_at_once, large)
{
    put(numbered("locked", many()));
    take(many());
    call("recur", {"1699000000", "q", "r", "k", "{}", "interval", "1", "0", "retries", "1"});
    const std::string tomorrow = "1700086400", next = "1700086500";
    // Their workers have a courtesy period now, and nobody else gets them before its end.
    BOOST_TEST(call("pop", {tomorrow, "q", "v", std::to_string(many())}, true).as_array().size() == many());
    BOOST_TEST(running() == 2 * many());
    BOOST_TEST(call("pop", {next, "q", "v", std::to_string(2 * many())}, true).as_array().size() ==
               2 * many());
    check();
}

BOOST_FIXTURE_TEST_CASE(names_are_given_by_the_thousands, large)
{
    const auto names = numbered("n", many());
    for (const char* script : {"pause", "unpause", "queue_forget", "worker_deregister"})
        call(script, strings{now} + names);
    BOOST_TEST(live.state().size() == 0U);
}

BOOST_FIXTURE_TEST_CASE(a_job_carries_ten_megabytes, large)
{
    const std::string data = '"' + std::string(10'000'000, 'x') + '"',
                      next = '"' + std::string(10'000'000, 'y') + '"';
    for (const char* jid : {"a", "b", "c"})
        call("put", {now, "w", "q", jid, "k", data, "0"});
    BOOST_TEST((call("get", {now, "a"}, true).at("data").as_string() == data));
    BOOST_TEST(call("peek", {now, "q", "3"}, true).as_array().size() == 3U);
    for (int i = 0; i != 3; ++i) // one at a time: what is popped together has 8 MB at most
        BOOST_TEST(call("ack_and_fetch", {now, "q", "w", "3"}).at(4).as_array().size() == 10U);
    call("heartbeat", {now, "a", "w", next});
    call("fail", {now, "b", "w", "g", std::string(1'000'000, 'm'), next});
    call("complete", {now, "c", "w", "q", next});
    for (const auto* jid : {"a", "b", "c"})
        BOOST_TEST((live.server()("HGET", std::string{"ql:j:"} + jid, "data").text == next));
    BOOST_TEST(
        refusal_of("put", {now, "w", "q", "d", "k", data + ',', "0"}).starts_with("ERR Expected the end"));
    check();
}

BOOST_FIXTURE_TEST_CASE(data_is_nested_too_deeply, large)
{
    const std::string deep = std::string(2'000, '[') + std::string(2'000, ']');
    const auto said = refusal_of("put", {now, "w", "q", "j", "k", deep, "0"});
    BOOST_TEST(said.starts_with("ERR Found too many nested data structures"), said);
}

BOOST_AUTO_TEST_SUITE_END()
