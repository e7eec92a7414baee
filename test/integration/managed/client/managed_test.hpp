// SPDX-License-Identifier: MIT
#pragma once

#include "support/expect.hpp"
#include "support/held_jobs.hpp"
#include "support/redis_test.hpp"

#include "coworker/managed_client.hpp"
#include "coworker/managed_queue.hpp"
#include "redis/script.hpp"

#include <map>
#include <string>
#include <vector>

namespace coworker::test {

using texts = std::vector<std::string>;

/// Data that say nothing.
inline const raw_json nothing{"{}"};

/// A list of texts. g++ 12 takes no initializer list inside a `co_await` expression.
template<class... Texts>
texts listed(const Texts&... each)
{
    texts list;
    (list.emplace_back(each), ...);
    return list;
}

/// A server with a client, and a managed queue on it.
struct managed_test : redis_test
{
    client redis{io.get_executor(), observed_options()};
    managed_queue mail{redis, "mail"};
    managed_client jobs{redis};

    /// Runs a test and stops the client, so once only.
    template<class Test>
    void run(Test test)
    {
        redis_test::run([&]() -> asio::awaitable<void> {
            co_await test();
            co_await redis.async_stop();
        });
    }

    /// Calls a script behind coworker's back, with a time of its own, as a Ruby or Python client does.
    redis_value call(const std::string& command, const texts& arguments)
    {
        texts words{"EVAL", detail::find_script("managed/" + command).text(), "1", "ql:"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return server.raw().command(words);
    }

    /// A field of a job's hash.
    std::string stored(const std::string& jid, const std::string& field)
    {
        return server("HGET", "ql:j:" + jid, field).text;
    }

    /// The server's clock, in seconds.
    double now() { return std::stod(server("TIME").texts()[0]) + std::stod(server("TIME").texts()[1]) / 1e6; }

    std::int64_t number_of_keys() { return server("DBSIZE").integer; }

    /// Puts jobs named "1", "2", … in this order and pops them for a worker.
    asio::awaitable<std::vector<managed_job>> pop_new(std::size_t count, std::string worker = "w")
    {
        std::vector<new_managed_job> many(count);
        for (std::size_t i = 0; i != count; ++i) {
            many[i].kind = "Mail";
            many[i].options.jid = std::to_string(i + 1);
            many[i].options.priority = -static_cast<double>(i);
        }
        co_await mail.async_push_many(many);
        co_return co_await pop(worker, count);
    }

    asio::awaitable<std::vector<managed_job>> pop(std::string worker, std::size_t count = 1)
    {
        return pop_jobs(jobs, "mail", std::move(worker), count);
    }
};

/// The text of a job's data, or of any other.
inline raw_json json_text(std::string text)
{
    return raw_json{std::move(text)};
}

inline texts jids_of(const std::vector<managed_job>& jobs)
{
    texts jids;
    for (const auto& job : jobs)
        jids.push_back(job.jid);
    return jids;
}

} // namespace coworker::test
