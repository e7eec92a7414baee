// SPDX-License-Identifier: MIT
#pragma once

#include "outbox/postgres_server.hpp"
#include "support/redis_test.hpp"

#include "coworker/client.hpp"
#include "coworker/outbox_relay.hpp"
#include "coworker/postgresql.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coworker::test {

/// A Redis with a client, and a database with an outbox.
struct outbox_test : redis_test
{
    postgres_server& postgres = postgres_server::shared();
    std::string connection = postgres.make_database();
    std::optional<sql_session> sql{connection};
    client redis{io.get_executor(), observed_options()};

    outbox_test() : redis_test{} { (*sql)(postgresql_outbox::schema()); }
    explicit outbox_test(redis_server_options how) : redis_test{std::move(how)}
    {
        (*sql)(postgresql_outbox::schema());
    }

    /// Runs a test and stops the client, so once only.
    template<class Test>
    void run(Test test)
    {
        redis_test::run([&]() -> asio::awaitable<void> {
            co_await test();
            co_await redis.async_stop();
        });
    }

    /// A relay that looks for itself once an hour, so that it depends on being woken.
    outbox_options woken() const
    {
        outbox_options options;
        options.poll = std::chrono::hours{1};
        options.retry_after = std::chrono::milliseconds{5};
        options.observers = {events.observe()};
        return options;
    }

    outbox_relay make_relay(outbox_options options) const
    {
        return {redis, std::make_unique<postgresql_outbox>(connection), std::move(options)};
    }

    background start(outbox_relay& relay) { return {io.get_executor(), relay.async_run()}; }

    asio::awaitable<void> stop(outbox_relay& relay, background& run)
    {
        relay.stop();
        co_await run.join();
    }

    std::int64_t rows() { return std::stoll(sql->value("SELECT count(*) FROM coworker_outbox")); }

    asio::awaitable<void> until_empty()
    {
        co_await eventually("the outbox to be empty", [this] { return rows() == 0; });
    }

    /// Waiting jobs of a list queue, those first that run first: id and payload.
    std::vector<std::pair<std::string, std::string>> list_jobs(const std::string& queue)
    {
        std::vector<std::pair<std::string, std::string>> jobs;
        const auto texts = server("LRANGE", "hworker-jobs-" + queue, 0, -1).texts();
        for (auto text = texts.rbegin(); text != texts.rend(); ++text) {
            const auto both = boost::json::parse(*text).as_array();
            jobs.emplace_back(both.at(0).as_string(), boost::json::serialize(both.at(1)));
        }
        return jobs;
    }

    /// Writes jobs with the numbers from `first` to `last`.
    void write_numbers(const std::string& queue, int first, int last, const std::string& kind = "NULL")
    {
        (*sql)("INSERT INTO coworker_outbox (queue, kind, payload) SELECT '" + queue + "', " + kind +
               ", to_json(n) FROM generate_series(" + std::to_string(first) + ", " + std::to_string(last) +
               ") AS n");
    }
};

} // namespace coworker::test
