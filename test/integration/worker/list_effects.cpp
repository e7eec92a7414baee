// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/own_source.hpp"

#include "coworker/managed_queue.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;

/// Effects of the jobs of list queues, and of sources that know of none.
BOOST_FIXTURE_TEST_SUITE(list_effects, client_test)

BOOST_AUTO_TEST_CASE(are_carried_out_once_with_a_success)
{
    for (int i = 0; i != 300; ++i)
        push_raw(R"(["id-)" + std::to_string(i) + R"(",)" + std::to_string(i) + "]");
    std::string pushed;
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        const auto handler = [&](int number, job_context& context) -> outcome {
            if (number >= 1000) // one that was pushed
                return success();
            if (number % 3 != 0)
                context.effects().add({"INCR", "counter"});
            if (number == 7)
                pushed = context.effects().push(numbers, 1007);
            return number % 5 == 0 && context.attempt() == 1 ? retry("again", std::chrono::milliseconds{0})
                                                             : success();
        };
        subject.handle(numbers, handler);
        co_await work(subject, 301);
    });
    BOOST_TEST(server("GET", "counter").text == "200");
    BOOST_TEST(server("HGET", "hworker-counters-numbers", "success").text == "301");
    BOOST_TEST(length() == 0);
    BOOST_TEST(!pushed.empty());
}

BOOST_AUTO_TEST_CASE(cannot_push_to_managed_queues)
{
    push_raw(R"(["id",1])");
    const managed_queue mail{redis, "mail"};
    error_code code;
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        const auto handler = [&](int, job_context& context) {
            try {
                (void)context.effects().push(mail, "Kind", raw_json{"{}"});
            } catch (const system_error& error) {
                code = error.code();
            }
        };
        subject.handle(numbers, handler);
        co_await work(subject, 1);
    });
    BOOST_TEST((code == errc::not_supported));
}

BOOST_AUTO_TEST_CASE(are_refused_by_a_source_that_knows_of_none)
{
    source_script script;
    script.add("a", "1");
    std::string why;
    run([&]() -> asio::awaitable<void> {
        worker subject{io.get_executor(), observed()};
        subject.handle_source(std::make_unique<own_source>("mine", script),
                              make_handler<int>([&](int, job_context& context) {
                                  try {
                                      context.effects().add({"INCR", "counter"});
                                  } catch (const system_error& error) {
                                      why = error.what();
                                  }
                              }));
        co_await work(subject, 1);
    });
    BOOST_TEST(why.find("the source of queue 'mine' carries out no effects") != std::string::npos, why);
}

BOOST_AUTO_TEST_SUITE_END()
