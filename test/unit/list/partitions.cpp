// SPDX-License-Identifier: MIT
#include "list/partitions.hpp"

#include "redis/cluster/key_slot.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>

BOOST_AUTO_TEST_SUITE(partitions)

using namespace coworker::detail;

BOOST_AUTO_TEST_CASE(have_names_that_are_hash_tags)
{
    BOOST_TEST(partition_name("emails", 0) == "{emails:0}");
    BOOST_TEST(partition_name("emails", 1023) == "{emails:1023}");
    BOOST_TEST(partitions_key("emails") == "hworker-partitions-emails");
}

BOOST_AUTO_TEST_CASE(are_for_queues_whose_names_have_no_braces)
{
    BOOST_TEST(can_be_divided("emails"));
    BOOST_TEST(can_be_divided(std::string(500, 'x')));
    BOOST_TEST(!can_be_divided(std::string(501, 'x')));
    for (const auto* name : {"{emails}", "emails}", "a{b", "{emails:0}"})
        BOOST_TEST(!can_be_divided(name));
}

/// As `CLUSTER KEYSLOT` says.
BOOST_AUTO_TEST_CASE(get_the_keys_that_redis_slots_say)
{
    BOOST_TEST(partition_of("somekey", 16) == 11058 % 16);
    BOOST_TEST(partition_of("somekey", 1) == 0u);
    BOOST_TEST(partition_of("foo{hash_tag}", 16) == 2515 % 16);
    BOOST_TEST(partition_of("{hash_tag}", 16) == 2515 % 16);
}

/// Three nodes have a third of the slots each.
BOOST_AUTO_TEST_CASE(are_spread_over_nodes)
{
    for (const auto* queue : {"emails", "webhooks", "a", "media:thumbnails", "reports 2026"}) {
        constexpr unsigned count = 48;
        std::array<unsigned, 3> on_node{};
        for (unsigned i = 0; i != count; ++i)
            ++on_node[slot_of(partition_name(queue, i)) * 3 / slot_count];
        BOOST_TEST_CONTEXT(queue << ": " << on_node[0] << ' ' << on_node[1] << ' ' << on_node[2])
        {
            BOOST_TEST(*std::min_element(on_node.begin(), on_node.end()) >= count / 3 / 2);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
