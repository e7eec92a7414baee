// SPDX-License-Identifier: MIT
#include "batch_race_test.hpp"

using namespace coworker;
using namespace coworker::test;

/// Batches while several workers, each with a connection of its own, end their jobs at the same time.
BOOST_AUTO_TEST_SUITE(managed_batch_races)

BOOST_FIXTURE_TEST_CASE(each_job_counts_once_and_each_callback_runs_once, batch_race_test)
{
    race([this](std::size_t which) -> asio::awaitable<void> {
        for (std::size_t i = 0; i != outer_batches; ++i) {
            const auto kinds = mixed_kinds(i % 2 == 1);
            (void)co_await open_and_fill(racers[which], "", kinds);
        }
    });
    // each has at first that many jobs, two for each "More" that runs, and three batches inside with five jobs each
    std::size_t outer = 0;
    for (const auto& [id, parent] : parents) {
        outer += parent.empty() ? 1 : 0;
        BOOST_TEST(field_of(id, "total") ==
                   (parent.empty() ? jobs_at_first + 2 * jobs_at_first / 4 + 2 * inner_batches : 5));
        BOOST_TEST(field_of(id, "failed") == ran[id].failed);
        BOOST_TEST(field_of(id, "cancelled") == 0u);
    }
    BOOST_TEST(outer == racing_workers * outer_batches);
    BOOST_TEST(parents.size() == outer * (1 + inner_batches));
}

BOOST_FIXTURE_TEST_CASE(jobs_that_are_retried_by_several_at_once_return_once, batch_race_test)
{
    const std::vector<std::string> fickle{"Step", "Fickle", "Fickle", "Fickle"};
    race([&](std::size_t which) -> asio::awaitable<void> {
        auto& mine = racers[which];
        const auto top_options = with_callbacks("");
        const auto top = co_await mine.all.async_open(top_options);
        parents[top] = "";
        for (std::size_t i = 0; i != outer_batches; ++i) {
            const auto wanted = with_callbacks(top);
            const auto id = co_await mine.all.async_open(wanted);
            parents[id] = top;
            for (std::size_t k = 0; k != inner_batches; ++k)
                (void)co_await open_and_fill(mine, id, fickle);
            (void)co_await mine.all.async_seal(id);
        }
        (void)co_await mine.all.async_seal(top);
        // all of them retry whatever has failed, also while its batch ends or goes on again
        const inspector look{mine.redis};
        job_filter failed;
        bool has_succeeded = false;
        while (!has_succeeded) {
            (void)co_await look.async_act_on_all(job_action::retry, queue_ref::managed("mail"), failed);
            const auto status = co_await mine.all.async_status(top);
            has_succeeded = status->state == batch_state::succeeded;
        }
    });
    std::map<std::string, std::size_t> inside;
    for (const auto& [id, parent] : parents)
        ++inside[parent];
    for (const auto& [id, parent] : parents) {
        const bool has_jobs = !inside.contains(id);
        BOOST_TEST(field_of(id, "failed") == 0u);
        BOOST_TEST(field_of(id, "succeeded") == (has_jobs ? fickle.size() : inside[id]));
        BOOST_TEST(ran[id].failed == (has_jobs ? 2 * (fickle.size() - 1) : 0));
    }
}

BOOST_FIXTURE_TEST_CASE(what_is_cancelled_by_several_while_it_runs_ends_once, batch_race_test)
{
    cancels = true;
    std::size_t producers = 2;
    race([&](std::size_t which) -> asio::awaitable<void> {
        auto& mine = racers[which];
        if (which < 2) {
            for (std::size_t i = 0; i != 2 * outer_batches; ++i) {
                const auto kinds = mixed_kinds(true);
                (void)co_await open_and_fill(mine, "", kinds);
            }
            --producers;
        }
        // two cancel what the others fill, and delete what has failed, which counts no more
        const inspector look{mine.redis};
        job_filter failed;
        std::size_t next = which;
        while (which > 1 && producers > 0) {
            batch_cancel_options how;
            how.running = next % 2 == 0;
            std::vector<std::string> ids;
            for (const auto& [id, parent] : parents)
                ids.push_back(id);
            if (!ids.empty())
                (void)co_await mine.all.async_cancel(ids[next++ * 7 % ids.size()], how);
            (void)co_await look.async_act_on_all(job_action::remove, queue_ref::managed("mail"), failed);
        }
    });
    std::uint64_t cancelled = 0;
    for (const auto& [id, parent] : parents)
        cancelled += field_of(id, "cancelled");
    BOOST_TEST_MESSAGE(cancelled << " jobs and batches were cancelled in " << parents.size() << " batches");
    BOOST_TEST(cancelled > 10u);
}

BOOST_AUTO_TEST_SUITE_END()
