// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

/// Into how many partitions a queue is divided: `divide` and `partitions`.
BOOST_FIXTURE_TEST_SUITE(divide, script_test)

BOOST_AUTO_TEST_CASE(divides_a_queue)
{
    check({.before = {}, .call = {"divide", {"16"}}, .reply = {"16"}, .after = {{"partitions", text("16")}}});
}

BOOST_AUTO_TEST_CASE(raises_the_number_and_never_lowers_it)
{
    const state sixteen{{"partitions", text("16")}};
    check({.before = sixteen,
           .call = {"divide", {"17"}},
           .reply = {"17"},
           .after = {{"partitions", text("17")}}});
    for (const auto* fewer : {"0", "1", "15", "16"}) {
        redis()("FLUSHALL");
        check({.before = sixteen, .call = {"divide", {fewer}}, .reply = {"16"}, .after = sixteen});
    }
}

BOOST_AUTO_TEST_CASE(leaves_a_queue_whole_if_nothing_is_asked_for)
{
    check({.before = {}, .call = {"divide", {"0"}}, .reply = {"0"}, .after = {}});
}

BOOST_AUTO_TEST_CASE(reads_the_number)
{
    check({.before = {}, .call = {"partitions", {}}, .reply = {"0"}, .after = {}});
    redis()("FLUSHALL");
    const state sixteen{{"partitions", text("16")}};
    check({.before = sixteen, .call = {"partitions", {}}, .reply = {"16"}, .after = sixteen});
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_number)
{
    for (const auto* wrong : {"many", "-1", "1025", "1.5", ""})
        for (const auto* script : {"divide", "partitions"}) {
            redis()("FLUSHALL");
            check({.before = {{"partitions", text(wrong)}},
                   .call = {script, {"16"}},
                   .reply = {"ERR partitions is no number of partitions"},
                   .after = {{"partitions", text(wrong)}}});
        }
}

BOOST_AUTO_TEST_SUITE_END()
