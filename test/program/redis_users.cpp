// SPDX-License-Identifier: MIT
#include "gateway_program_test.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// Users of Redis with the permissions that docs/redis.md gives to each role.
BOOST_AUTO_TEST_SUITE(redis_users)

using namespace coworker::test;

namespace {

/// The words of a role's line in the page, which stands on several lines there.
std::vector<std::string> line_of(const std::string& role)
{
    std::ifstream page{REDIS_PAGE};
    std::vector<std::string> words;
    for (std::string line; std::getline(page, line) && (words.empty() || line != "```");)
        if (!words.empty() || line.starts_with("ACL SETUSER " + role + ' ')) {
            std::istringstream rest{line};
            for (std::string word; rest >> word;)
                words.push_back(word == ">PASSWORD" ? ">secret" : word);
        }
    BOOST_REQUIRE_MESSAGE(!words.empty(), "docs/redis.md has no line for " << role);
    return words;
}

struct users_test : gateway_program_test
{
    users_test()
    {
        for (const auto* role : {"producer", "worker", "inspector"})
            server.raw().command(line_of(role));
    }

    std::string url_for(const std::string& role) const
    {
        return "unix://" + role + ":secret@" + server.socket_path();
    }

    finished_program run_as(const std::string& role, std::vector<std::string> arguments,
                            const std::string& input = "")
    {
        program_surroundings surroundings;
        surroundings.input = input;
        surroundings.environment.push_back("COWORKER_REDIS=" + url_for(role));
        return run_coworker(arguments, surroundings);
    }

    /// What Redis has refused since the last call, each once: commands, keys, channels.
    std::vector<std::string> refused()
    {
        std::vector<std::string> all;
        for (const auto& entry : server("ACL", "LOG").elements)
            for (std::size_t i = 0; i + 1 < entry.elements.size(); i += 2)
                if (entry.elements[i].text == "object")
                    all.push_back(entry.elements[i + 1].text);
        server("ACL", "LOG", "RESET");
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }

    void expect_nothing_refused(const std::string& what)
    {
        for (const auto& each : refused())
            BOOST_TEST(false, what << ": " << each << " was refused");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_producer_pushes, users_test)
{
    const std::vector<std::vector<std::string>> pushes = {
        {"push", "mail"},
        {"push", "mail", "--delay", "1h"},
        {"push", "managed:mail", "--kind", "k"},
        {"push", "managed:mail", "--kind", "k", "--delay", "1h", "--unique-key", "one"},
        {"push", "managed:mail", "--kind", "k", "--limit", "api", "--order-key", "a"},
    };
    for (const auto& words : pushes) {
        const auto result = run_as("producer", words, "{\"a\":1}\n{\"a\":2}\n");
        BOOST_TEST(result.code == 0, words.back() << ": " << result.errors);
        expect_nothing_refused(words.back());
    }
}

BOOST_FIXTURE_TEST_CASE(a_worker_runs_jobs_and_a_monitor_returns_them, users_test)
{
    push({"mail"}, "{\"a\":1}\n");
    push({"managed:mail", "--kind", "k"}, "{\"a\":1}\n");
    const auto url = url_for("worker");
    process works{
        {"env", "COWORKER_REDIS=" + url, COWORKER_PROGRAM, "work", "mail", "managed:mail", "--", "true"},
        folder.file("works")};
    process watches{{"env", "COWORKER_REDIS=" + url, COWORKER_PROGRAM, "monitor", "mail", "managed:mail"},
                    folder.file("watches")};
    run([&]() -> asio::awaitable<void> {
        co_await eventually("both jobs have run", [&] {
            return server("HGET", "hworker-counters-mail", "success").text == "1" &&
                   server("ZCARD", "ql:q:mail-locks").integer == 0 &&
                   server("ZCARD", "ql:completed").integer == 1;
        });
    });
    expect_nothing_refused("a worker");
}

BOOST_FIXTURE_TEST_CASE(a_gateway_answers, users_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await start({}, "COWORKER_REDIS=" + url_for("worker"));
        BOOST_TEST((co_await queue_a_job()).status == 201u);
        for (const auto* path : {"/ready", "/v1/queues", "/v1/queues/mail",
                                 "/v1/queues/mail/jobs?state=waiting", "/v1/workers", "/metrics", "/"})
            BOOST_TEST((co_await get(path)).status == 200u, path);
    });
    expect_nothing_refused("a gateway");
}

BOOST_FIXTURE_TEST_CASE(an_inspector_looks_and_changes_nothing, users_test)
{
    push({"mail"}, "{\"a\":1}\n");
    push({"managed:mail", "--kind", "k"}, "{\"a\":1}\n");
    const auto keys = server("DBSIZE").integer;
    const std::vector<std::vector<std::string>> looks = {{"queues"},
                                                         {"jobs", "mail"},
                                                         {"jobs", "managed:mail"},
                                                         {"failed"},
                                                         {"failed", "mail"},
                                                         {"broken", "mail"},
                                                         {"workers"},
                                                         {"stats", "mail"},
                                                         {"stats", "managed:mail"},
                                                         {"limits"},
                                                         {"schedules"},
                                                         {"batches"},
                                                         {"check"},
                                                         {"queue-settings", "managed:mail"}};
    for (const auto& words : looks) {
        const auto result = run_as("inspector", words);
        BOOST_TEST(result.code == 0, words.front() << ": " << result.errors);
        for (const auto& each : refused())
            BOOST_TEST(each == "sadd", words.front()); // names of queues that it has found
    }
    const std::vector<std::vector<std::string>> changes = {{"pause", "mail"},
                                                           {"pause", "managed:mail"},
                                                           {"push", "mail"},
                                                           {"push", "managed:mail", "--kind", "k"}};
    for (const auto& words : changes) {
        const auto result = run_as("inspector", words, "{\"a\":3}\n");
        BOOST_TEST((result.code == 1 || result.code == 4), words.front());
        BOOST_TEST(result.complains("Redis refused a command"), words.front() << ": " << result.errors);
    }
    BOOST_TEST(server("DBSIZE").integer == keys);
}

BOOST_AUTO_TEST_SUITE_END()
