// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/describe/class.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <list>
#include <map>
#include <memory>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

struct full_email
{
    std::string to;
    std::vector<int> sizes;
    std::optional<std::string> subject;
};
BOOST_DESCRIBE_STRUCT(full_email, (), (to, sizes, subject))

} // namespace

BOOST_AUTO_TEST_SUITE(worker_handlers)

BOOST_FIXTURE_TEST_CASE(take_the_job_and_the_context_or_not_and_return_an_outcome_or_not, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> jobs{1, 2, 3};
        std::map<std::string, std::vector<int>> seen; // by queue
        std::list<list_queue<int>> queues;
        worker subject{redis, observed({.concurrency = 1})};
        const auto add = [&](const char* name, auto handler) {
            subject.handle(queues.emplace_back(redis, name), std::move(handler));
        };
        add("a coroutine with context and outcome",
            [&](int n, job_context& context) -> asio::awaitable<outcome> {
                co_await let_pass(1ms);
                seen[std::string{context.queue()}].push_back(n);
                co_return success();
            });
        add("a coroutine with outcome", [&](int n) -> asio::awaitable<outcome> {
            seen["a coroutine with outcome"].push_back(n);
            co_return success();
        });
        add("a coroutine with context", [&](int n, job_context& context) -> asio::awaitable<void> {
            co_await let_pass(1ms);
            seen[std::string{context.queue()}].push_back(n);
        });
        add("a coroutine", [&](int n) -> asio::awaitable<void> {
            seen["a coroutine"].push_back(n);
            co_return;
        });
        add("a function with context and outcome", [&](int n, job_context& context) {
            seen[std::string{context.queue()}].push_back(n);
            return success();
        });
        add("a function with outcome", [&](const int& n) {
            seen["a function with outcome"].push_back(n);
            return success();
        });
        add("a function", [&](int n) { seen["a function"].push_back(n); });
        add("one that cannot be copied", [&, owned = std::make_unique<int>(1)](int n) mutable {
            seen["one that cannot be copied"].push_back(n * *owned);
        });
        for (auto& queue : queues)
            co_await queue.async_push_many(jobs);
        co_await work(subject, 3 * queues.size());
        BOOST_TEST(events.count(event_kind::succeeded) == 3 * queues.size());
        for (const auto& queue : queues)
            BOOST_TEST(seen[std::string{queue.name()}] == jobs, boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(a_described_struct_comes_as_it_was_pushed, client_test)
{
    list_queue<full_email> emails{redis, "emails"};
    run([&]() -> asio::awaitable<void> {
        const std::string long_text(1000, 'x');
        const full_email pushed{"Ad\u00e4 <ada@example.com>", {1, 2, 3}, long_text};
        const full_email without{"", {}, std::nullopt};
        co_await emails.async_push(pushed);
        co_await emails.async_push(without);
        std::vector<full_email> seen;
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(emails, [&](full_email job) -> asio::awaitable<void> {
            co_await let_pass(1ms);
            seen.push_back(std::move(job));
        });
        co_await work(subject, 2);
        BOOST_REQUIRE(seen.size() == 2u);
        BOOST_TEST(seen[0].to == pushed.to);
        BOOST_TEST(seen[0].sizes == pushed.sizes, boost::test_tools::per_element());
        BOOST_TEST((seen[0].subject == long_text));
        BOOST_TEST(!seen[1].subject.has_value());
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_comes_as_a_json_value, client_test)
{
    list_queue<boost::json::value> values{redis, "numbers"};
    run([&]() -> asio::awaitable<void> {
        const boost::json::value pushed{{"a", {1, "two", nullptr}}, {"b", {{"c", 1.5}}}};
        co_await values.async_push(pushed);
        push_raw(R"(["x",[1]])");
        push_raw(R"(["x", null ])");
        std::vector<boost::json::value> seen;
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(values, [&](boost::json::value job) { seen.push_back(std::move(job)); });
        co_await work(subject, 3);
        BOOST_REQUIRE(seen.size() == 3u);
        BOOST_TEST((seen[0] == pushed));
        BOOST_TEST((seen[1] == boost::json::array{1}));
        BOOST_TEST(seen[2].is_null());
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_comes_as_raw_text, client_test)
{
    list_queue<raw_json> texts{redis, "numbers"};
    run([&]() -> asio::awaitable<void> {
        push_raw(R"( [ "id" , { "n" : 1.50 } ] trailing)");
        std::string seen, id;
        worker subject{redis, observed()};
        subject.handle(texts, [&](raw_json job, job_context& context) {
            seen = job.text;
            id = context.id();
        });
        co_await work(subject, 1);
        BOOST_TEST(seen == R"({ "n" : 1.50 })");
        BOOST_TEST(id == "id");
    });
}

BOOST_FIXTURE_TEST_CASE(each_queue_has_a_handler_of_its_own, client_test)
{
    list_queue<std::string> texts{redis, "texts"};
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(17);
        co_await texts.async_push("seventeen");
        int number = 0;
        std::string text;
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int n) { number = n; });
        subject.handle(texts, [&](std::string t) { text = std::move(t); });
        co_await work(subject, 2);
        BOOST_TEST(number == 17);
        BOOST_TEST(text == "seventeen");
    });
}

BOOST_FIXTURE_TEST_CASE(a_handler_may_push_further_jobs, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(5);
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, [&](int n) -> asio::awaitable<void> {
            if (n > 0)
                co_await numbers.async_push(n - 1);
        });
        co_await work(subject, 6);
        BOOST_TEST(length() == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(a_handler_may_stop_its_worker, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> jobs{1, 2, 3};
        co_await numbers.async_push_many(jobs);
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, [&](int n) {
            if (n == 2)
                subject.stop();
        });
        co_await subject.async_run();
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.total_succeeded == 2u);
        BOOST_TEST(sizes.waiting == 1u);
        BOOST_TEST(sizes.running == 0u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
