// SPDX-License-Identifier: MIT
#include "list/partition_names.hpp"
#include "list/partitions.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker::detail;

BOOST_AUTO_TEST_SUITE(partition_names)

BOOST_AUTO_TEST_CASE(a_partition_is_read_from_its_name)
{
    for (const unsigned index : {0u, 7u, 1023u}) {
        const auto name = partition_name("emails:de", index);
        const auto place = read_partition_name(name);
        BOOST_TEST_REQUIRE(place.has_value());
        BOOST_TEST(place->queue == "emails:de");
        BOOST_TEST(place->index == index);
    }
    BOOST_TEST(partition_name("emails", 3) == "{emails:3}");
}

BOOST_AUTO_TEST_CASE(other_names_are_no_partitions)
{
    for (const char* const name :
         {"", ":", "{:0}", "emails", "{emails}", "{emails:}", "emails:0", "{emails:0", "{emails:0}x",
          "{emails:00}", "{emails:01}", "{emails:-1}", "{emails:+1}", "{emails:1 }", "{emails:1024}",
          "{emails:99999999999}", "{{emails}:1}"})
        BOOST_TEST(!read_partition_name(name).has_value(), name);
}

BOOST_AUTO_TEST_CASE(the_number_has_a_key_and_a_form)
{
    BOOST_TEST(queue_of_partitions_key(partitions_key("emails-de")) == "emails-de");
    BOOST_TEST(queue_of_partitions_key("hworker-partitions-{emails}").empty());
    BOOST_TEST(queue_of_partitions_key("hworker-partitions-").empty());
    BOOST_TEST(queue_of_partitions_key("hworker-jobs-emails").empty());
    BOOST_TEST(read_number_of_partitions("1") == 1u);
    BOOST_TEST(read_number_of_partitions("1024") == 1024u);
    for (const char* const text : {"", "0", "00", "01", "-1", "1025", "16 ", "many"})
        BOOST_TEST(read_number_of_partitions(text) == 0u, text);
}

BOOST_AUTO_TEST_SUITE_END()
