// SPDX-License-Identifier: MIT
#include "support/expect.hpp"
#include "support/managed_worker_test.hpp"

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numeric>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Queues that have as many waiting jobs as they may.
BOOST_AUTO_TEST_SUITE(full_queues)

namespace {

constexpr std::int64_t bound = 4;

struct full_queues_test : managed_worker_test
{
    list_queue<int> refusing{redis, "numbers", {.max_waiting = bound}};
    list_queue<int> waiting{redis, "numbers", {.max_waiting = bound, .waits_for_room = true}};
    managed_queue patient{redis, "mail", {.waits_for_room = true}};

    std::int64_t waiting_mails() { return server("ZCARD", "ql:q:mail-work").integer; }

    std::vector<new_managed_job> letters(int count)
    {
        std::vector<new_managed_job> many(static_cast<std::size_t>(count));
        for (int i = 0; i != count; ++i) {
            many[static_cast<std::size_t>(i)].kind = "Letter";
            many[static_cast<std::size_t>(i)].options.jid = std::to_string(i);
        }
        return many;
    }
};

std::string flags_of(const std::vector<push_result>& results)
{
    std::string flags;
    for (const auto& result : results)
        flags += result.pushed ? '1' : result.error == errc::queue_full ? 'f' : '0';
    return flags;
}

raw_push push_of(int number, push_options how = {})
{
    return {raw_json{std::to_string(number)}, how};
}

} // namespace

BOOST_FIXTURE_TEST_CASE(of_a_list_refuse_what_is_too_much, full_queues_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<raw_push> jobs;
        for (int i = 0; i != 3; ++i)
            jobs.push_back(push_of(i));
        BOOST_TEST(flags_of(co_await refusing.async_push_each_json(jobs)) == "111");
        jobs.push_back(push_of(3, {.delay = 1h}));
        jobs.push_back(push_of(4, {.id = "4", .unique_for = 1h}));
        BOOST_TEST(flags_of(co_await refusing.async_push_each_json(jobs)) == "1ff1f");
        BOOST_TEST(length() == bound);
        const auto one = co_await error_of([&] { return refusing.async_push(7); });
        BOOST_TEST(one == errc::queue_full);
        BOOST_TEST(one.says("push this one again"));
        const std::vector<int> two{8, 9};
        const auto many = co_await error_of([&] { return refusing.async_push_many(two); });
        BOOST_TEST(many == errc::queue_full);
        BOOST_TEST(many.says("2 of 2 jobs"));
        co_await numbers.async_push(10); // a handle without a bound
        BOOST_TEST(length() == bound + 1);
    });
}

BOOST_FIXTURE_TEST_CASE(that_are_managed_refuse_what_is_too_much, full_queues_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_set_max_waiting(bound);
        BOOST_TEST((co_await mail.async_settings()).max_waiting == 4u);
        auto jobs = letters(6);
        BOOST_TEST(flags_of(co_await mail.async_push_each(jobs)) == "1111ff");
        const auto one = co_await error_of([&] { return mail.async_push("Letter", raw_json{"{}"}); });
        BOOST_TEST(one == errc::queue_full);
        BOOST_TEST(one.says("at most 4 jobs may wait in mail"));
        BOOST_TEST(co_await error_of([&] { return mail.async_push_many(jobs); }) == errc::queue_full);
        // what exists may come back
        qless("pop", "mail", "someone", 1);
        co_await mail.async_push("Letter", raw_json{"{}"});
        qless("retry", "0", "mail", "someone", 0);
        BOOST_TEST(waiting_mails() == bound + 1);
        BOOST_TEST(co_await error_of([&] { return mail.async_set_max_waiting(2'000'000'000); }) ==
                   errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(let_pushes_wait_until_they_are_cancelled, full_queues_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_set_max_waiting(bound);
        co_await patient.async_push_many(letters(bound));
        for (int i = 0; i != bound; ++i)
            co_await waiting.async_push(i);
        const auto managed = co_await error_of(
            patient.async_push("Letter", raw_json{"{}"}, asio::cancel_after(100ms, asio::use_awaitable)));
        const auto list =
            co_await error_of(waiting.async_push(7, asio::cancel_after(100ms, asio::use_awaitable)));
        BOOST_TEST((managed.code == asio::error::operation_aborted));
        BOOST_TEST((list.code == asio::error::operation_aborted));
        BOOST_TEST(waiting_mails() == bound);
        BOOST_TEST(length() == bound);
    });
}

BOOST_FIXTURE_TEST_CASE(get_all_jobs_of_producers_that_wait_in_their_order, full_queues_test)
{
    constexpr int count = 20;
    std::vector<int> ran;
    std::vector<std::string> mails;
    std::int64_t most = 0;
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_set_max_waiting(bound);
        std::vector<int> all(count);
        std::iota(all.begin(), all.end(), 0);
        const auto push_numbers = [&]() -> asio::awaitable<void> { co_await waiting.async_push_many(all); };
        const auto push_mails = [&]() -> asio::awaitable<void> {
            co_await patient.async_push_many(letters(count));
        };
        background first{io.get_executor(), push_numbers()};
        background second{io.get_executor(), push_mails()};
        worker subject{redis, observed({.concurrency = 2})};
        subject.handle(numbers, [&](int number) {
            most = std::max(most, length());
            ran.push_back(number);
        });
        subject.handle(mail, [&](raw_json, job_context& context) {
            most = std::max(most, waiting_mails());
            mails.emplace_back(context.id());
        });
        co_await work(subject, 2 * count);
        co_await first.join();
        co_await second.join();
    });
    BOOST_TEST(most <= bound);
    BOOST_TEST(std::is_sorted(ran.begin(), ran.end()));
    BOOST_TEST(ran.size() == 20u);
    for (std::size_t i = 0; i != mails.size(); ++i)
        BOOST_TEST(mails[i] == std::to_string(i));
}

BOOST_AUTO_TEST_SUITE_END()
