// SPDX-License-Identifier: MIT
#pragma once

#include "outbox/database_server.hpp"
#include "support/redis_test.hpp"

#include "coworker/client.hpp"
#include "coworker/outbox_relay.hpp"

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
    database_server& database = database_server::chosen();
    std::string connection = database.make_database();
    std::optional<sql_session> sql{connection};
    client redis{io.get_executor(), observed_options()};

    outbox_test() : outbox_test{redis_server_options{}} {}
    explicit outbox_test(redis_server_options how) : redis_test{std::move(how)}
    {
        (*sql)(database.schema("coworker_outbox"));
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

    std::unique_ptr<outbox_table> table() const { return database.table(connection, "coworker_outbox"); }

    /// A relay that looks for itself once an hour, so that it depends on being woken, if its database does that.
    outbox_options woken() const
    {
        outbox_options options;
        options.poll = std::chrono::hours{1};
        if (!table()->announces())
            options.poll = std::chrono::milliseconds{20};
        options.retry_after = std::chrono::milliseconds{5};
        options.observers = {events.observe()};
        return options;
    }

    outbox_relay make_relay(outbox_options options) const { return {redis, table(), std::move(options)}; }

    background start(outbox_relay& relay) { return {io.get_executor(), relay.async_run()}; }

    asio::awaitable<void> stop(outbox_relay& relay, background& run)
    {
        relay.stop();
        co_await run.join();
    }

    std::int64_t rows() { return std::stoll(sql->value("SELECT count(*) FROM coworker_outbox")); }

    /// Looks for one row only: to count many takes the time that the relay needs on the same thread.
    bool has_no_rows()
    {
        return sql->value("SELECT count(*) FROM (SELECT 1 FROM coworker_outbox LIMIT 1) AS one") == "0";
    }

    asio::awaitable<void> until_empty()
    {
        co_await eventually("the outbox to be empty", [this] { return has_no_rows(); });
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
               ", json FROM " + database.numbers(first, last));
    }
};

} // namespace coworker::test
