// SPDX-License-Identifier: MIT
#include "redis/cluster/key_slot.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(key_slot)

using namespace coworker::detail;

BOOST_AUTO_TEST_CASE(gives_keys_the_slots_that_redis_gives_them)
{
    BOOST_TEST(slot_of("123456789") == 0x31C3); // the check value of the specification
    BOOST_TEST(slot_of("foo") == 12182);
    BOOST_TEST(slot_of("bar") == 5061);
    BOOST_TEST(slot_of("zzz") == 10118); // CLUSTER KEYSLOT
    BOOST_TEST(slot_of("aaa") == 10439);
    BOOST_TEST(slot_of("") == 0);
    BOOST_TEST(slot_of("\xff\xfe") < slot_count);
}

BOOST_AUTO_TEST_CASE(looks_at_what_stands_in_the_first_braces)
{
    BOOST_TEST(hashed_part("{user1000}.following") == "user1000");
    BOOST_TEST(slot_of("{user1000}.following") == slot_of("{user1000}.followers"));
    BOOST_TEST(slot_of("hworker-jobs-{emails}") == slot_of("emails"));
    BOOST_TEST(hashed_part("foo{{bar}}zap") == "{bar");
    BOOST_TEST(hashed_part("foo{bar}{zap}") == "bar");
}

BOOST_AUTO_TEST_CASE(looks_at_the_whole_key_where_the_braces_are_empty_or_not_closed)
{
    for (const auto* key : {"foo{}{bar}", "foo{bar", "foo}bar{", "{}", "{", ""}) {
        BOOST_TEST(hashed_part(key) == key);
        BOOST_TEST(!has_hash_tag(key));
    }
    BOOST_TEST(has_hash_tag("{emails}"));
    BOOST_TEST(has_hash_tag("{tenant-1}ql:"));
}

BOOST_AUTO_TEST_SUITE_END()
