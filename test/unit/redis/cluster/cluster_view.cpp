// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster_view.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(cluster_view)

using namespace coworker::detail;
using view = coworker::detail::cluster_view;

namespace {

const node_address old_primary{"a", "7000"}, new_primary{"b", "7000"};

view view_of(const node_address& primary, std::uint64_t epoch, bool is_well = true)
{
    view told;
    told.slots.assign(0, 16383, primary);
    told.epoch = epoch;
    told.is_well = is_well;
    return told;
}

node_address believed(const view_choice& views)
{
    return *views.best()->slots.owner(0);
}

} // namespace

BOOST_AUTO_TEST_CASE(reads_what_a_node_tells_of_the_cluster)
{
    view told;
    read_info("txt:cluster_state:fail\r\ncluster_slots_assigned:16384\r\ncluster_current_epoch:17\r\n"
              "cluster_my_epoch:3\r\n",
              told);
    BOOST_TEST(!told.is_well);
    BOOST_TEST(told.epoch == 17u);
    read_info("cluster_current_epoch:18\r\ncluster_state:ok", told);
    BOOST_TEST(told.is_well);
    BOOST_TEST(told.epoch == 18u);
}

BOOST_AUTO_TEST_CASE(takes_a_node_that_does_not_tell_for_well)
{
    for (const auto* info : {"", "\r\n", "cluster_state", "cluster_current_epoch:x\r\n"}) {
        view told;
        read_info(info, told);
        BOOST_TEST(told.is_well);
        BOOST_TEST(told.epoch == 0u);
    }
}

BOOST_AUTO_TEST_CASE(believes_the_first_one_that_is_well)
{
    view_choice views{5};
    BOOST_TEST(!views.is_certain());
    BOOST_TEST(!views.best().has_value());
    views.offer(view_of(old_primary, 5));
    BOOST_TEST(views.is_certain());
    BOOST_TEST((believed(views) == old_primary));
}

BOOST_AUTO_TEST_CASE(believes_one_that_tells_no_epoch)
{
    view_choice views{5};
    views.offer(view_of(old_primary, 0));
    BOOST_TEST(views.is_certain());
}

BOOST_AUTO_TEST_CASE(asks_others_when_one_misses_them)
{
    view_choice views{5};
    views.offer(view_of(old_primary, 5, false));
    BOOST_TEST(!views.is_certain());
    views.offer(view_of(new_primary, 6));
    BOOST_TEST(views.is_certain());
    BOOST_TEST((believed(views) == new_primary));
}

BOOST_AUTO_TEST_CASE(asks_others_when_one_has_missed_a_failover)
{
    view_choice views{6};
    views.offer(view_of(old_primary, 5)); // thawed just now
    BOOST_TEST(!views.is_certain());
    views.offer(view_of(new_primary, 6));
    BOOST_TEST(views.is_certain());
    BOOST_TEST((believed(views) == new_primary));
}

BOOST_AUTO_TEST_CASE(does_not_believe_one_that_misses_the_others_whatever_it_counts)
{
    view_choice views{6};
    views.offer(view_of(old_primary, 9, false)); // a replica that has voted for itself in vain
    views.offer(view_of(new_primary, 5));
    BOOST_TEST((believed(views) == new_primary));
    views.offer(view_of(old_primary, 10, false));
    BOOST_TEST((believed(views) == new_primary));
}

BOOST_AUTO_TEST_CASE(makes_do_with_what_there_is)
{
    view_choice views{6};
    views.offer(view_of(old_primary, 4, false));
    views.offer(view_of(new_primary, 5, false));
    views.offer(view_of(old_primary, 5, false));
    BOOST_TEST(!views.is_certain());
    BOOST_TEST((believed(views) == new_primary));
}

BOOST_AUTO_TEST_SUITE_END()
