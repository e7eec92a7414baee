// SPDX-License-Identifier: MIT
#include "worker/pace.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(pace)

using estimate = coworker::detail::pace;

/// An estimate, and the jobs of a queue that it observes.
struct observed_queue
{
    estimate observed;
    estimate::time_point now{1h};

    /// One after the other, so long each; others always wait.
    void run(unsigned jobs, estimate::clock::duration each)
    {
        for (unsigned i = 0; i != jobs; ++i) {
            const auto since = now;
            observed.started(now, true);
            now += each;
            observed.ended(since, now);
        }
    }

    /// Calls that take so long and bring jobs of this size.
    void fetch(estimate::clock::duration round_trip, std::size_t size = 100)
    {
        for (int i = 0; i != 100; ++i)
            observed.fetched(round_trip, 10, 10 * size);
    }
};

BOOST_AUTO_TEST_CASE(knows_nothing_at_first)
{
    observed_queue queue;
    BOOST_TEST(!queue.observed.is_quick(queue.now));
    queue.run(estimate::sure - 1, 1us);
    BOOST_TEST(!queue.observed.is_quick(queue.now));
    queue.run(1, 1us);
    BOOST_TEST(queue.observed.is_quick(queue.now));
}

BOOST_AUTO_TEST_CASE(one_long_handler_ends_it_at_once)
{
    observed_queue queue;
    queue.run(10'000, 1us);
    queue.run(1, estimate::short_run + 1us);
    BOOST_TEST(!queue.observed.is_quick(queue.now));
    queue.run(estimate::sure, 1us);
    BOOST_TEST(queue.observed.is_quick(queue.now));
}

BOOST_AUTO_TEST_CASE(long_handlers_never_count_as_quick)
{
    observed_queue queue;
    for (int i = 0; i != 1'000; ++i) {
        queue.run(1, 3ms);
        BOOST_TEST(!queue.observed.is_quick(queue.now));
    }
}

BOOST_AUTO_TEST_CASE(forgets_when_no_handler_has_ended_for_a_while)
{
    observed_queue queue;
    queue.run(100, 1us);
    BOOST_TEST(queue.observed.is_quick(queue.now + estimate::memory - 1us));
    BOOST_TEST(!queue.observed.is_quick(queue.now + estimate::memory));
}

BOOST_AUTO_TEST_CASE(begins_anew_after_an_error)
{
    observed_queue queue;
    queue.run(100, 1us);
    queue.observed.was_wrong();
    BOOST_TEST(!queue.observed.is_quick(queue.now));
    queue.run(estimate::sure, 1us);
    BOOST_TEST(queue.observed.is_quick(queue.now));
}

BOOST_AUTO_TEST_CASE(as_many_wait_as_end_in_two_round_trips)
{
    observed_queue queue;
    queue.run(1'000, 20us);
    queue.fetch(200us);
    const auto waiting = queue.observed.may_wait(1);
    BOOST_TEST((waiting >= 20u && waiting <= 22u), waiting);
}

BOOST_AUTO_TEST_CASE(one_waits_where_calls_take_no_time)
{
    observed_queue queue;
    queue.run(1'000, 20us);
    BOOST_TEST(queue.observed.may_wait(1) == 1u);
}

BOOST_AUTO_TEST_CASE(none_waits_for_longer_than_the_horizon)
{
    for (const auto each : {50us, 100us, 1'000us, 1'999us}) {
        observed_queue queue;
        queue.run(1'000, each);
        queue.fetch(1s); // the source is slow, or far away
        const auto waiting = static_cast<int>(queue.observed.may_wait(1));
        BOOST_TEST((waiting * each <= estimate::horizon), waiting);
        BOOST_TEST(((waiting + 2) * each >= estimate::horizon), waiting);
    }
}

BOOST_AUTO_TEST_CASE(handlers_that_wait_end_beside_each_other)
{
    observed_queue queue;
    for (int i = 0; i != 1'000; ++i) {
        queue.observed.started(queue.now, false); // there are places for all
        queue.observed.ended(queue.now - 1ms, queue.now);
    }
    queue.fetch(200us);
    BOOST_TEST(queue.observed.may_wait(1) == 1u);
    const auto hundred = queue.observed.may_wait(100);
    BOOST_TEST((hundred >= 40u && hundred <= 45u), hundred);
    BOOST_TEST(queue.observed.may_wait(0) == 0u);
}

BOOST_AUTO_TEST_CASE(fewer_wait_as_soon_as_places_become_free_more_slowly)
{
    observed_queue queue;
    queue.run(10'000, 1us);
    queue.fetch(1ms);
    BOOST_TEST(queue.observed.may_wait(100) == estimate::most_jobs);
    queue.now += 50ms; // between two starts, though the handlers are short
    queue.run(1, 1us);
    BOOST_TEST(queue.observed.may_wait(100) <= 1u);
    queue.run(1'000, 1us);
    BOOST_TEST(queue.observed.may_wait(100) == estimate::most_jobs);
}

BOOST_AUTO_TEST_CASE(time_in_which_no_job_waits_does_not_count)
{
    observed_queue queue;
    queue.run(1'000, 1us);
    queue.fetch(1ms);
    for (int i = 0; i != 100; ++i) {
        const auto since = queue.now;
        queue.observed.started(since, false);
        queue.observed.ended(since, since + 1us);
        queue.now += 1s;
    }
    BOOST_TEST(queue.observed.may_wait(100) == estimate::most_jobs);
}

BOOST_AUTO_TEST_CASE(jobs_that_wait_have_a_bounded_number_of_bytes)
{
    observed_queue queue;
    queue.run(1'000, 1us);
    queue.fetch(1ms, 100);
    BOOST_TEST(queue.observed.may_wait(100) == estimate::most_jobs);
    queue.fetch(1ms, 100'000);
    BOOST_TEST(queue.observed.may_wait(100) == 10u);
    queue.fetch(1ms, 2 * estimate::most_bytes);
    BOOST_TEST(queue.observed.may_wait(100) == 0u);
}

BOOST_AUTO_TEST_CASE(an_outage_does_not_make_round_trips_long_for_ever)
{
    observed_queue queue;
    queue.run(1'000, 20us);
    queue.observed.fetched(1h, 0, 0);
    queue.fetch(200us);
    const auto waiting = queue.observed.may_wait(1);
    BOOST_TEST((waiting >= 20u && waiting <= 22u), waiting);
}

BOOST_AUTO_TEST_SUITE_END()
