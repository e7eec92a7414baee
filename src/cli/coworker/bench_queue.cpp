#include "coworker/bench_queue.hpp"

#include "redis/client.hpp"
#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>
#include <coworker/worker.hpp>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/redis/request.hpp>

#include <algorithm>
#include <chrono>

namespace coworker::cli {
namespace {

using clock = std::chrono::steady_clock;
using seconds = std::chrono::duration<double>;

constexpr std::uint64_t batch = 5'000, single_jobs = 1'000;

double rate(std::uint64_t jobs, clock::duration time)
{
    return static_cast<double>(jobs) / seconds{time}.count();
}

managed_options options_of(const bench_plan& plan)
{
    managed_options options;
    options.prefix = plan.name + ':';
    return options;
}

/// JSON of the size.
std::string payload_of(const bench_plan& plan)
{
    return '"' + std::string(plan.payload - 2, 'x') + '"';
}

/// Gives a worker the queue, with a handler that only calls a function.
void handle(worker& worker, session& redis, const bench_plan& plan, std::function<void()> function)
{
    const auto handler = [function = std::move(function)](const raw_json&) { function(); };
    if (plan.managed) {
        managed_queue queue{redis, plan.name, options_of(plan)};
        klass_handlers handlers;
        handlers.otherwise<raw_json>(handler);
        worker.handle(queue, std::move(handlers));
    } else {
        raw_list_queue queue{redis, plan.name};
        worker.handle(queue, handler);
    }
}

} // namespace

asio::awaitable<void> bench_queue::push_some(std::uint64_t count)
{
    const std::vector<raw_json> jobs(count, raw_json{payload_of(*plan_)});
    if (plan_->managed) {
        managed_queue queue{*producer_, plan_->name, options_of(*plan_)};
        co_await queue.put_many("Bench", jobs);
    } else {
        raw_list_queue queue{*producer_, plan_->name};
        co_await queue.push_json(jobs);
    }
}

asio::awaitable<double> bench_queue::push()
{
    const auto began = clock::now();
    for (auto left = plan_->jobs; left != 0;) {
        const auto count = std::min(left, batch);
        co_await push_some(count);
        left -= count;
    }
    co_return rate(plan_->jobs, clock::now() - began);
}

asio::awaitable<double> bench_queue::work()
{
    worker_options options;
    options.concurrency = plan_->concurrency;
    worker worker{*worker_, options};
    std::uint64_t left = plan_->jobs;
    handle(worker, *worker_, *plan_, [&] {
        if (--left == 0)
            worker.stop(); // returns when the last is settled
    });
    const auto began = clock::now();
    co_await worker.run();
    co_return rate(plan_->jobs, clock::now() - began);
}

asio::awaitable<std::vector<double>> bench_queue::wait()
{
    using namespace asio::experimental::awaitable_operators;
    worker worker{*worker_};
    std::vector<double> waits;
    asio::steady_timer handled{worker_->get_executor()};
    clock::time_point pushed;
    bool is_handled = false;
    handle(worker, *worker_, *plan_, [&] {
        waits.push_back(seconds{clock::now() - pushed}.count());
        is_handled = true;
        handled.cancel();
    });
    const auto produce = [&]() -> asio::awaitable<void> {
        error_code ignored;
        for (std::uint64_t i = 0; i != single_jobs; ++i) {
            is_handled = false;
            handled.expires_at(clock::time_point::max());
            pushed = clock::now();
            co_await push_some(1);
            if (!is_handled)
                co_await handled.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
        worker.stop();
    };
    co_await (worker.run() && produce());
    co_return waits;
}

asio::awaitable<void> remove_all(session& redis, const bench_plan& plan)
{
    if (!plan.managed) {
        raw_list_queue queue{redis, plan.name};
        co_await queue.destroy();
        co_return;
    }
    constexpr int keys_at_a_time = 1000;
    std::string cursor = "0";
    do {
        boost::redis::request scan;
        scan.push("SCAN", cursor, "MATCH", plan.name + ":*", "COUNT", keys_at_a_time);
        detail::reply answers;
        co_await redis.client().exec(scan, answers);
        answers.throw_if_error();
        // The nodes are: array, cursor, array, keys.
        const auto answer = answers[0];
        cursor = answer[0];
        std::vector<std::string_view> keys;
        for (const auto& key : answer.nodes(2))
            keys.push_back(key.value);
        if (keys.empty())
            continue;
        boost::redis::request unlink;
        unlink.push_range("UNLINK", keys);
        detail::reply removed;
        co_await redis.client().exec(unlink, removed);
        removed.throw_if_error();
    } while (cursor != "0");
}

} // namespace coworker::cli
