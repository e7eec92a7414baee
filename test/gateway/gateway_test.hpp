// SPDX-License-Identifier: MIT
#pragma once

#include "http_client.hpp"

#include "support/expect.hpp"
#include "support/redis_test.hpp"

#include "coworker/gateway.hpp"
#include "coworker/list_queue.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <optional>

namespace coworker::test {

using namespace std::chrono_literals;

/// One that allows everything, and one for looking; empty: none.
inline gateway_tokens tokens_of(std::string all, std::string look = {})
{
    std::vector<gateway_token> tokens{{.name = "chief", .token = std::move(all)}};
    if (!look.empty())
        tokens.push_back({.name = "guest", .token = std::move(look), .rights = gateway_right::look});
    return tokens;
}

/// A gateway on a free port, with a Redis of its own.
struct gateway_test : redis_test
{
    client redis;
    gateway_options settings{.port = 0};
    std::optional<coworker::gateway> server;

    /// @param command_timeout  how long requests wait for Redis
    explicit gateway_test(redis_server_options what = {}, std::chrono::milliseconds command_timeout = 10s)
        : redis_test{std::move(what)}, redis{io.get_executor(), options_with(command_timeout)}
    {}

    /// Runs a test against the gateway, which is stopped at the end.
    template<class Test>
    void serve(Test test)
    {
        run([&]() -> asio::awaitable<void> {
            server.emplace(redis, settings);
            server->listen();
            background running{io.get_executor(), server->async_run(with_diagnostics(asio::use_awaitable))};
            co_await test();
            server->stop();
            co_await running.join();
            co_await redis.async_stop();
        });
    }

    http_client connect() { return {io.get_executor(), server->port()}; }

    /// Waiting payloads of a queue, next to run first, behind coworker's back.
    std::vector<std::string> waiting(const std::string& queue)
    {
        auto texts = redis_test::server("LRANGE", "hworker-jobs-" + queue, 0, -1).texts();
        return {texts.rbegin(), texts.rend()};
    }

    /// What a page lists, such as "a b c".
    static std::string ids_of(const http_reply& page)
    {
        std::string ids;
        const auto parsed = page.json();
        for (const auto& job : parsed.at("jobs").as_array())
            ids.append(ids.empty() ? "" : " ").append(job.at("id").as_string());
        return ids;
    }

    /// That of a job which was taken.
    static std::string token_of(const http_reply& taken, std::size_t index = 0)
    {
        const auto parsed = taken.json();
        return std::string{parsed.at("jobs").at(index).at("token").as_string()};
    }

    /// What is said of that job: `rest` are further members, such as ,"outcome":"success".
    static std::string with_token(const std::string& token, const std::string& rest = "")
    {
        return "{\"token\":\"" + token + '"' + rest + '}';
    }

    /// A minute of the past as histories have it: the second in which it began.
    std::string minutes_ago(int count)
    {
        const auto now = std::stoll(store()("TIME").texts().at(0));
        return std::to_string(now - now % 60 - 60 * count);
    }

    /// Redis, whose name the gateway's hides.
    redis_server& store() { return redis_test::server; }

private:
    client_options options_with(std::chrono::milliseconds command_timeout) const
    {
        auto result = options();
        result.command_timeout = command_timeout;
        result.connect_timeout = command_timeout;
        return result;
    }
};

/// One for tests in which Redis is away.
struct impatient_gateway_test : gateway_test
{
    impatient_gateway_test() : gateway_test{{}, 300ms} {}
};

} // namespace coworker::test
