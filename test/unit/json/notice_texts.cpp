// SPDX-License-Identifier: MIT
#include "json/notice_text.hpp"

#include <coworker/error.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(notice_texts)

using namespace coworker;
using detail::describe_notice;

BOOST_AUTO_TEST_CASE(tell_of_a_job_of_a_list_queue)
{
    const auto* const stored =
        R"({"type":"job.failed","at":"1795254869.5","queue":"mail","layout":"list",)"
        R"("state":"broken","id":"a","attempts":"25","message":"\u00c3\u00bc \u00ff"})";
    BOOST_TEST(
        describe_notice(stored).str() ==
        R"({"type":"job.failed","timestamp":"2026-11-21T09:54:29.500000Z","data":{"id":"a","kind":null,)"
        R"("queue":"mail","state":"broken","attempts":25,"failure":{"group":null,"message":"ü )"
        "\xef\xbf\xbd"
        R"(","failed_at":"2026-11-21T09:54:29.500000Z","worker":null}}})");
}

BOOST_AUTO_TEST_CASE(tell_of_a_job_of_a_managed_queue)
{
    const auto* const stored =
        R"({"type":"job.failed","at":"1795254869","queue":"mail","layout":"managed","state":"failed","id":"j",)"
        R"("kind":"K","group":"g","message":"m","worker":"w"})";
    BOOST_TEST(
        describe_notice(stored).str() ==
        R"({"type":"job.failed","timestamp":"2026-11-21T09:54:29.000000Z","data":{"id":"j","kind":"K",)"
        R"("queue":"managed:mail","state":"failed","failure":{"group":"g","message":"m",)"
        R"("failed_at":"2026-11-21T09:54:29.000000Z","worker":"w"}}})");
}

BOOST_AUTO_TEST_CASE(tell_of_batches_as_everywhere)
{
    const auto* const stored =
        R"({"type":"batch.ended","at":"120","batch":["B","0","2","0","1","1","","100","120","failed","","d","","",""]})";
    BOOST_TEST(
        describe_notice(stored).str() ==
        R"({"type":"batch.ended","timestamp":"1970-01-01T00:02:00.000000Z","data":{"id":"B","state":"failed",)"
        R"("description":"d","parent":null,"total":2,"pending":0,"succeeded":1,"failed":1,"cancelled":0,)"
        R"("opened_at":"1970-01-01T00:01:40.000000Z","ended_at":"1970-01-01T00:02:00.000000Z",)"
        R"("problem":null}})");
}

BOOST_AUTO_TEST_CASE(tell_of_queues)
{
    const auto* const stored =
        R"({"type":"queue.no_worker","at":"120","queue":"mail","layout":"managed","since":"60"})";
    BOOST_TEST(describe_notice(stored).str() ==
               R"({"type":"queue.no_worker","timestamp":"1970-01-01T00:02:00.000000Z",)"
               R"("data":{"queue":"managed:mail","without_worker_since":"1970-01-01T00:01:00.000000Z"}})");
}

BOOST_AUTO_TEST_CASE(refuse_what_others_have_written)
{
    for (const auto* wrong :
         {"", "1", "[]", "{}", R"({"type":1})", R"({"type":"x"})", R"({"type":"batch.ended"})",
          R"({"type":"batch.ended","batch":[]})",
          R"({"type":"batch.ended","batch":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]})",
          R"({"type":"job.failed","id":"\u20ac"})", R"({"type":"job.failed","id":"\ud83d\ude00"})"})
        BOOST_CHECK_EXCEPTION((void)describe_notice(wrong), system_error,
                              [](const system_error& error) { return error.code() == errc::not_decodable; });
    // what there is not, is empty, and times are within bounds
    BOOST_TEST(describe_notice(R"({"type":"queue.no_worker","at":"1e300","since":"x"})").str() != "");
}

BOOST_AUTO_TEST_SUITE_END()
