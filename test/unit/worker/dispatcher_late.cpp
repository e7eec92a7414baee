// SPDX-License-Identifier: MIT
#include "worker/dispatcher/dispatcher.hpp"

#include <boost/test/unit_test.hpp>

/// Calls that are not answered for a while.
BOOST_AUTO_TEST_SUITE(dispatcher_late)

using coworker::queue_order;
using queue_dispatcher = coworker::detail::dispatcher;
using namespace std::chrono_literals;
constexpr queue_dispatcher::time_point now{1h};

namespace {

/// Ten places, which a call to the first of two queues keeps.
struct late_call
{
    queue_dispatcher worker{queue_order::strict, 10, {{10}, {10}}};
    queue_dispatcher::step call = next();

    queue_dispatcher::step next()
    {
        const auto found = worker.next(now);
        BOOST_TEST_REQUIRE(found.has_value());
        return *found;
    }
    bool has_next() { return worker.next(now).has_value(); }

    /// A call is late when nothing is heard from one look to the next.
    void look_twice()
    {
        worker.look_for_late_calls();
        worker.look_for_late_calls();
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(keeps_its_places_at_first, late_call)
{
    BOOST_TEST(call.take == 10u);
    BOOST_TEST(worker.keeps_places());
    worker.look_for_late_calls();
    BOOST_TEST(!has_next());
}

BOOST_FIXTURE_TEST_CASE(lends_its_places_to_other_queues, late_call)
{
    look_twice();
    const auto other = next();
    BOOST_TEST(other.queue == 1u);
    BOOST_TEST(other.take == 10u);
    BOOST_TEST(!has_next());
    worker.ended(other, 10);
    BOOST_TEST(!worker.keeps_places());
}

BOOST_FIXTURE_TEST_CASE(asks_nothing_more_of_a_queue_that_does_not_answer, late_call)
{
    look_twice();
    worker.ended(next(), 0);
    BOOST_TEST(!has_next());
}

BOOST_FIXTURE_TEST_CASE(counts_what_a_late_call_took, late_call)
{
    look_twice();
    worker.ended(next(), 10);
    worker.ended(call, 10);
    BOOST_TEST(worker.running() == 20u);
    BOOST_TEST(worker.excess() == 10u);
    for (int i = 0; i != 10; ++i)
        worker.job_ended(0, false);
    BOOST_TEST(worker.excess() == 0u);
    BOOST_TEST(!has_next());
    worker.job_ended(1, false);
    BOOST_TEST(next().take == 1u);
}

BOOST_FIXTURE_TEST_CASE(is_asked_as_before_once_it_has_answered, late_call)
{
    look_twice();
    worker.ended(call, 10);
    for (int i = 0; i != 10; ++i)
        worker.job_ended(0, false);
    BOOST_TEST(next().take == 10u);
}

BOOST_FIXTURE_TEST_CASE(is_asked_for_one_job_after_a_call_that_failed, late_call)
{
    look_twice();
    worker.refused(call, now);
    const auto again = next();
    BOOST_TEST(again.queue == 0u);
    BOOST_TEST(again.take == 1u);
    BOOST_TEST(next().take == 9u); // of the other queue
    worker.ended(again, 1);
    worker.job_ended(0, false);
    BOOST_TEST(next().queue == 0u);
}

BOOST_FIXTURE_TEST_CASE(an_answer_between_two_looks_is_a_sign_of_life, late_call)
{
    worker.ended(call, 5);
    worker.jobs_ready(0);
    const auto again = next();
    worker.look_for_late_calls();
    worker.job_ended(0, true);
    const auto more = next();
    worker.ended(more, more.take);
    worker.look_for_late_calls();
    BOOST_TEST(!has_next());
    worker.ended(again, 5);
}

BOOST_AUTO_TEST_CASE(a_single_queue_keeps_nobody_waiting)
{
    queue_dispatcher worker{queue_order::strict, 10, {{10}}};
    BOOST_TEST(worker.next(now).has_value());
    BOOST_TEST(!worker.keeps_places());
}

BOOST_AUTO_TEST_CASE(parts_of_a_queue_lend_their_places_to_each_other)
{
    queue_dispatcher worker{queue_order::strict, 10, {{10}}};
    worker.add_part(0);
    const auto call = *worker.next(now);
    BOOST_TEST(call.take == 10u);
    worker.jobs_ready(1);
    BOOST_TEST(!worker.next(now).has_value());
    worker.look_for_late_calls();
    worker.look_for_late_calls();
    const auto other = worker.next(now);
    BOOST_TEST_REQUIRE(other.has_value());
    BOOST_TEST(other->queue == 1u);
    BOOST_TEST(other->take == 10u);
}

BOOST_AUTO_TEST_SUITE_END()
