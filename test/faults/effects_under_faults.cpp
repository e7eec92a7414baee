// SPDX-License-Identifier: MIT
#include "account_lines.hpp"
#include "fault_test.hpp"
#include "storm_account.hpp"
#include "support/cutting_proxy.hpp"
#include "support/qless_client.hpp"

#include "coworker/managed_queue.hpp"
#include "coworker/worker.hpp"
#include "redis/script.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Effects are carried out once for each job, whatever dies.
BOOST_AUTO_TEST_SUITE(effects_under_faults)

namespace {

constexpr std::size_t jobs = is_sanitized ? 600 : 2'000;

/// Each run of a job counts itself, and pushes a job to `children`, in its effects.
struct account_of_effects : fault_test
{
    explicit account_of_effects(std::string queue) : fault_test{{}, std::move(queue)} {}

    void note_pushes(const std::string& queue) const
    {
        const int file = open_record(account_beside(record.path()).c_str());
        for (std::size_t i = 0; i != jobs; ++i)
            write_pushed(file, queue, "job-" + std::to_string(i), 0);
        ::close(file);
    }

    void check_account(bool is_managed)
    {
        storm_account all{account_beside(record.path()), is_managed,
                          [this](const auto& words) { return server.raw().command(words).parts(); }};
        for (const auto& what : all.check())
            BOOST_ERROR(what);
        BOOST_TEST_MESSAGE(all.jobs.count.runs << " runs of " << all.jobs.jobs().size() << " jobs");
        BOOST_TEST(all.jobs.jobs().size() == jobs);
    }
};

struct managed_account : account_of_effects, qless_client
{
    managed_account() : account_of_effects{"managed:mail"}, qless_client{server} {}

    void put_numbers()
    {
        const auto script = server("SCRIPT", "LOAD", detail::find_script("managed/put").text()).text;
        std::vector<std::vector<std::string>> all;
        for (std::size_t i = 0; i != jobs; ++i) {
            const auto number = std::to_string(i);
            all.push_back({"EVALSHA", script, "1", "ql:", "server", "", "mail", "job-" + number, "Job",
                           number, "0", "retries", "1000"});
        }
        for (const auto& each : server.raw().pipeline(all))
            BOOST_TEST_REQUIRE(!each.is_error(), each.text);
        note_pushes("mail");
    }
};

struct list_account : account_of_effects
{
    list_account() : account_of_effects{"q"} {}
};

/// A worker whose answers get lost.
struct unanswered_effects : fault_test, qless_client
{
    unanswered_effects() : fault_test{{}, "managed:mail"}, qless_client{server} {}

    cutting_proxy proxy{io.get_executor(), server.folder().file("proxy.sock"), server.socket_path()};
    client redis{io.get_executor(), {.url = proxy.url()}};
    managed_queue mail{redis, "mail"};
    worker subject{redis, {.concurrency = 20, .observers = {events.observe()}}};
};

} // namespace

BOOST_FIXTURE_TEST_CASE(of_managed_jobs_whose_workers_are_killed, managed_account)
{
    put_numbers();
    fault_worker_options how;
    how.handler = 1ms;
    how.effects = true;
    const auto survivors = kill_workers(8, jobs, how);
    wait_until("all jobs are complete",
               [&] { return server("ZCARD", "ql:completed").integer == static_cast<std::int64_t>(jobs); });
    check_account(true);
    BOOST_TEST(server("ZCARD", "ql:q:children-work").integer == static_cast<std::int64_t>(jobs));
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(of_list_jobs_whose_workers_are_killed, list_account)
{
    push_numbers(0, jobs);
    note_pushes("q");
    fault_worker_options how;
    how.handler = 1ms;
    how.effects = true;
    const auto survivors = kill_workers(8, jobs, how);
    wait_for_jobs(jobs);
    check_account(false);
    BOOST_TEST(server("LLEN", "hworker-jobs-children").integer == static_cast<std::int64_t>(jobs));
}

BOOST_FIXTURE_TEST_CASE(are_not_repeated_with_an_acknowledgement_that_was_not_answered, unanswered_effects)
{
    const std::string ack_and_fetch{detail::find_script("managed/ack_and_fetch").sha};
    bool may_end = false;
    std::size_t runs = 0;
    const auto handler = [&](raw_json, job_context& context) -> asio::awaitable<void> {
        ++runs;
        context.effects().add({"INCR", "counter"});
        (void)context.effects().push(mail, "Child", raw_json{"{}"}, {.delay = 1h});
        co_await eventually("the handler may end", [&] { return may_end; });
    };
    subject.handle(mail, handler);
    const auto counter = [&] { return server("GET", "counter").text; };
    run([&]() -> asio::awaitable<void> {
        background working{io.get_executor(), subject.async_run(asio::use_awaitable)};
        for (std::size_t round = 1; round != 6; ++round) {
            may_end = false;
            for (std::size_t i = 0; i != 10; ++i)
                put("job-" + std::to_string(round) + '-' + std::to_string(i), "Job");
            co_await eventually("they run", [&] { return runs == 10 * round; });
            proxy.swallow_answer_to(ack_and_fetch);
            may_end = true;
            const auto before = std::to_string(10 * (round - 1));
            co_await eventually("effects were carried out and nobody heard of it", [&] {
                return proxy.is_swallowing() && counter() != (round == 1 ? "" : before);
            });
            proxy.cut();
            co_await events.wait_for(event_kind::reconnected, round);
            co_await eventually("all are complete", [&] {
                return server("ZCARD", "ql:completed").integer == static_cast<std::int64_t>(10 * round);
            });
        }
        subject.stop();
        co_await working.join();
        co_await redis.async_stop();
        proxy.close();
    });
    BOOST_TEST(counter() == "50");
    BOOST_TEST(server("ZCARD", "ql:q:mail-scheduled").integer == 50);
    BOOST_TEST(runs == 50U);
    BOOST_TEST(events.count(event_kind::in_doubt) >= 5U); // of each round: sent again, and refused
    BOOST_TEST(events.count(event_kind::succeeded) + events.count(event_kind::in_doubt) == 50U);
    BOOST_TEST(events.count(event_kind::lease_lost) == 0U);
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
