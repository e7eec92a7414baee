// SPDX-License-Identifier: MIT
#include "coworker/metrics.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <set>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(event_counters)

using coworker::event_kind;

BOOST_AUTO_TEST_CASE(begins_with_nothing)
{
    const coworker::event_counters counters;
    BOOST_TEST(counters[event_kind::connected] == 0);
    BOOST_TEST(counters[event_kind::stopped] == 0);
    BOOST_TEST(counters.running() == 0);
    BOOST_TEST(counters.busy_time().count() == 0);
}

BOOST_AUTO_TEST_CASE(counts_each_kind_for_itself)
{
    const coworker::event_counters counters;
    const auto observe = counters.observe();
    observe({.kind = event_kind::succeeded});
    observe({.kind = event_kind::succeeded});
    observe({.kind = event_kind::stopped});
    BOOST_TEST(counters[event_kind::succeeded] == 2);
    BOOST_TEST(counters[event_kind::stopped] == 1);
    BOOST_TEST(counters[event_kind::failed] == 0);
}

BOOST_AUTO_TEST_CASE(counts_jobs_where_an_event_speaks_of_many)
{
    const coworker::event_counters counters;
    const auto observe = counters.observe();
    for (const auto kind : {event_kind::fetched, event_kind::recovered, event_kind::leases_renewed}) {
        observe({.kind = kind, .count = 3});
        observe({.kind = kind, .count = 4});
        BOOST_TEST(counters[kind] == 7);
    }
    observe({.kind = event_kind::ack_failed, .count = 5});
    BOOST_TEST(counters[event_kind::ack_failed] == 1);
}

BOOST_AUTO_TEST_CASE(knows_how_many_handlers_run)
{
    const coworker::event_counters counters;
    const auto observe = counters.observe();
    for (int i = 0; i != 5; ++i)
        observe({.kind = event_kind::started});
    observe({.kind = event_kind::succeeded, .duration = 1ms});
    observe({.kind = event_kind::retried, .duration = 2ms});
    observe({.kind = event_kind::failed, .duration = 3ms});
    BOOST_TEST(counters.running() == 2);
    BOOST_TEST((counters.busy_time() == 6ms));
}

BOOST_AUTO_TEST_CASE(gives_observers_that_outlive_it)
{
    std::optional<coworker::event_counters> counters{std::in_place};
    const auto observe = counters->observe();
    counters.reset();
    observe({.kind = event_kind::stopped});
}

BOOST_AUTO_TEST_CASE(shares_its_numbers_with_its_copies)
{
    const coworker::event_counters counters;
    const auto copy = counters;
    counters.observe()({.kind = event_kind::failed});
    BOOST_TEST(copy[event_kind::failed] == 1);
}

BOOST_AUTO_TEST_CASE(has_a_name_for_every_kind_of_event)
{
    std::set<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(event_kind::stopped); ++i) {
        const auto name = to_string(static_cast<event_kind>(i));
        BOOST_TEST(name != "unknown");
        BOOST_TEST(names.insert(name).second, name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
