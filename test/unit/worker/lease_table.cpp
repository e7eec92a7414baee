// SPDX-License-Identifier: MIT
#include "worker/lease_table.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <set>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(lease_table)

using coworker::detail::held_lease;
using table = coworker::detail::lease_table;

const table::time_point start{1h};

bool contains(const std::vector<held_lease*>& leases, const held_lease& lease)
{
    return std::find(leases.begin(), leases.end(), &lease) != leases.end();
}

BOOST_AUTO_TEST_CASE(finds_a_lease_due_when_a_third_has_passed)
{
    table leases{120s};
    held_lease lease{.since = start};
    leases.add(lease);
    BOOST_TEST(leases.due(start).empty());
    BOOST_TEST(leases.due(start + 40s - 1ns).empty());
    BOOST_TEST(contains(leases.due(start + 40s), lease));
}

BOOST_AUTO_TEST_CASE(a_lease_may_have_a_length_of_its_own)
{
    table leases{120s};
    held_lease own{.since = start, .length = 30s}, common{.since = start};
    leases.add(own);
    leases.add(common);
    BOOST_TEST(leases.due(start + 10s - 1ns).empty());
    BOOST_TEST(leases.due(start + 10s) == std::vector{&own}, boost::test_tools::per_element());
    BOOST_TEST(leases.ending(start + 27s - 1ns).empty());
    BOOST_TEST(leases.ending(start + 27s) == std::vector{&own}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(is_looked_at_more_often_while_a_shorter_lease_is_held)
{
    table leases{120s};
    held_lease longer{.since = start, .length = 120s}, shorter{.since = start, .length = 12s};
    BOOST_TEST(!leases.add(longer));
    BOOST_TEST((leases.tick() == 10s));
    BOOST_TEST(leases.add(shorter));
    BOOST_TEST((leases.tick() == 1s));
    leases.remove(shorter);
    leases.remove(longer);
    BOOST_TEST((leases.tick() == 10s));
}

BOOST_AUTO_TEST_CASE(is_looked_at_more_often_once_a_lease_was_renewed_for_a_shorter_time)
{
    table leases{120s};
    held_lease lease{.since = start, .length = 120s};
    leases.add(lease);
    BOOST_TEST(!leases.renewed(lease, start + 40s, 120s));
    BOOST_TEST(leases.renewed(lease, start + 80s, 12s));
    BOOST_TEST((leases.tick() == 1s));
    BOOST_TEST(contains(leases.due(start + 84s), lease));
}

BOOST_AUTO_TEST_CASE(finds_only_the_leases_that_are_due)
{
    table leases{120s};
    held_lease older{.since = start}, newer{.since = start + 1s};
    leases.add(older);
    leases.add(newer);
    const auto due = leases.due(start + 40s);
    BOOST_TEST(due.size() == 1);
    BOOST_TEST(contains(due, older));
}

BOOST_AUTO_TEST_CASE(does_not_renew_twice_at_the_same_time)
{
    table leases{120s};
    held_lease lease{.since = start, .renewing = true};
    leases.add(lease);
    BOOST_TEST(leases.due(start + 100s).empty());
    lease.renewing = false;
    BOOST_TEST(leases.due(start + 100s).size() == 1);
}

BOOST_AUTO_TEST_CASE(gives_a_lease_up_before_it_can_have_ended)
{
    table leases{100s};
    held_lease lease{.since = start};
    leases.add(lease);
    BOOST_TEST(leases.ending(start + 90s - 1ns).empty());
    BOOST_TEST(contains(leases.ending(start + 90s), lease));
}

BOOST_AUTO_TEST_CASE(gives_a_lease_up_although_its_renewal_is_under_way)
{
    table leases{100s};
    held_lease lease{.since = start, .renewing = true};
    leases.add(lease);
    BOOST_TEST(contains(leases.ending(start + 90s), lease));
}

BOOST_AUTO_TEST_CASE(has_no_more_to_do_with_a_lost_lease)
{
    table leases{100s};
    held_lease lease{.since = start, .lost = true};
    leases.add(lease);
    BOOST_TEST(leases.due(start + 1h).empty());
    BOOST_TEST(leases.ending(start + 1h).empty());
    BOOST_TEST(leases.all().size() == 1);
}

BOOST_AUTO_TEST_CASE(counts_from_the_last_renewal)
{
    table leases{120s};
    held_lease lease{.since = start};
    leases.add(lease);
    lease.since = start + 40s;
    BOOST_TEST(leases.due(start + 79s).empty());
    BOOST_TEST(leases.due(start + 80s).size() == 1);
    BOOST_TEST(leases.ending(start + 110s).empty());
}

BOOST_AUTO_TEST_CASE(a_renewal_that_failed_leaves_the_lease_as_old_as_it_is)
{
    table leases{120s};
    held_lease lease{.since = start};
    leases.add(lease);
    for (auto now = start + 40s; now < start + 108s; now += 1s) {
        BOOST_TEST(leases.ending(now).empty());
        leases.renewing(lease);
        leases.not_renewed(lease, now);
    }
    BOOST_TEST(contains(leases.ending(start + 108s), lease));
}

BOOST_AUTO_TEST_CASE(repeats_a_renewal_that_failed_soon_but_not_at_once)
{
    table leases{120s};
    held_lease lease{.since = start}, other{.since = start + 39s};
    leases.add(lease);
    leases.add(other);
    leases.renewing(lease);
    BOOST_TEST(leases.due(start + 40s).empty());
    leases.not_renewed(lease, start + 40s);
    BOOST_TEST(leases.due(start + 40s).empty());
    BOOST_TEST((leases.pause(start + 40s) == 500ms));
    BOOST_TEST((leases.pause(start + 40s + 400ms) == 100ms));
    BOOST_TEST((leases.pause(start + 42s) == 0ms));
    BOOST_TEST(leases.due(start + 40s + 500ms) == std::vector{&lease}, boost::test_tools::per_element());
    leases.renewing(lease);
    leases.renewed(lease, start + 41s, 120s);
    BOOST_TEST(!contains(leases.due(start + 80s), lease));
    BOOST_TEST((leases.pause(start + 42s) == leases.tick()));
}

BOOST_AUTO_TEST_CASE(repeats_a_renewal_that_failed_several_times_before_a_short_lease_ends)
{
    table leases{600ms};
    held_lease lease{.since = start};
    leases.add(lease);
    leases.not_renewed(lease, start + 200ms);
    BOOST_TEST(contains(leases.due(start + 250ms), lease));
}

BOOST_AUTO_TEST_CASE(renews_a_lease_at_once_that_may_be_lost)
{
    table leases{120s};
    held_lease lease{.since = start}, other{.since = start};
    leases.add(lease);
    leases.add(other);
    BOOST_TEST(!leases.awaits_renewal());
    leases.renew_now(lease);
    BOOST_TEST(leases.awaits_renewal());
    BOOST_TEST((leases.pause(start) == 0ms));
    BOOST_TEST(leases.due(start) == std::vector{&lease}, boost::test_tools::per_element());
    leases.renewing(lease);
    BOOST_TEST(leases.awaits_renewal()); // the answer is not here yet
    leases.renewed(lease, start, 120s);
    BOOST_TEST(!leases.awaits_renewal());
    BOOST_TEST(leases.due(start).empty());
}

BOOST_AUTO_TEST_CASE(renews_a_lease_again_that_may_have_been_lost_while_it_was_being_renewed)
{
    table leases{120s};
    held_lease lease{.since = start};
    leases.add(lease);
    leases.renewing(lease);
    leases.renew_now(lease);
    BOOST_TEST(leases.due(start).empty()); // one call at a time
    leases.renewed(lease, start, 120s);
    BOOST_TEST(contains(leases.due(start), lease));
}

BOOST_AUTO_TEST_CASE(does_not_wait_with_a_lease_that_may_be_lost_because_its_last_renewal_failed)
{
    table leases{120s};
    held_lease lease{.since = start};
    leases.add(lease);
    leases.not_renewed(lease, start);
    leases.renew_all_now(); // there is a new connection
    BOOST_TEST(contains(leases.due(start), lease));
}

BOOST_AUTO_TEST_CASE(does_not_keep_up_a_lease_that_was_given_up)
{
    table leases{120s};
    held_lease lease{.since = start};
    leases.add(lease);
    leases.give_up(lease);
    BOOST_TEST(leases.ending(start + 119s).empty()); // once is enough
    BOOST_TEST(leases.due(start + 119s).empty());
    leases.renew_now(lease); // its token is needed
    BOOST_TEST(contains(leases.due(start + 119s), lease));
}

BOOST_AUTO_TEST_CASE(keeps_the_others_when_one_is_removed)
{
    table leases{120s};
    std::vector<held_lease> many(100);
    std::set<const held_lease*> expected;
    for (auto& lease : many) {
        leases.add(lease);
        expected.insert(&lease);
    }
    std::mt19937 random{7};
    std::vector<std::size_t> order(many.size());
    for (std::size_t i = 0; i != order.size(); ++i)
        order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    for (const auto i : order) {
        leases.remove(many[i]);
        expected.erase(&many[i]);
        const std::set<const held_lease*> left{leases.all().begin(), leases.all().end()};
        BOOST_TEST_REQUIRE((left == expected));
        BOOST_TEST_REQUIRE(leases.all().size() == expected.size());
    }
}

BOOST_AUTO_TEST_CASE(is_looked_at_several_times_before_a_renewal_is_overdue)
{
    BOOST_TEST(table{120s}.tick().count() == 10'000);
    BOOST_TEST(table{1200ms}.tick().count() == 100);
    BOOST_TEST(table{10ms}.tick().count() == 5); // but not all the time
}

BOOST_AUTO_TEST_SUITE_END()
