// SPDX-License-Identifier: MIT
#pragma once

#include "support/client_test.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <ctime>
#include <string>
#include <vector>

namespace coworker::test {

using namespace std::chrono_literals;

inline const std::string same = R"(["same",7])";

/// Does to Redis exactly what hworker does: an RPOP with an HSET, an HDEL, no look at start times.
class hworker
{
public:
    explicit hworker(redis_server& server) : redis_{server} {}

    /// Its poll. Of an empty queue as well: then it writes its field `false`.
    std::string take()
    {
        const auto job = redis_("RPOP", "hworker-jobs-numbers");
        redis_("HSET", "hworker-progress-numbers", job.is_nil() ? "false" : job.text, start());
        return job.text;
    }
    bool succeed(const std::string& job)
    {
        return redis_("HDEL", "hworker-progress-numbers", job).integer == 1;
    }
    void retry(const std::string& job)
    {
        if (succeed(job))
            redis_("LPUSH", "hworker-jobs-numbers", job);
    }
    /// Its monitor, when the timeout is over.
    void take_back(const std::string& job)
    {
        if (succeed(job))
            redis_("RPUSH", "hworker-jobs-numbers", job);
    }

private:
    std::string start()
    {
        const auto now = redis_("TIME").texts();
        const std::time_t seconds = std::stol(now[0]);
        char text[64];
        std::strftime(text, sizeof text, "\"%Y-%m-%dT%H:%M:%S.5903624Z\"", std::gmtime(&seconds));
        return text;
    }

    redis_server& redis_;
};

struct fleet_test : client_test
{
    hworker peer{server};
    asio::steady_timer gate{io.get_executor(), asio::steady_timer::time_point::max()};
    std::vector<unsigned> attempts; ///< of the runs here

    /// The first run ends with `result` once the gate is opened, the others with success at once.
    auto hold(outcome result)
    {
        return [this, result](int, job_context& context) -> asio::awaitable<outcome> {
            attempts.push_back(context.attempt());
            if (attempts.size() != 1)
                co_return success();
            boost::system::error_code ec;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ec));
            co_return result;
        };
    }
    void open() { gate.expires_after(0s); }

    std::int64_t left()
    {
        const auto count = [&](const char* command, const char* key) { return server(command, key).integer; };
        return count("LLEN", "hworker-jobs-numbers") + count("HLEN", "hworker-progress-numbers") +
               count("HLEN", "hworker-duplicates-numbers") + count("HLEN", "hworker-shared-numbers") +
               count("ZCARD", "hworker-scheduled-numbers");
    }
    asio::awaitable<void> renewal()
    {
        const auto before = events.total(event_kind::leases_renewed);
        co_await events.wait_until("the lease to be renewed", [before](const event_log& log) {
            return log.total(event_kind::leases_renewed) >= before + 2;
        });
    }
    asio::awaitable<void> outcomes(std::size_t count)
    {
        co_await events.wait_until("an outcome", [count](const event_log& log) {
            return log.count(event_kind::succeeded) + log.count(event_kind::failed) +
                       log.count(event_kind::retried) + log.count(event_kind::released) >=
                   count;
        });
    }
};

} // namespace coworker::test
