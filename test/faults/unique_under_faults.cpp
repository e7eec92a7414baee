// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "support/qless_client.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <map>
#include <vector>

using namespace coworker;
using namespace coworker::test;

/// Unique jobs while workers are killed: no key stays taken, none is given to two jobs, no job is lost.
BOOST_AUTO_TEST_SUITE(unique_under_faults)

namespace {

constexpr int keys = 40, rounds = is_sanitized ? 4 : 8;
constexpr std::size_t runs_a_round = is_sanitized ? 40 : 150;

struct unique_fault_test : fault_test, qless_client
{
    unique_fault_test() : fault_test{{}, "managed:mail"}, qless_client{server} {}

    const std::string put_script = server("SCRIPT", "LOAD", detail::find_script("managed/put").text()).text;
    std::size_t pushed = 0;                    ///< numbers used as jobs so far
    std::map<std::string, std::string> holder; ///< of each key: the job that was pushed with it last

    std::vector<std::string> words(const std::string& number, const std::string& key,
                                   const std::string& until)
    {
        return {"EVALSHA", put_script,      "1",   "ql:",   "server", "",
                "mail",    "job-" + number, "Job", number,  "0",      "retries",
                "1000",    "unique",        key,   "until", until};
    }

    /// Tries to push a job for a key. Returns whether it was.
    bool push(const std::string& key, const std::string& until)
    {
        const auto number = std::to_string(pushed);
        const auto before = holder.find(key);
        const auto answer = server.raw().command(words(number, key, until));
        BOOST_TEST_REQUIRE(!answer.is_error(), answer.text);
        if (!answer.elements.empty()) { // another job has the key: the last one that was pushed with it
            BOOST_REQUIRE(before != holder.end());
            BOOST_REQUIRE_EQUAL(answer.texts().at(0), before->second);
            return false;
        }
        if (before != holder.end())
            check_released(before->second, until);
        holder[key] = "job-" + number;
        ++pushed;
        return true;
    }

    /// What the job has done that had the key before.
    void check_released(const std::string& jid, const std::string& until)
    {
        if (until == "done")
            BOOST_REQUIRE_EQUAL(state(jid), "complete");
        else
            BOOST_REQUIRE_NE(history(jid).find("popped"), std::string::npos);
    }

    void push_some()
    {
        for (int i = 0; i != 20; ++i) {
            const auto name = std::to_string(random_between(0, keys - 1));
            push("done " + name, "done");
            push("started " + name, "started");
            push("for a time " + name, "3600");
        }
    }

    /// Kills one of three workers after every so many runs, while jobs are pushed.
    std::vector<process> push_and_kill()
    {
        auto workers = start_workers(3);
        for (int i = 0; i != rounds; ++i) {
            const auto target = record.refresh().runs() + random_between(1, runs_a_round);
            wait_until("so many have run", [&] {
                push_some();
                return record.refresh().runs() >= target;
            });
            auto& victim = workers[random_between(0, workers.size() - 1)];
            victim.kill();
            victim = start_worker();
        }
        return workers;
    }

    void wait_for_all()
    {
        wait_until("all jobs are complete", [&] {
            return server("ZCARD", "ql:completed").integer == static_cast<std::int64_t>(pushed);
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(killed_workers_leave_no_key_behind, unique_fault_test)
{
    const auto survivors = push_and_kill();
    wait_for_all();
    BOOST_TEST(record.refresh().missing(pushed) == 0u);
    BOOST_TEST_MESSAGE(pushed << " jobs, " << record.repeated() << " of them ran more than once");

    // Each key is free again, but those that are remembered for a time, from the first push on.
    for (int i = 0; i != keys; ++i) {
        const auto name = std::to_string(i);
        BOOST_TEST(push("done " + name, "done"));
        BOOST_TEST(push("started " + name, "started"));
        const bool was_pushed = holder.contains("for a time " + name);
        BOOST_TEST(push("for a time " + name, "3600") != was_pushed);
    }
    wait_for_all();

    // Pushes remove what nobody has any more.
    for (std::size_t i = 0; i != 4 * keys; ++i)
        qless("put", "", "mail", "last", "Job", "0", "3600", "unique", "last", "until", "done", "conflict",
              "replace");
    BOOST_TEST(server("HLEN", "ql:coworker:unique:mail").integer == keys + 1);
    BOOST_TEST(server("ZCARD", "ql:coworker:sweep:mail").integer == keys + 1);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(all_workers_killed_at_once_leave_no_key_behind, unique_fault_test)
{
    for (int i = 0; i != 3; ++i) {
        auto workers = start_workers(3);
        const auto target = record.refresh().runs() + random_between(1, runs_a_round);
        wait_until("so many have run", [&] {
            push_some();
            return record.refresh().runs() >= target;
        });
        for (auto& worker : workers)
            worker.signal(SIGKILL);
    }
    const auto survivor = start_worker();
    wait_for_all();
    BOOST_TEST(record.refresh().missing(pushed) == 0u);
    for (int i = 0; i != keys; ++i) {
        BOOST_TEST(push("done " + std::to_string(i), "done"));
        BOOST_TEST(push("started " + std::to_string(i), "started"));
    }
    wait_for_all();
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
