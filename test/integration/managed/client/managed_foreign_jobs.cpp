// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Jobs that Ruby and Python clients of qless have put, and what older versions left behind.
BOOST_AUTO_TEST_SUITE(managed_foreign_jobs)

BOOST_FIXTURE_TEST_CASE(a_job_put_by_another_client_is_read, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        // As qless-py sends it: a time with seven digits, every option, numbers as text.
        call("put", listed("1700000000.1234567", "host", "mail", "j", "app.Mail",
                           R"({"a\/b": "caf\u00e9", "list": [], "n": 12345678901234567890})", "0", "priority",
                           "7.9", "tags", R"(["a\/b", "\u00e9", 7])", "retries", "3", "depends", "[]"));
        const auto job = (co_await jobs.async_get("j")).value();
        BOOST_TEST(job.kind == "app.Mail");
        BOOST_TEST(job.data == R"({"a\/b": "caf\u00e9", "list": [], "n": 12345678901234567890})");
        BOOST_TEST(job.priority == 7.9);
        BOOST_TEST(job.tags == listed("a/b", "\u00e9", "7"));
        BOOST_TEST(job.retries == 3);
        BOOST_TEST((job.history.front().when == timestamp{1'700'000'000s}));
        BOOST_TEST(job.data_as<boost::json::value>()->at("list").is_array());

        const auto popped = co_await pop("w");
        BOOST_TEST((co_await complete_job(jobs, popped[0])).has_value());
        BOOST_TEST(stored("j", "data") == job.data); // to the byte
    });
}

BOOST_FIXTURE_TEST_CASE(empty_lists_may_have_been_stored_in_either_form, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        call("put", listed("1", "w", "mail", "j", "k", "{}", "0"));
        for (const auto* tags : {"{}", "[]"}) {
            server("HSET", "ql:j:j", "tags", tags, "failure", "{}");
            const auto job = (co_await jobs.async_get("j")).value();
            BOOST_TEST(job.tags.empty());
            BOOST_TEST(!job.failure);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(a_history_of_the_old_form_is_read, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        call("put", listed("1", "w", "mail", "j", "k", "{}", "0"));
        server("DEL", "ql:j:j-history");
        server(
            "HSET", "ql:j:j", "history",
            R"([{"q":"mail","put":10.5,"popped":11,"worker":"v","failed":12},{"q":"mail","put":13,"done":14}])");
        const auto history = (co_await jobs.async_get("j")).value().history;
        BOOST_TEST_REQUIRE(history.size() == 5u);
        BOOST_TEST(history[0].what == "put");
        BOOST_TEST((history[0].when == timestamp{10s}));
        BOOST_TEST(history[0].queue == "mail");
        BOOST_TEST(history[1].worker == "v");
        BOOST_TEST(history[4].what == "done");
    });
}

BOOST_FIXTURE_TEST_CASE(a_failed_job_has_an_empty_expiry, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        call("put", listed("1", "w", "mail", "j", "k", "{}", "0"));
        call("pop", listed("2", "mail", "w", "1"));
        call("fail", listed("3.75", "j", "w", "g", "m"));
        BOOST_TEST(stored("j", "expires").empty());
        const auto job = (co_await jobs.async_get("j")).value();
        BOOST_TEST(!job.expires);
        BOOST_TEST((job.failure->when == timestamp{3s}));
    });
}

BOOST_FIXTURE_TEST_CASE(texts_that_are_not_utf8_do_not_keep_a_job_from_being_read, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        call("put", listed("1", "w", "mail", "j\xff", "k", "\"\xfe\"", "0"));
        const auto popped = co_await pop("w");
        BOOST_TEST_REQUIRE(popped.size() == 1u);
        BOOST_TEST(popped[0].jid == "j\xff");
        BOOST_TEST(popped[0].data == "\"\xfe\"");
        BOOST_TEST(!popped[0].data_as<std::string>());
        BOOST_TEST((co_await complete_job(jobs, popped[0])).has_value());
    });
}

BOOST_FIXTURE_TEST_CASE(data_that_only_lua_takes_for_json_come_back_as_they_are, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        call("put", listed("1", "w", "mail", "j", "k", "[nan, 0x10]", "0"));
        const auto popped = co_await pop("w");
        BOOST_TEST(popped[0].data == "[nan, 0x10]");
        BOOST_TEST(!popped[0].data_as<boost::json::value>());
        managed_queue other{redis, "other"};
        BOOST_TEST((co_await other.async_requeue(popped[0])).has_value());
        const auto again = co_await pop_jobs(jobs, "other", "w");
        BOOST_TEST((co_await complete_job(jobs, again[0])).has_value());
        BOOST_TEST(stored("j", "data") == "[nan, 0x10]");
    });
}

BOOST_FIXTURE_TEST_CASE(a_recurring_job_of_another_client_is_read, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        call("recur", listed("1.5", "mail", "r", "k", "[]", "interval", "0.5", "0", "tags", "[]", "priority",
                             "-0.5", "retries", "2"));
        const auto job = (co_await jobs.async_recurring("r")).value();
        BOOST_TEST((job.interval == 500ms));
        BOOST_TEST(job.priority == -0.5);
        BOOST_TEST(job.tags.empty());
        BOOST_TEST(job.backlog == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
