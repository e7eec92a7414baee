// SPDX-License-Identifier: MIT
#include "worker/dispatcher/dispatcher.hpp"

#include "bounds.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(dispatcher)

using coworker::queue_order;
using coworker::detail::max_batch;
using queue_dispatcher = coworker::detail::dispatcher;
using step = queue_dispatcher::step;
using namespace std::chrono_literals;
constexpr std::size_t unlimited = 1'000'000;
constexpr queue_dispatcher::time_point now{1h};

/// Works queues of so many jobs off, one after the other, each ending at once. Returns the names of the
/// queues in the order in which jobs were taken.
/// @param tell  the calls say how many jobs still wait
std::string work_off(queue_dispatcher& worker, std::string_view names, std::vector<std::size_t> waiting,
                     bool tell = false)
{
    std::string order;
    for (std::size_t i = 0; i != waiting.size(); ++i)
        if (waiting[i] != 0)
            worker.jobs_ready(i);
    while (const auto next = worker.next(now)) {
        const auto taken = std::min(next->take, waiting[next->queue]);
        waiting[next->queue] -= taken;
        order.append(taken, names[next->queue]);
        worker.ended(*next, taken, tell ? waiting[next->queue] : 0);
        for (std::size_t i = 0; i != taken; ++i)
            worker.job_ended(next->queue, true);
    }
    return order;
}

void check_step(const std::optional<step>& found, const step& expected)
{
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST(found->queue == expected.queue);
    BOOST_TEST(found->acknowledge == expected.acknowledge);
    BOOST_TEST(found->take == expected.take);
    BOOST_TEST(found->reconcile == expected.reconcile);
}

// --- order ---------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(rotates_job_by_job)
{
    queue_dispatcher worker{queue_order::round_robin, 1, {{1}, {1}, {1}}};
    BOOST_TEST(work_off(worker, "CBA", {3, 2, 5}) == "CBACBACAAA");
}

BOOST_AUTO_TEST_CASE(rotates_whatever_the_weights)
{
    queue_dispatcher worker{queue_order::round_robin, 1, {{1, 9}, {1, 1}}};
    BOOST_TEST(work_off(worker, "AB", {4, 4}) == "ABABABAB");
}

BOOST_AUTO_TEST_CASE(takes_from_the_first_queue_that_has_jobs_in_strict_order)
{
    queue_dispatcher worker{queue_order::strict, 1, {{1}, {1}, {1}}};
    BOOST_TEST(work_off(worker, "CBA", {3, 2, 5}) == "CCCBBAAAAA");
}

BOOST_AUTO_TEST_CASE(goes_back_to_the_first_queue_as_soon_as_it_has_jobs_in_strict_order)
{
    queue_dispatcher worker{queue_order::strict, 1, {{1}, {1}}};
    BOOST_TEST(work_off(worker, "AB", {1, 2}) == "ABB");
    BOOST_TEST(work_off(worker, "AB", {2, 2}) == "AABB");
}

BOOST_AUTO_TEST_CASE(shares_in_proportion_to_the_weights)
{
    queue_dispatcher worker{queue_order::weighted, 1, {{1, 3}, {1, 1}}};
    const auto order = work_off(worker, "AB", {300, 300}).substr(0, 400);
    BOOST_TEST(std::count(order.begin(), order.end(), 'A') == 300);
    // And not in two lumps.
    const auto beginning = order.substr(0, 40);
    BOOST_TEST(std::count(beginning.begin(), beginning.end(), 'A') == 30);
}

BOOST_AUTO_TEST_CASE(shares_in_proportion_to_the_weights_in_batches_too)
{
    queue_dispatcher worker{queue_order::weighted, 100, {{unlimited, 3}, {unlimited, 1}}};
    const auto order = work_off(worker, "AB", {30'000, 30'000}).substr(0, 40'000);
    const auto share = std::count(order.begin(), order.end(), 'A');
    BOOST_TEST((share > 29'800 && share < 30'200), share);
}

BOOST_AUTO_TEST_CASE(does_not_let_a_queue_make_up_for_the_time_when_it_was_empty)
{
    queue_dispatcher worker{queue_order::round_robin, 1, {{1}, {1}}};
    BOOST_TEST(work_off(worker, "AB", {100, 0}) == std::string(100, 'A'));
    const auto order = work_off(worker, "AB", {10, 10});
    BOOST_TEST((order == "ABABABABABABABABABAB" || order == "BABABABABABABABABABA"), order);
}

BOOST_AUTO_TEST_CASE(gives_places_to_the_other_queues_while_one_is_empty)
{
    queue_dispatcher worker{queue_order::weighted, 1, {{1, 1000}, {1, 1}}};
    BOOST_TEST(work_off(worker, "AB", {0, 3}) == "BBB");
}

// --- batches -------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(takes_as_many_as_there_are_places)
{
    queue_dispatcher worker{queue_order::strict, 100, {{unlimited}}};
    check_step(worker.next(now), {.take = 100});
    BOOST_TEST(!worker.next(now).has_value());
}

BOOST_AUTO_TEST_CASE(never_takes_more_than_a_batch)
{
    queue_dispatcher worker{queue_order::strict, 100'000, {{unlimited}}};
    check_step(worker.next(now), {.take = max_batch});
}

BOOST_AUTO_TEST_CASE(keeps_to_the_limit_of_each_queue)
{
    queue_dispatcher worker{queue_order::strict, 100, {{3}, {unlimited}}};
    check_step(worker.next(now), {.queue = 0, .take = 3});
    check_step(worker.next(now), {.queue = 1, .take = 97});
    BOOST_TEST(!worker.next(now).has_value());
}

BOOST_AUTO_TEST_CASE(shares_free_places_among_queues_from_the_first_batch_on)
{
    queue_dispatcher worker{queue_order::weighted, 80, {{unlimited, 3}, {unlimited, 1}}};
    check_step(worker.next(now), {.queue = 0, .take = 60});
    check_step(worker.next(now), {.queue = 1, .take = 5});
}

BOOST_AUTO_TEST_CASE(leaves_a_queue_alone_in_which_it_found_too_little)
{
    queue_dispatcher worker{queue_order::strict, 10, {{unlimited}}};
    worker.ended(*worker.next(now), 4);
    BOOST_TEST(worker.is_empty(0));
    BOOST_TEST(!worker.next(now).has_value());
    worker.jobs_ready(0);
    BOOST_TEST(!worker.is_empty(0));
    check_step(worker.next(now), {.take = 6});
}

BOOST_AUTO_TEST_CASE(settles_what_has_ended_together_with_the_next_take)
{
    queue_dispatcher worker{queue_order::strict, 4, {{unlimited}}};
    worker.ended(*worker.next(now), 4);
    BOOST_TEST(worker.running() == 4);
    worker.job_ended(0, true);
    worker.job_ended(0, true);
    check_step(worker.next(now), {.acknowledge = 2, .take = 2});
}

BOOST_AUTO_TEST_CASE(settles_a_lone_job_at_once_though_there_is_nothing_to_take)
{
    queue_dispatcher worker{queue_order::strict, 4, {{unlimited}}};
    worker.ended(*worker.next(now), 1);
    worker.job_ended(0, true);
    check_step(worker.next(now), {.acknowledge = 1});
    BOOST_TEST(!worker.next(now).has_value());
}

BOOST_AUTO_TEST_CASE(settles_in_bounded_batches)
{
    queue_dispatcher worker{queue_order::strict, 1'000, {{unlimited}}};
    for (int i = 0; i != 3; ++i)
        worker.ended(*worker.next(now), max_batch);
    worker.stop_taking();
    for (std::size_t i = 0; i != 3 * max_batch; ++i)
        worker.job_ended(0, true);
    check_step(worker.next(now), {.acknowledge = max_batch});
    check_step(worker.next(now), {.acknowledge = max_batch});
    BOOST_TEST(!worker.next(now).has_value()); // two calls are under way
    worker.ended({.acknowledge = max_batch}, 0);
    check_step(worker.next(now), {.acknowledge = max_batch});
}

BOOST_AUTO_TEST_CASE(does_not_settle_what_needs_no_settling)
{
    queue_dispatcher worker{queue_order::strict, 1, {{1}}};
    worker.ended(*worker.next(now), 1);
    worker.stop_taking();
    worker.job_ended(0, false); // its lease was lost
    BOOST_TEST(!worker.next(now).has_value());
    BOOST_TEST(worker.is_settled());
}

BOOST_AUTO_TEST_CASE(settles_an_outcome_that_had_to_wait)
{
    queue_dispatcher worker{queue_order::strict, 1, {{1}}};
    worker.ended(*worker.next(now), 1);
    worker.stop_taking();
    worker.job_ended(0, false); // a renewal is under way
    worker.outcome_ready(0);
    BOOST_TEST(!worker.is_settled());
    check_step(worker.next(now), {.acknowledge = 1});
}

BOOST_AUTO_TEST_CASE(settles_later_what_a_step_left)
{
    queue_dispatcher worker{queue_order::strict, 4, {{unlimited}}};
    worker.ended(*worker.next(now), 2);
    worker.stop_taking();
    worker.job_ended(0, true);
    worker.job_ended(0, true);
    auto first = worker.next(now);
    check_step(first, {.acknowledge = 2});
    worker.acknowledge_fewer(*first, 1);
    check_step(first, {.acknowledge = 1});
    const auto second = worker.next(now);
    check_step(second, {.acknowledge = 1});
    worker.refused(*first, now);
    check_step(worker.next(now), {.acknowledge = 1});
    worker.ended(*second, 0);
    BOOST_TEST(!worker.is_settled());
}

// --- failures ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(gives_places_and_outcomes_back_after_a_refused_step_and_lets_the_queue_rest)
{
    queue_dispatcher worker{queue_order::strict, 1, {{unlimited}}};
    worker.ended(*worker.next(now), 1);
    worker.job_ended(0, true);
    const auto first = worker.next(now);
    check_step(first, {.acknowledge = 1, .take = 1});
    worker.refused(*first, now + 500ms);
    BOOST_TEST(!worker.next(now).has_value());
    BOOST_TEST(!worker.next(now + 499ms).has_value());
    BOOST_TEST(!worker.is_settled());
    check_step(worker.next(now + 500ms), *first);
}

BOOST_AUTO_TEST_CASE(goes_on_with_the_other_queues_while_one_rests)
{
    for (const auto order : {queue_order::strict, queue_order::round_robin, queue_order::weighted}) {
        queue_dispatcher worker{order, 1, {{unlimited}, {unlimited}}};
        worker.refused(*worker.next(now), now + 1h);
        for (int i = 0; i != 100; ++i) {
            const auto other = worker.next(now);
            check_step(other, {.queue = 1, .acknowledge = i == 0 ? 0u : 1u, .take = 1});
            worker.ended(*other, 1);
            worker.job_ended(1, true);
        }
    }
}

BOOST_AUTO_TEST_CASE(settles_only_the_outcomes_of_the_queues_that_do_not_rest)
{
    queue_dispatcher worker{queue_order::strict, 2, {{1}, {1}}};
    worker.ended(*worker.next(now), 1);
    worker.ended(*worker.next(now), 1);
    worker.stop_taking();
    worker.job_ended(0, true);
    worker.job_ended(1, true);
    worker.refused(*worker.next(now), now + 1h);
    check_step(worker.next(now), {.queue = 1, .acknowledge = 1});
    BOOST_TEST(!worker.next(now).has_value());
    check_step(worker.next(now + 1h), {.queue = 0, .acknowledge = 1});
}

BOOST_AUTO_TEST_CASE(rests_until_the_later_of_two_times)
{
    queue_dispatcher worker{queue_order::strict, 2 * max_batch, {{unlimited}}};
    const auto first = worker.next(now), second = worker.next(now);
    worker.refused(*first, now + 2s);
    worker.refused(*second, now + 1s);
    BOOST_TEST(!worker.next(now + 1s).has_value());
    check_step(worker.next(now + 2s), {.take = max_batch});
}

BOOST_AUTO_TEST_CASE(does_not_let_a_queue_make_up_for_its_rest)
{
    queue_dispatcher worker{queue_order::round_robin, 1, {{1}, {1}}};
    const auto first = worker.next(now);
    check_step(first, {.queue = 0, .take = 1});
    worker.refused(*first, now + 1s);
    BOOST_TEST(work_off(worker, "AB", {0, 100}) == std::string(100, 'B'));
    worker.jobs_ready(1);
    std::string order;
    for (int i = 0; i != 10; ++i) {
        const auto next = worker.next(now + 1s);
        BOOST_TEST_REQUIRE(next.has_value());
        order += "AB"[next->queue];
        worker.ended(*next, 1);
        worker.job_ended(next->queue, true);
    }
    BOOST_TEST((order == "ABABABABAB" || order == "BABABABABA"), order);
}

BOOST_AUTO_TEST_CASE(does_not_wait_for_the_outcomes_of_a_queue_that_is_given_up)
{
    queue_dispatcher worker{queue_order::strict, 2, {{unlimited}}};
    worker.ended(*worker.next(now), 1);
    worker.job_ended(0, true);
    const auto first = worker.next(now);
    worker.refused(*first, queue_dispatcher::time_point::max());
    BOOST_TEST(worker.is_settled());
    BOOST_TEST(!worker.next(now + 1h).has_value());
}

BOOST_AUTO_TEST_CASE(looks_for_leases_that_an_unanswered_take_left_before_anything_else)
{
    queue_dispatcher worker{queue_order::strict, 2 * max_batch, {{unlimited}}};
    const auto first = worker.next(now), second = worker.next(now);
    worker.in_doubt(*first);
    BOOST_TEST(!worker.next(now).has_value()); // the other call is still under way
    worker.ended(*second, max_batch);
    const auto look = worker.next(now);
    check_step(look, {.reconcile = true});
    BOOST_TEST(!worker.next(now).has_value());
    worker.reconciled(*look);
    check_step(worker.next(now), {.take = max_batch});
}

BOOST_AUTO_TEST_CASE(holds_outcomes_back_until_leases_are_reconciled)
{
    queue_dispatcher worker{queue_order::strict, 4, {{unlimited}}};
    worker.ended(*worker.next(now), 4);
    worker.job_ended(0, true);
    worker.in_doubt(*worker.next(now));
    const auto look = worker.next(now);
    check_step(look, {.reconcile = true});
    worker.refused(*look, now + 1s);
    BOOST_TEST(!worker.next(now).has_value());
    check_step(worker.next(now + 1s), {.reconcile = true}); // again, until it succeeds
    worker.reconciled(*look);
    check_step(worker.next(now + 1s), {.acknowledge = 1, .take = 1});
}

BOOST_AUTO_TEST_CASE(repeats_an_unanswered_settlement_without_further_ado)
{
    queue_dispatcher worker{queue_order::strict, 1, {{unlimited}}};
    worker.ended(*worker.next(now), 1);
    worker.stop_taking();
    worker.job_ended(0, true);
    const auto first = worker.next(now);
    check_step(first, {.acknowledge = 1});
    worker.in_doubt(*first);
    check_step(worker.next(now), {.acknowledge = 1});
}

BOOST_AUTO_TEST_CASE(works_on_other_queues_while_one_is_uncertain)
{
    queue_dispatcher worker{queue_order::strict, 4, {{unlimited}, {unlimited}}};
    worker.in_doubt(*worker.next(now));
    check_step(worker.next(now), {.queue = 0, .reconcile = true});
    check_step(worker.next(now), {.queue = 1, .take = 4});
}

// --- stopping ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(looks_for_leases_in_all_queues_when_the_connection_is_a_new_one)
{
    queue_dispatcher worker{queue_order::strict, 10, {{5}, {10}}};
    const auto take = worker.next(now);
    for (const std::size_t queue : {0u, 1u})
        worker.connected_again(queue);
    const auto other = worker.next(now);
    check_step(other, {.queue = 1, .reconcile = true});
    BOOST_TEST(!worker.next(now).has_value()); // the first queue's take has to end before
    worker.ended(*take, 5);
    const auto first = worker.next(now);
    check_step(first, {.queue = 0, .reconcile = true});
    worker.reconciled(*other);
    worker.reconciled(*first);
    BOOST_TEST(!worker.next(now)->reconcile);
}

BOOST_AUTO_TEST_CASE(takes_nothing_more_once_it_stops)
{
    queue_dispatcher worker{queue_order::strict, 4, {{unlimited}}};
    const auto under_way = worker.next(now);
    worker.stop_taking();
    BOOST_TEST(!worker.next(now).has_value());
    BOOST_TEST(!worker.is_settled());
    worker.ended(*under_way, 2);
    BOOST_TEST(worker.running() == 2);
    BOOST_TEST(worker.is_settled());
    worker.job_ended(0, true);
    check_step(worker.next(now), {.acknowledge = 1});
}

BOOST_AUTO_TEST_CASE(stores_no_outcome_before_it_knows_all_jobs_that_go_back_once_it_stops)
{
    queue_dispatcher worker{queue_order::strict, 2 * max_batch, {{unlimited}}};
    const auto first = worker.next(now), second = worker.next(now);
    worker.ended(*first, 2);
    worker.stop_taking();
    worker.job_ended(0, true);
    worker.job_ended(0, true);
    BOOST_TEST(!worker.next(now).has_value());
    worker.ended(*second, 2);
    check_step(worker.next(now), {.acknowledge = 2});
}

// --- parts of one queue --------------------------------------------------------------

BOOST_AUTO_TEST_CASE(takes_turns_between_the_parts_of_a_queue_also_in_strict_order)
{
    queue_dispatcher worker{queue_order::strict, 1, {{1}, {1}}};
    BOOST_TEST(worker.add_part(0) == 2u);
    BOOST_TEST(worker.group_of(2) == 0u);
    BOOST_TEST(work_off(worker, "ABa", {3, 2, 3}) == "AaAaAaBB");
}

BOOST_AUTO_TEST_CASE(gives_all_parts_together_the_share_of_one_queue)
{
    queue_dispatcher worker{queue_order::round_robin, 1, {{1}, {1}}};
    worker.add_part(0);
    worker.add_part(0);
    const auto order = work_off(worker, "AB**", {50, 100, 50, 50}).substr(0, 200);
    BOOST_TEST(std::count(order.begin(), order.end(), 'B') == 100);
}

BOOST_AUTO_TEST_CASE(lets_all_parts_together_have_the_concurrency_of_one_queue)
{
    queue_dispatcher worker{queue_order::strict, 10, {{3}}};
    worker.add_part(0);
    worker.jobs_ready(1);
    const auto first = worker.next(now);
    check_step(first, {.queue = 0, .acknowledge = 0, .take = 3});
    BOOST_TEST(!worker.next(now).has_value());
    worker.ended(*first, 2); // there were no more
    check_step(worker.next(now), {.queue = 1, .acknowledge = 0, .take = 1});
}

BOOST_AUTO_TEST_CASE(takes_nothing_from_a_new_part_before_there_may_be_jobs)
{
    queue_dispatcher worker{queue_order::strict, 10, {{10}}};
    worker.ended(*worker.next(now), 0);
    worker.add_part(0);
    BOOST_TEST(!worker.next(now).has_value());
    worker.jobs_ready(1);
    check_step(worker.next(now), {.queue = 1, .acknowledge = 0, .take = 10});
}

BOOST_AUTO_TEST_CASE(a_part_does_not_make_up_for_the_time_in_which_it_was_empty)
{
    queue_dispatcher worker{queue_order::strict, 1, {{1}}};
    worker.add_part(0);
    BOOST_TEST(work_off(worker, "Aa", {6, 0}) == "AAAAAA");
    BOOST_TEST(work_off(worker, "Aa", {4, 4}).substr(0, 4) == "AaAa");
}

BOOST_AUTO_TEST_CASE(takes_the_more_from_a_part_the_more_wait_there)
{
    queue_dispatcher worker{queue_order::strict, 1, {{1}}};
    worker.add_part(0);
    worker.add_part(0);
    const auto order = work_off(worker, "Aab", {400, 200, 100}, true);
    const auto count = [](std::string_view part, char name) {
        return std::count(part.begin(), part.end(), name);
    };
    const auto half = std::string_view{order}.substr(0, 350);
    BOOST_TEST((count(half, 'A') >= 190 && count(half, 'A') <= 210));
    BOOST_TEST((count(half, 'a') >= 90 && count(half, 'a') <= 110));
    BOOST_TEST((count(half, 'b') >= 40 && count(half, 'b') <= 60));
}

BOOST_AUTO_TEST_CASE(takes_at_least_an_eighth_as_much_from_a_small_part_as_from_the_largest)
{
    queue_dispatcher worker{queue_order::strict, 1, {{1}}};
    worker.add_part(0);
    const auto order = work_off(worker, "Aa", {10'000, 10}, true);
    BOOST_TEST(order.rfind('a') <= 100u);
}

BOOST_AUTO_TEST_CASE(takes_from_the_parts_in_turn_where_nothing_tells_how_many_jobs_wait)
{
    queue_dispatcher worker{queue_order::strict, 1, {{1}}};
    worker.add_part(0);
    BOOST_TEST(work_off(worker, "Aa", {400, 4}).substr(0, 8) == "AaAaAaAa");
}

BOOST_AUTO_TEST_SUITE_END()
