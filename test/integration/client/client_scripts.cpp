// SPDX-License-Identifier: MIT
#include "support/expect.hpp"
#include "support/redis_test.hpp"

#include "coworker/list_queue.hpp"
#include "coworker/managed_queue.hpp"
#include "redis/connection/connection.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

BOOST_AUTO_TEST_SUITE(client_scripts)

using namespace coworker;
using namespace coworker::test;
using coworker::detail::find_script;
using coworker::detail::script_arguments;

bool is_loaded(redis_server& server, std::string_view script)
{
    return server("SCRIPT", "EXISTS", find_script(script).sha).elements.at(0).integer == 1;
}

script_arguments arguments(std::initializer_list<std::string_view> words)
{
    script_arguments result{"ql:"};
    for (const auto word : words)
        result.add(word);
    return result;
}

BOOST_FIXTURE_TEST_CASE(are_not_given_to_redis_when_it_connects, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        co_await redis.async_connect();
        for (const auto& script : detail::embedded_scripts())
            BOOST_TEST(!is_loaded(server, script.name), script.name);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(of_a_list_queue_are_given_to_redis_when_first_used, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        list_queue<int> numbers{redis, "numbers"};
        co_await numbers.async_push(1, {.delay = std::chrono::hours{1}});
        BOOST_TEST((co_await numbers.async_sizes()).scheduled == 1u);
        BOOST_TEST(is_loaded(server, "list/sizes"));
        BOOST_TEST(!is_loaded(server, "list/ack_and_fetch"));
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(of_the_managed_queue_are_given_to_redis_when_first_used, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        const auto put = arguments({"100", "w", "q", "j", "k", "{}", "0"});
        const auto answer = co_await detail::connection_of(redis).call(find_script("managed/put"), put);
        BOOST_TEST(answer[0].text() == "j");
        BOOST_TEST(is_loaded(server, "managed/put"));
        BOOST_TEST(!is_loaded(server, "managed/pop"));
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(that_refuse_throw_or_answer_as_the_caller_wants, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        const auto none = arguments({});
        const auto& get = find_script("managed/get");
        const auto answer = co_await detail::connection_of(redis).try_call(get, none);
        BOOST_TEST(answer[0].is_error());
        BOOST_TEST(answer[0].text() == "ERR bad argument #1 to 'tonumber' (value expected)");
        bool thrown = false;
        try {
            co_await detail::connection_of(redis).call(get, none);
        } catch (const system_error& error) {
            thrown = error.code() == errc::command_refused;
        }
        BOOST_TEST(thrown);
        co_await redis.async_stop();
    });
}

/// A service that has removed SCRIPT: what needs no script goes on.
BOOST_AUTO_TEST_CASE(that_cannot_be_loaded_are_refused_with_what_redis_says)
{
    redis_test test{{.config = {{"rename-command", "SCRIPT", ""}}}};
    test.run([&]() -> asio::awaitable<void> {
        client redis{test.io.get_executor(), test.options()};
        const list_queue<int> numbers{redis, "numbers"};
        co_await numbers.async_push(1);
        BOOST_TEST(test.server("LLEN", "hworker-jobs-numbers").integer == 1);
        const managed_queue mail{redis, "mail"};
        std::vector<thrown> refused;
        refused.push_back(co_await error_of(numbers.async_push(2, {.delay = std::chrono::hours{1}})));
        refused.push_back(co_await error_of(mail.async_push("k", 1)));
        for (const auto& error : refused) {
            BOOST_TEST(error == errc::command_refused);
            BOOST_TEST(error.says("unknown command 'SCRIPT'"), error);
        }
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
