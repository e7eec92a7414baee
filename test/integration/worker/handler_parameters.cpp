// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

/// A job that counts how many of it there are.
class counted
{
public:
    static inline int living = 0;

    explicit counted(int n) : number_{n} { ++living; }
    counted(const counted& other) : number_{other.number_} { ++living; }
    counted& operator=(const counted&) = default;
    ~counted() { --living; }

    /// 0 once it is gone, which is told by the count alone.
    static int read(const counted& job) { return living == 0 ? 0 : job.number_; }

private:
    int number_;
};

counted tag_invoke(boost::json::value_to_tag<counted>, const boost::json::value& value)
{
    return counted{boost::json::value_to<int>(value)};
}

/// A job that cannot be copied.
struct single
{
    std::unique_ptr<int> number;
};

single tag_invoke(boost::json::value_to_tag<single>, const boost::json::value& value)
{
    return {std::make_unique<int>(boost::json::value_to<int>(value))};
}

asio::awaitable<outcome> free_function(const counted& job, job_context& context)
{
    co_await let_pass(2ms);
    co_return counted::read(job) == 7 && context.id() == "id" ? success() : failure("the job is gone");
}

} // namespace

/// Handlers that are coroutines may take the job in any way, and use it until they have ended.
BOOST_AUTO_TEST_SUITE(handler_parameters)

namespace {

struct parameter_test : managed_worker_test
{
    int read = 0; ///< by the handler, after it had to wait

    template<class Job, class Handler>
    void check(Handler handler)
    {
        push_raw(R"(["id",7])");
        run([&]() -> asio::awaitable<void> {
            list_queue<Job> queue{redis, "numbers"};
            {
                worker subject{redis, observed()};
                subject.handle(queue, std::move(handler));
                co_await work(subject, 1);
            }
            BOOST_TEST(events.count(event_kind::succeeded) == 1u);
            BOOST_TEST(counted::living == 0);
        });
    }

    template<class Job, class Handler>
    void check_reads(Handler handler)
    {
        check<Job>(std::move(handler));
        BOOST_TEST(read == 7);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(by_value, parameter_test)
{
    check_reads<counted>([this](counted job) -> asio::awaitable<void> {
        co_await let_pass(2ms);
        read = counted::read(job);
    });
}

BOOST_FIXTURE_TEST_CASE(by_value_with_an_outcome, parameter_test)
{
    check_reads<counted>([this](counted job, job_context&) -> asio::awaitable<outcome> {
        co_await let_pass(2ms);
        read = counted::read(job);
        co_return success();
    });
}

BOOST_FIXTURE_TEST_CASE(by_reference_to_const, parameter_test)
{
    check_reads<counted>([this](const counted& job) -> asio::awaitable<void> {
        co_await let_pass(2ms);
        read = counted::read(job);
    });
}

BOOST_FIXTURE_TEST_CASE(by_reference_to_const_with_context_and_outcome, parameter_test)
{
    check_reads<counted>([this](const counted& job, job_context& context) -> asio::awaitable<outcome> {
        co_await let_pass(2ms);
        read = counted::read(job);
        co_return context.id() == "id" ? success() : failure("another job");
    });
}

BOOST_FIXTURE_TEST_CASE(by_rvalue_reference, parameter_test)
{
    check_reads<counted>([this](counted&& job) -> asio::awaitable<outcome> {
        co_await let_pass(2ms);
        read = counted::read(job);
        co_return success();
    });
}

BOOST_FIXTURE_TEST_CASE(by_forwarding_reference, parameter_test)
{
    check_reads<counted>([this](auto&& job) -> asio::awaitable<outcome> {
        co_await let_pass(2ms);
        read = counted::read(job);
        co_return success();
    });
}

BOOST_FIXTURE_TEST_CASE(by_a_reference_to_what_the_job_converts_to, parameter_test)
{
    push_raw(R"(["first","a text that is too long to stand inside of a string object"])");
    std::string seen;
    run([&]() -> asio::awaitable<void> {
        list_queue<std::string> texts{redis, "numbers"};
        worker subject{redis, observed()};
        subject.handle(texts, [&](std::string_view text) -> asio::awaitable<void> {
            co_await let_pass(2ms);
            seen = text;
        });
        co_await work(subject, 1);
    });
    BOOST_TEST(seen == "a text that is too long to stand inside of a string object");
}

BOOST_FIXTURE_TEST_CASE(of_a_free_function, parameter_test)
{
    check<counted>(free_function);
}

BOOST_FIXTURE_TEST_CASE(of_a_function_that_makes_the_coroutine, parameter_test)
{
    check<counted>([](const counted& job, job_context& context) { return free_function(job, context); });
}

BOOST_FIXTURE_TEST_CASE(that_cannot_be_copied_by_value, parameter_test)
{
    check_reads<single>([this](single job) -> asio::awaitable<outcome> {
        co_await let_pass(2ms);
        read = *job.number;
        co_return success();
    });
}

BOOST_FIXTURE_TEST_CASE(that_cannot_be_copied_by_reference, parameter_test)
{
    check_reads<single>([this](const single& job, job_context&) -> asio::awaitable<void> {
        co_await let_pass(2ms);
        read = *job.number;
    });
}

BOOST_FIXTURE_TEST_CASE(that_cannot_be_copied_by_rvalue_reference, parameter_test)
{
    check_reads<single>([this](single&& job) -> asio::awaitable<void> {
        co_await let_pass(2ms);
        const single own = std::move(job);
        read = *own.number;
    });
}

BOOST_FIXTURE_TEST_CASE(of_handlers_by_kind, parameter_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("Letter", 7);
        co_await mail.async_push("Card", 7);
        int letters = 0, others = 0;
        {
            handlers_by_kind handlers;
            handlers.on<counted>("Letter", [&](const counted& job) -> asio::awaitable<void> {
                co_await let_pass(2ms);
                letters += counted::read(job);
            });
            handlers.otherwise<counted>([&](auto&& job, job_context&) -> asio::awaitable<outcome> {
                co_await let_pass(2ms);
                others += counted::read(job);
                co_return success();
            });
            worker subject{redis, observed()};
            subject.handle(mail, std::move(handlers));
            co_await work(subject, 2);
        }
        BOOST_TEST(letters == 7);
        BOOST_TEST(others == 7);
        BOOST_TEST(counted::living == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(live_until_a_cancelled_handler_has_ended, parameter_test)
{
    push_raw(R"(["id",7])");
    run([&]() -> asio::awaitable<void> {
        list_queue<counted> queue{redis, "numbers"};
        worker subject{redis, observed({.shutdown_timeout = 0ms})};
        subject.handle(queue, [&](const counted& job) -> asio::awaitable<void> {
            try {
                co_await let_pass(1h);
            } catch (const system_error&) {
                read = counted::read(job);
            }
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        co_await stop(subject, running);
    });
    BOOST_TEST(read == 7);
}

BOOST_AUTO_TEST_SUITE_END()
