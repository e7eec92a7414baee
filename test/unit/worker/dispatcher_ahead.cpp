// SPDX-License-Identifier: MIT
#include "worker/dispatcher/dispatcher.hpp"

#include "bounds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

/// Jobs that are fetched before there is a place for them.
BOOST_AUTO_TEST_SUITE(dispatcher_ahead)

using coworker::queue_order;
using coworker::detail::max_batch;
using queue_dispatcher = coworker::detail::dispatcher;
using namespace std::chrono_literals;
constexpr std::size_t unlimited = 1'000'000;
constexpr queue_dispatcher::time_point now{1h};

/// How many jobs the next step takes, of this queue; none if there is no step.
std::size_t taken_next(queue_dispatcher& worker, std::size_t queue = 0)
{
    const auto next = worker.next(now);
    BOOST_TEST((!next || next->queue == queue));
    return next ? next->take : 0;
}

/// Lets a queue's handlers end that were called a moment before.
void run_handlers(queue_dispatcher& worker, std::size_t queue, std::size_t count, bool short_ones = true,
                  bool acknowledge = false)
{
    const auto since = now - (short_ones ? 1us : 1s);
    for (std::size_t i = 0; i != count; ++i) {
        worker.handler_started(queue, since);
        worker.handler_ended(queue, since, now);
        worker.job_ended(queue, acknowledge);
    }
}

/// A queue's handlers end soon, and calls take a while.
void make_quick(queue_dispatcher& worker, std::size_t queue, std::size_t jobs = 100)
{
    for (int i = 0; i != 50; ++i) {
        const auto next = worker.next(now);
        BOOST_TEST_REQUIRE((next && next->queue == queue));
        worker.ended(*next, std::min(next->take, jobs));
        run_handlers(worker, queue, std::min(next->take, jobs));
        worker.jobs_ready(queue);
        worker.pace_of(queue).fetched(1ms, 1, 100);
    }
}

/// All calls that can be made now.
std::vector<queue_dispatcher::step> calls_of(queue_dispatcher& worker)
{
    std::vector<queue_dispatcher::step> calls;
    while (const auto next = worker.next(now))
        calls.push_back(*next);
    return calls;
}

/// Further parts of the first queue, which have jobs.
void add_parts(queue_dispatcher& worker, int count)
{
    for (int i = 0; i != count; ++i)
        worker.jobs_ready(worker.add_part(0));
}

BOOST_AUTO_TEST_CASE(takes_more_jobs_than_there_are_places_where_handlers_end_soon)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}}};
    make_quick(worker, 0);
    BOOST_TEST(taken_next(worker) == max_batch);
    BOOST_TEST(taken_next(worker) == max_batch);
    BOOST_TEST(!worker.next(now).has_value()); // two calls are under way
}

/// Takes jobs from the first part as long as it has its turn, each call being answered after a while. Returns the calls
/// it had, and the time at which another part has its turn.
std::pair<int, queue_dispatcher::time_point> turn_of_the_first_part(queue_dispatcher& worker,
                                                                    std::chrono::milliseconds each)
{
    auto time = now;
    int calls = 0;
    for (; calls != 100; ++calls, time += each) {
        const auto next = worker.next(time).value();
        worker.ended(next, next.take);
        run_handlers(worker, next.queue, next.take);
        if (next.queue != 0)
            break;
        worker.pace_of(0).fetched(each, 1, 100);
    }
    return {calls, time};
}

BOOST_AUTO_TEST_CASE(stays_with_a_part_for_many_calls_where_handlers_end_soon)
{
    for (const auto each : {0ms, 1ms}) {
        queue_dispatcher worker{queue_order::strict, 100, {{unlimited}}};
        make_quick(worker, 0); // which is in its turn
        add_parts(worker, 1);
        const auto [calls, end] = turn_of_the_first_part(worker, each);
        BOOST_TEST(calls > 10);
        BOOST_TEST(calls <= 32);
    }
}

BOOST_AUTO_TEST_CASE(stays_with_a_part_for_a_moment_where_calls_take_long)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}}};
    make_quick(worker, 0);
    add_parts(worker, 1);
    const auto [calls, end] = turn_of_the_first_part(worker, 20ms);
    BOOST_TEST(calls <= 3);
    const auto next = worker.next(end).value();
    BOOST_TEST(next.queue == 1u);
    worker.ended(next, 0); // it is empty
    BOOST_TEST(worker.next(end).value().queue == 0u);
}

BOOST_AUTO_TEST_CASE(has_two_calls_under_way_for_all_parts_or_more_if_much_goes_with_each)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}}};
    make_quick(worker, 0); // which has begun a turn
    add_parts(worker, 3);
    // Two calls to the first part, and further ones for the room that there is.
    std::size_t room = 3 * max_batch;
    std::vector<queue_dispatcher::step> calls;
    while (const auto next = worker.next(now)) {
        BOOST_TEST(next->take == std::min(room, max_batch));
        BOOST_TEST(next->take >= max_batch / 2);
        room -= next->take;
        calls.push_back(*next);
    }
    BOOST_TEST_REQUIRE(calls.size() == 3u);
    BOOST_TEST(calls[1].queue == 0u);
    BOOST_TEST(calls[2].queue != 0u);
    // A few jobs end: there is room for a few, which is not worth a further call.
    worker.ended(calls[0], calls[0].take);
    run_handlers(worker, 0, 20);
    BOOST_TEST(!worker.next(now).has_value());
    run_handlers(worker, 0, max_batch / 2);
    BOOST_TEST(taken_next(worker) == 20 + max_batch / 2);
}

BOOST_AUTO_TEST_CASE(makes_further_calls_to_one_part_whose_turn_is_next)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}}};
    make_quick(worker, 0); // which has begun a turn
    add_parts(worker, 3);
    BOOST_TEST(taken_next(worker) == max_batch);
    BOOST_TEST(taken_next(worker) == max_batch);
    const auto further = worker.next(now).value();
    BOOST_TEST_REQUIRE(further.queue != 0u);
    worker.ended(further, max_batch);
    run_handlers(worker, further.queue, max_batch, true, true);
    // The outcomes need no call of their own.
    const auto next = worker.next(now).value();
    BOOST_TEST(next.queue == further.queue);
    BOOST_TEST(next.acknowledge == max_batch);
    BOOST_TEST(next.take != 0u);
    worker.ended(next, next.take);
    run_handlers(worker, further.queue, next.take);
    BOOST_TEST(worker.next(now + 10ms).value().queue == further.queue);
}

BOOST_AUTO_TEST_CASE(keeps_outcomes_of_the_part_whose_turn_it_is_for_a_moment)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}}};
    make_quick(worker, 0);
    add_parts(worker, 1);
    const auto calls = calls_of(worker);
    BOOST_TEST_REQUIRE(calls.size() == 3u);
    worker.ended(calls[0], calls[0].take);
    for (std::size_t i = 0; i != max_batch; ++i)
        worker.outcome_ready(0); // there is no room for further jobs
    BOOST_TEST(!worker.next(now).has_value());
    const auto next = worker.next(now + 10ms).value();
    BOOST_TEST(next.queue == 0u);
    BOOST_TEST(next.acknowledge == max_batch);
    BOOST_TEST(next.take == 0u);
}

BOOST_AUTO_TEST_CASE(keeps_no_outcomes_that_no_end_of_a_call_would_recall)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}}};
    make_quick(worker, 0);
    add_parts(worker, 1);
    const auto calls = calls_of(worker);
    for (const auto& call : calls)
        worker.ended(call, call.take);
    worker.outcome_ready(0);
    const auto next = worker.next(now).value();
    BOOST_TEST(next.queue == 0u);
    BOOST_TEST(next.acknowledge == 1u);
    BOOST_TEST(next.take == 0u); // there is no room for further jobs
}

BOOST_AUTO_TEST_CASE(has_no_further_call_for_a_few_jobs_of_a_queue_with_a_limit_of_its_own)
{
    queue_dispatcher worker{queue_order::strict, 10'000, {{100}}};
    make_quick(worker, 0);
    add_parts(worker, 3);
    const auto calls = calls_of(worker);
    BOOST_TEST_REQUIRE(calls.size() == 3u);
    BOOST_TEST(calls[0].take == max_batch);
    worker.ended(calls[0], calls[0].take);
    run_handlers(worker, 0, 20); // the worker has places for more, the queue has not
    BOOST_TEST(!worker.next(now).has_value());
    run_handlers(worker, 0, max_batch / 2);
    BOOST_TEST(taken_next(worker) == 20 + max_batch / 2);
}

BOOST_AUTO_TEST_CASE(lets_the_outcomes_of_a_part_wait_for_others_for_a_moment)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}}};
    make_quick(worker, 0);
    add_parts(worker, 1);
    worker.ended(*worker.next(now), 0); // the first part is empty
    const auto second = worker.next(now).value();
    BOOST_TEST_REQUIRE(second.queue == 1u);
    worker.ended(second, 40); // and now the second one is
    worker.jobs_ready(0);
    for (int call = 0; call != 2; ++call)
        BOOST_TEST(worker.next(now).value().queue == 0u);
    const auto later = now + 2ms;
    worker.handler_started(1, now);
    worker.handler_ended(1, now, later);
    worker.job_ended(1, true);
    BOOST_TEST(!worker.next(later).has_value()); // 39 others will end
    const auto next = worker.next(later + 10ms);
    BOOST_TEST_REQUIRE(next.has_value());
    BOOST_TEST(next->queue == 1u);
    BOOST_TEST(next->acknowledge == 1u);
}

BOOST_AUTO_TEST_CASE(asks_for_what_is_likely_to_be_there_where_handlers_end_soon)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}, {unlimited}}};
    worker.ended(*worker.next(now), 0); // the first queue is empty, and nothing is known of its handlers
    make_quick(worker, 1, 1);           // the second one has a job at a time
    BOOST_TEST(taken_next(worker, 1) == 16u);
    auto next = worker.next(now).value(); // it has more now
    BOOST_TEST(next.take == 16u);
    for (const std::size_t more : {32u, 64u, 128u, 128u}) {
        worker.ended(next, next.take);
        run_handlers(worker, 1, next.take);
        next = worker.next(now).value();
        BOOST_TEST(next.queue == 1u);
        BOOST_TEST(next.take == more);
    }

    worker.ended(next, 20);
    run_handlers(worker, 1, 20);
    worker.jobs_ready(0);
    BOOST_TEST(taken_next(worker, 0) == 84u); // nothing is known of the first one: all places that are left
}

BOOST_AUTO_TEST_CASE(asks_for_all_there_is_a_place_for_in_the_only_queue)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}}};
    make_quick(worker, 0, 1);
    BOOST_TEST(taken_next(worker) > 16u);
}

BOOST_AUTO_TEST_CASE(has_no_more_jobs_than_places_where_handlers_take_long)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}}};
    worker.ended(*worker.next(now), 100);
    run_handlers(worker, 0, 90, false);
    worker.pace_of(0).fetched(1ms, 1, 100);
    BOOST_TEST(taken_next(worker) == 90u);
    BOOST_TEST(!worker.next(now).has_value());
}

BOOST_AUTO_TEST_CASE(takes_no_more_ahead_once_a_handler_took_long)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}}};
    make_quick(worker, 0);
    worker.ended(*worker.next(now), max_batch);
    run_handlers(worker, 0, 1, false);
    BOOST_TEST(!worker.next(now).has_value());
    BOOST_TEST(worker.excess() == max_batch - 1 - 100);
}

BOOST_AUTO_TEST_CASE(calls_as_many_handlers_as_there_are_places)
{
    queue_dispatcher worker{queue_order::strict, 3, {{2}, {unlimited}}};
    BOOST_TEST(worker.has_place());
    worker.ended(*worker.next(now), 2);
    worker.ended(*worker.next(now), 1);
    worker.handler_started(0, now);
    BOOST_TEST(worker.has_place(0));
    worker.handler_started(0, now);
    BOOST_TEST(!worker.has_place(0));
    BOOST_TEST(worker.has_place(1));
    BOOST_TEST(worker.has_place());
    worker.handler_started(1, now);
    BOOST_TEST(!worker.has_place());
    worker.handler_ended(0, now, now);
    BOOST_TEST(worker.has_place());
    BOOST_TEST(worker.has_place(0));
}

BOOST_AUTO_TEST_CASE(takes_ahead_for_a_queue_with_a_limit_of_its_own)
{
    queue_dispatcher worker{queue_order::strict, 100, {{2}}};
    make_quick(worker, 0, 2);
    const auto next = worker.next(now);
    BOOST_TEST_REQUIRE(next.has_value());
    BOOST_TEST((next->take > 2u && next->take <= max_batch));
    worker.ended(*next, next->take);
    BOOST_TEST(worker.excess(0) == next->take - 2);
}

BOOST_AUTO_TEST_CASE(places_of_handlers_that_take_long_are_not_counted_on)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}, {unlimited}}};
    worker.ended(*worker.next(now), 0); // the first queue is empty
    make_quick(worker, 1);
    worker.jobs_ready(0);
    worker.ended(*worker.next(now), 100); // and now takes all places
    BOOST_TEST(!worker.next(now).has_value());
}

BOOST_AUTO_TEST_CASE(a_queue_whose_handlers_take_long_gets_its_share_beside_one_that_has_jobs_waiting)
{
    for (const auto order : {queue_order::round_robin, queue_order::weighted}) {
        queue_dispatcher worker{order, 10, {{unlimited}, {unlimited}}};
        worker.ended(*worker.next(now), 0);
        make_quick(worker, 1);
        for (int i = 0; i != 2; ++i) {
            const auto next = worker.next(now);
            BOOST_TEST_REQUIRE((next && next->queue == 1));
            worker.ended(*next, next->take);
        }
        BOOST_TEST(worker.excess() != 0u);
        worker.jobs_ready(0);
        const auto other = worker.next(now);
        BOOST_TEST_REQUIRE(other.has_value());
        BOOST_TEST(other->queue == 0u);
        BOOST_TEST((other->take != 0u && other->take <= 10u));
    }
}

BOOST_AUTO_TEST_SUITE_END()
