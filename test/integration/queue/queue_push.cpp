// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include <boost/describe/class.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

struct email
{
    std::string to, subject;
};
BOOST_DESCRIBE_STRUCT(email, (), (to, subject))

} // namespace

BOOST_AUTO_TEST_SUITE(queue_push)

BOOST_FIXTURE_TEST_CASE(a_job_is_written_as_hworker_writes_it, client_test)
{
    list_queue<email> emails{redis, "emails"};
    run([&]() -> asio::awaitable<void> {
        const email welcome{"ada@example.com", "Caf\u00e9 \"1/2\"\n"};
        const auto id = co_await emails.async_push(welcome);
        const auto written = server("LRANGE", "hworker-jobs-emails", 0, -1).texts();
        BOOST_REQUIRE(written.size() == 1u);
        BOOST_TEST(written.front() ==
                   "[\"" + id + "\",{\"to\":\"ada@example.com\",\"subject\":\"Caf\u00e9 \\\"1/2\\\"\\n\"}]");
        BOOST_TEST(id.size() == 36u);
        BOOST_TEST(queued_at(id).has_value());
    });
    // Nothing else is written, but that there is such a queue.
    BOOST_TEST(server("DBSIZE").integer == 2);
    BOOST_TEST(server("SISMEMBER", "hworker-queues", "emails").integer == 1);
}

BOOST_FIXTURE_TEST_CASE(jobs_wait_in_the_order_in_which_they_were_pushed, client_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<std::string> ids;
        for (int i = 0; i != 3; ++i)
            ids.push_back(co_await numbers.async_push(i));
        const std::vector<int> more{3, 4, 5};
        for (auto& id : co_await numbers.async_push_many(more))
            ids.push_back(std::move(id));
        std::vector<std::string> expected;
        for (std::size_t i = 0; i != ids.size(); ++i)
            expected.push_back("[\"" + ids[i] + "\"," + std::to_string(i) + "]");
        BOOST_TEST(payloads() == expected, boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(many_thousand_jobs_are_pushed_in_one_call, client_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<int> many(20'000);
        for (std::size_t i = 0; i != many.size(); ++i)
            many[i] = static_cast<int>(i);
        const auto ids = co_await numbers.async_push_many(many);
        BOOST_TEST(std::set<std::string>(ids.begin(), ids.end()).size() == many.size());
        const auto waiting = payloads();
        BOOST_REQUIRE(waiting.size() == many.size());
        for (std::size_t i = 0; i != many.size(); ++i)
            BOOST_REQUIRE(waiting[i] == "[\"" + ids[i] + "\"," + std::to_string(i) + "]");
    });
}

BOOST_FIXTURE_TEST_CASE(pushing_no_jobs_does_nothing, client_test)
{
    run([&]() -> asio::awaitable<void> {
        BOOST_TEST((co_await numbers.async_push_many(std::vector<int>{})).empty());
        BOOST_TEST(server("DBSIZE").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(a_delayed_job_is_due_by_the_servers_clock, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto id = co_await numbers.async_push(7, {.delay = 1h});
        BOOST_TEST(length() == 0);
        const auto now = server("TIME").texts();
        const auto entry = server("ZRANGE", "hworker-scheduled-numbers", 0, -1, "WITHSCORES").texts();
        BOOST_REQUIRE(entry.size() == 2u);
        BOOST_TEST(entry[0].ends_with("[\"" + id + "\",7]"));
        const double due_in = std::stod(entry[1]) - 1000 * std::stod(now[0]);
        BOOST_TEST(due_in > 3'590'000.0);
        BOOST_TEST(due_in < 3'602'000.0);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_is_pushed_for_a_point_in_time, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const timestamp later{std::chrono::milliseconds{4'000'000'000'123}};
        co_await numbers.async_push(7, {.at = later});
        const auto jobs = co_await jobs_in(job_state::scheduled);
        BOOST_REQUIRE(jobs.size() == 1u);
        BOOST_TEST((jobs.front().due_at == later));
    });
}

BOOST_FIXTURE_TEST_CASE(many_delayed_jobs_keep_their_order, client_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<int> many(300);
        for (std::size_t i = 0; i != many.size(); ++i)
            many[i] = static_cast<int>(i);
        co_await numbers.async_push_many(many, {.at = timestamp{1h}}); // long past, so due at once
        BOOST_TEST((co_await numbers.async_sizes()).overdue == many.size());
        std::vector<int> ran;
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, [&](int n) { ran.push_back(n); });
        co_await work(subject, many.size());
        BOOST_TEST(ran == many, boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(a_caller_gives_a_job_its_own_id, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::string odd = "a \"quoted\"\\id\n\u00e9";
        BOOST_TEST(co_await numbers.async_push(1, {.id = "order-17"}) == "order-17");
        BOOST_TEST(co_await numbers.async_push(2, {.id = odd}) == odd);
        const auto waiting = co_await jobs_in(job_state::waiting);
        BOOST_REQUIRE(waiting.size() == 2u);
        BOOST_TEST(waiting[0].payload == R"(["order-17",1])");
        BOOST_TEST(waiting[1].id == odd);
        // The same id again is another job.
        co_await numbers.async_push(1, {.id = "order-17"});
        BOOST_TEST(length() == 3);
    });
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_pushed_is_refused_before_anything_is_sent, client_test)
{
    const list_queue_options small{.max_job_size = 8};
    list_queue<std::string> texts{redis, "numbers", small};
    list_queue<double> doubles{redis, "numbers"};
    raw_list_queue raw{redis, "numbers"};
    run([&]() -> asio::awaitable<void> {
        const std::vector<std::string> one_too_long{"short", "much too long"};
        BOOST_TEST(
            !(co_await error_of([&] { return texts.async_push("123456"); })).code); // eight with its quotes
        server("DEL", "hworker-jobs-numbers", "hworker-queues");
        BOOST_TEST(co_await error_of([&] { return texts.async_push("1234567"); }) == errc::job_too_large);
        BOOST_TEST(co_await error_of([&] { return texts.async_push_many(one_too_long); }) ==
                   errc::job_too_large);
        BOOST_TEST(co_await error_of([&] { return texts.async_push("\xff"); }) == errc::not_serializable);
        BOOST_TEST(co_await error_of([&] { return doubles.async_push(std::nan("")); }) ==
                   errc::not_serializable);
        BOOST_TEST(co_await error_of([&] {
                       return doubles.async_push(std::numeric_limits<double>::infinity());
                   }) == errc::not_serializable);
        BOOST_TEST(co_await error_of([&] { return raw.async_push_json(raw_json{"{"}); }) ==
                   errc::not_serializable);
        BOOST_TEST(co_await error_of([&] { return raw.async_push_json(raw_json{""}); }) ==
                   errc::not_serializable);
        BOOST_TEST(co_await error_of([&] { return raw.async_push_json(raw_json{"1 2"}); }) ==
                   errc::not_serializable);
        BOOST_TEST(co_await error_of([&] {
                       return raw.async_push_json(raw_json{std::string(300, '[') + std::string(300, ']')});
                   }) == errc::not_serializable);
        BOOST_TEST(server("DBSIZE").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(unusable_options_are_refused_before_anything_is_sent, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> two{1, 2};
        const std::string long_id(257, 'x');
        BOOST_TEST(co_await error_of([&] { return numbers.async_push(1, {.id = ""}); }) ==
                   errc::invalid_job_id);
        BOOST_TEST(co_await error_of([&] { return numbers.async_push(1, {.id = long_id}); }) ==
                   errc::invalid_job_id);
        BOOST_TEST(co_await error_of([&] { return numbers.async_push(1, {.id = "\xff"}); }) ==
                   errc::invalid_job_id);
        BOOST_TEST(co_await error_of([&] { return numbers.async_push_many(two, {.id = "a"}); }) ==
                   errc::invalid_option);
        BOOST_TEST(co_await error_of([&] {
                       return numbers.async_push(1, {.delay = 1s, .at = timestamp{1h}});
                   }) == errc::invalid_option);
        BOOST_TEST(server("DBSIZE").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(unusable_queue_names_and_limits_are_refused, client_test)
{
    const auto make = [&](std::string name, list_queue_options options = {}) {
        return error_in([&] { raw_list_queue{redis, std::move(name), options}; });
    };
    BOOST_TEST(make("") == errc::invalid_queue_name);
    BOOST_TEST(make(std::string(513, 'q')) == errc::invalid_queue_name);
    BOOST_TEST(!make(std::string(512, 'q')).code);
    BOOST_TEST(!make(std::string{"a b\0c", 5}).code);
    BOOST_TEST(make("q", {.failed_limit = 0}) == errc::invalid_option);
}

BOOST_FIXTURE_TEST_CASE(raw_json_travels_byte_for_byte, client_test)
{
    raw_list_queue raw{redis, "numbers"};
    run([&]() -> asio::awaitable<void> {
        const std::string text = R"( { "n" : 1.50e+3 , "big":123456789012345678901234567890, "e":[] } )";
        const auto id = co_await raw.async_push_json(raw_json{text});
        BOOST_TEST(payloads().front() == "[\"" + id + "\"," + text + "]");
    });
}

BOOST_AUTO_TEST_SUITE_END()
