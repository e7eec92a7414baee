// SPDX-License-Identifier: MIT
#include "managed/managed_client/qless_command.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(qless_commands)

using namespace coworker::detail;

BOOST_AUTO_TEST_CASE(are_found_under_their_own_names)
{
    for (const auto* name : {"put", "put_many", "config.get", "config.unset", "recur", "recur.get",
                             "recur.untag", "worker.deregister", "workers", "queue.forget", "queues"})
        BOOST_TEST(find_command(name) != nullptr, name);
    for (const auto* name :
         {"", "nonsense", "config_get", "recur_tag", "put.many", "managed/put", "list/ack_and_fetch", "PUT"})
        BOOST_TEST(find_command(name) == nullptr, name);
}

BOOST_AUTO_TEST_CASE(are_refused_without_code_script_and_hash)
{
    const std::string hash = "0123456789abcdef0123456789abcdef01234567";
    BOOST_TEST(bare_error("ERR Put(): x") == "Put(): x");
    BOOST_TEST(bare_error("ERR user_script:12: Put(): x script: " + hash + ", on @user_script:12.") ==
               "Put(): x");
    BOOST_TEST(bare_error("WRONGTYPE Operation script: " + hash + ", on @user_script:5.") ==
               "WRONGTYPE Operation");
    for (const auto* text : {"user_script: it", "user_script:x: it", "a script: b.", "",
                             "a script: 0123, on @user_script:5.", "OOM command not allowed"})
        BOOST_TEST(bare_error(text) == text);
}

BOOST_AUTO_TEST_SUITE_END()
