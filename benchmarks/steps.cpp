// SPDX-License-Identifier: MIT
#include "coworker/job_source.hpp"
#include "perform.hpp"
#include "redis/connection/connection.hpp"

#include <boost/redis/request.hpp>

#include <memory>
#include <stdexcept>

/// What a single job asks of Redis where no other waits or runs.
namespace bench {
namespace {

using namespace coworker::detail;

/// How many jobs a renewal is for.
constexpr long renewed = 60;

template<class Push>
struct steps
{
    coworker::client& redis;
    std::unique_ptr<coworker::job_source> source;
    std::vector<std::string> places; ///< keys in which the queue's jobs stand
    Push push;
    std::vector<coworker::fetched_job> held{};

    asio::awaitable<void> fetch()
    {
        auto got = co_await source->ack_and_fetch({}, 1);
        if (got.fetched.size() != 1)
            throw std::runtime_error{"no job was fetched"};
        held.push_back(std::move(got.fetched.front()));
    }

    /// The queue is empty again.
    asio::awaitable<void> clear()
    {
        held.clear();
        boost::redis::request request;
        request.push_range("DEL", places);
        reply answers;
        co_await connection_of(redis).exec(request, answers);
        answers.throw_if_error();
    }

    asio::awaitable<void> renew()
    {
        std::vector<coworker::fetched_job*> jobs;
        for (auto& job : held)
            jobs.push_back(&job);
        const auto lost = co_await source->renew(jobs);
        if (!lost.empty())
            throw std::runtime_error{"a lease was lost"};
    }

    asio::awaitable<void> take(long count)
    {
        for (long i = 0; i != count; ++i) {
            co_await push();
            co_await fetch();
        }
    }

    asio::awaitable<void> step(const std::string& how)
    {
        if (how == "renew") {
            co_await renew();
            co_return;
        }
        co_await push();
        if (how == "fetch")
            co_await fetch();
        co_await clear();
    }

    asio::awaitable<measured> all(const task& what)
    {
        const meter counting;
        co_await source->open();
        co_await take(1); // Redis has the scripts from now on
        co_await renew();
        co_await clear();
        co_await take(what.how == "renew" ? renewed : 0);
        for (long i = 0; i != what.count; ++i)
            co_await step(what.how);
        co_await clear();
        co_await source->close();
        co_return counting.stop();
    }
};

} // namespace

asio::awaitable<measured> step_on_list(coworker::client& redis, const task& what)
{
    const auto queue = open_list_queue(redis, 0, what);
    const auto push = [&]() -> asio::awaitable<void> {
        const auto job = make_letter(1);
        co_await queue.async_push(job);
    };
    steps each{redis,
               queue.make_source(),
               {"hworker-jobs-" + queue_name(0), "hworker-progress-" + queue_name(0)},
               push};
    co_return co_await each.all(what);
}

asio::awaitable<measured> step_on_managed(coworker::client& redis, const task& what)
{
    const coworker::managed_queue queue{redis, queue_name(0)};
    const auto push = [&]() -> asio::awaitable<void> {
        const auto job = make_letter(1);
        co_await queue.async_push("letter", job);
    };
    const auto key = "ql:q:" + queue_name(0);
    steps each{redis,
               queue.make_source(),
               {key + "-work", key + "-locks", "ql:w:" + connection_of(redis).name() + ":jobs"},
               push};
    co_return co_await each.all(what);
}

} // namespace bench
