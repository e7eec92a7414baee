// SPDX-License-Identifier: MIT
#include "worker/outbox.hpp"

#include "bounds.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

using coworker::detail::max_batch_bytes;
using coworker::detail::running_job;

BOOST_AUTO_TEST_SUITE(outbox)

using box = coworker::detail::outbox;

/// Adds a job that was taken as this one.
void add(box& to, std::uint64_t number, std::size_t size = 10, bool in_order = false)
{
    std::list<running_job> held(1);
    held.front().number = number;
    held.front().job.body.assign(size, 'x');
    to.jobs().splice(to.place_of(held.front(), in_order), held, held.begin());
}

std::vector<std::uint64_t> numbers(const std::list<running_job>& jobs)
{
    std::vector<std::uint64_t> all;
    for (const auto& job : jobs)
        all.push_back(job.number);
    return all;
}

using order = std::vector<std::uint64_t>;

BOOST_AUTO_TEST_CASE(sends_first_what_has_ended_first)
{
    box jobs;
    for (const std::uint64_t number : order{2, 1, 3})
        add(jobs, number);
    BOOST_TEST(jobs.fitting(2, false) == 2u);
    BOOST_TEST(numbers(jobs.take(2, false)) == (order{2, 1}), boost::test_tools::per_element());
    BOOST_TEST(numbers(jobs.jobs()) == (order{3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(keeps_the_order_of_taking_when_the_worker_stops_and_sends_the_last_first)
{
    box jobs;
    for (const std::uint64_t number : order{2, 4, 1, 3})
        add(jobs, number, 10, true);
    BOOST_TEST(numbers(jobs.jobs()) == (order{1, 2, 3, 4}), boost::test_tools::per_element());
    BOOST_TEST(numbers(jobs.take(3, true)) == (order{2, 3, 4}), boost::test_tools::per_element());
    BOOST_TEST(numbers(jobs.jobs()) == (order{1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_was_not_answered_comes_back_where_it_was_and_is_marked)
{
    for (const bool backwards : {false, true}) {
        box jobs;
        for (const std::uint64_t number : order{1, 2, 3})
            add(jobs, number);
        auto batch = jobs.take(2, backwards);
        jobs.put_back(batch, backwards);
        BOOST_TEST(batch.empty());
        BOOST_TEST(numbers(jobs.jobs()) == (order{1, 2, 3}), boost::test_tools::per_element());
        BOOST_TEST(jobs.jobs().front().repeated == !backwards);
        BOOST_TEST(jobs.jobs().back().repeated == backwards);
    }
}

BOOST_AUTO_TEST_CASE(limits_the_bytes_of_a_call_but_sends_one_job_at_least)
{
    box jobs;
    add(jobs, 1, max_batch_bytes / 2);
    add(jobs, 2, max_batch_bytes / 2);
    add(jobs, 3, max_batch_bytes + 1);
    BOOST_TEST(jobs.fitting(3, false) == 2u);
    BOOST_TEST(jobs.fitting(1, false) == 1u);
    BOOST_TEST(jobs.fitting(3, true) == 1u);
    BOOST_TEST(jobs.fitting(0, true) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
