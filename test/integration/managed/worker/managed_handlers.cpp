// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include <boost/describe/class.hpp>
#include <boost/test/unit_test.hpp>

#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(managed_handlers)

namespace {

struct letter
{
    std::string to;
    int pages = 1;
};
BOOST_DESCRIBE_STRUCT(letter, (), (to, pages))

} // namespace

BOOST_FIXTURE_TEST_CASE(jobs_go_to_the_handler_of_their_kind, managed_worker_test)
{
    put("a", "Letter", R"({"to":"Ada","pages":2})");
    put("b", "Reminder", R"({"text":"tea"})");
    std::vector<std::string> told;
    run([&]() -> asio::awaitable<void> {
        handlers_by_kind handlers;
        handlers.on<letter>("Letter", [&](letter job) -> asio::awaitable<void> {
            told.push_back(job.to + " " + std::to_string(job.pages));
            co_return;
        });
        handlers.on("Reminder", [&](raw_json job, job_context& context) {
            told.push_back(std::string{context.kind()} + " " + job.text);
        });
        worker subject{redis, observed()};
        subject.handle(mail, std::move(handlers));
        co_await work(subject, 2);
    });
    std::sort(told.begin(), told.end());
    BOOST_TEST(told == (std::vector<std::string>{"Ada 2", R"(Reminder {"text":"tea"})"}),
               boost::test_tools::per_element());
    BOOST_TEST(state("a") == "complete");
    BOOST_TEST(state("b") == "complete");
    BOOST_TEST(history("a") == "put popped done");
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_handler_for_all_others_takes_what_has_no_handler_of_its_own, managed_worker_test)
{
    put("a", "Letter");
    put("b", "Reminder");
    std::string told;
    run([&]() -> asio::awaitable<void> {
        handlers_by_kind handlers;
        handlers.on("Letter", [](raw_json) {});
        handlers.otherwise([&](raw_json, job_context& context) { told += context.kind(); });
        worker subject{redis, observed()};
        subject.handle(mail, std::move(handlers));
        co_await work(subject, 2);
    });
    BOOST_TEST(told == "Reminder");
}

BOOST_FIXTURE_TEST_CASE(data_that_do_not_fit_the_type_fail_the_job_with_the_reason, managed_worker_test)
{
    put("a", "Letter", R"({"to":7})");
    run([&]() -> asio::awaitable<void> {
        handlers_by_kind handlers;
        handlers.on<letter>("Letter", [](letter) {});
        worker subject{redis, observed()};
        subject.handle(mail, std::move(handlers));
        co_await work(subject, 1);
    });
    BOOST_TEST(failed("Letter:not-decodable") == std::vector<std::string>{"a"});
    BOOST_TEST(field("a", "data") == R"({"to":7})");
    BOOST_TEST(events.count(event_kind::broken) == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_handler_knows_what_the_queue_knows_of_its_job, managed_worker_test)
{
    put("a", "Letter", R"({"to":"Ada"})", "priority", "2.5", "tags", R"(["red","blue"])", "retries", "3");
    std::optional<managed_details> seen;
    std::string id, token;
    unsigned attempt = 0;
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(mail, [&](raw_json, job_context& context) {
            if (const auto* details = context.details<managed_details>())
                seen = *details;
            id = context.id();
            token = context.lease_token();
            attempt = context.attempt();
        });
        co_await work(subject, 1);
    });
    BOOST_REQUIRE(seen);
    BOOST_TEST(id == "a");
    BOOST_TEST(token == redis.client_name());
    BOOST_TEST(attempt == 1u);
    BOOST_TEST(seen->kind == "Letter");
    BOOST_TEST(seen->priority == 2.5);
    BOOST_TEST(seen->retries == 3);
    BOOST_TEST(seen->remaining == 3);
    BOOST_TEST(seen->tags == (std::vector<std::string>{"red", "blue"}), boost::test_tools::per_element());
    BOOST_TEST(seen->failure == "");
    BOOST_TEST(seen->spawned_from == "");
}

BOOST_FIXTURE_TEST_CASE(queues_of_one_name_with_different_prefixes_are_two, managed_worker_test)
{
    managed_queue other{redis, "mail", {.prefix = "other:"}}, again{redis, "mail"};
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("Letter", 1);
        co_await other.async_push("Letter", 2);
        std::set<int> seen;
        worker subject{redis, observed()};
        subject.handle(mail, [&](raw_json job) { seen.insert(std::stoi(job.text)); });
        subject.handle(other, [&](raw_json job) { seen.insert(std::stoi(job.text)); });
        BOOST_CHECK_THROW(subject.handle(again, [](raw_json) {}), system_error);
        co_await work(subject, 2);
        BOOST_TEST(seen == (std::set<int>{1, 2}), boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_of_a_list_queue_have_no_kind, managed_worker_test)
{
    std::string kind = "not called";
    bool is_managed = true;
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int, job_context& context) {
            kind = context.kind();
            is_managed = context.details<managed_details>() != nullptr;
        });
        co_await work(subject, 1);
    });
    BOOST_TEST(kind == "");
    BOOST_TEST(!is_managed);
}

BOOST_AUTO_TEST_SUITE_END()
