// SPDX-License-Identifier: MIT

// A worker for the fault tests, made to be killed. It leaves one line per finished run in a file: the job,
// if it is a number, or else its size, and its process id. What was written survives SIGKILL.
//
//   fault_worker URL QUEUE CONCURRENCY LEASE_MS HANDLER_MS DRAIN_MS FILE [mixed|counted|effects|results|batches|threads|many]
//
// mixed: one run in ten ends in a retry, one in twenty in a job that is given back; neither leaves a line. What an account
// has to know stands in a file beside FILE. counted: as mixed, and each run of an even number counts itself in Redis with its
// acknowledgement. effects: each run counts itself so, stands in that file, and pushes a job to the queue `children` with its
// acknowledgement. results: each run goes on at its checkpoint, saves one after each of four parts, leaves a line
// `JOB:PART` for each that is saved, and returns [number, part at which this run began]. batches: of the jobs in a batch one
// in ten fails, and one in ten pushes a job into its batch in its effects. threads: handlers run on a pool. many: each handler gets up
// to ten jobs. QUEUE is a list queue, or "managed:" and the name
// of a managed queue, for which LEASE_MS means nothing.
#include "account_lines.hpp"
#include "fault_process.hpp"
#include "record_lines.hpp"
#include "support/account.hpp"

#include <coworker/coworker.hpp>

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <csignal>
#include <iostream>
#include <optional>
#include <random>
#include <span>
#include <unistd.h>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using std::chrono::milliseconds;

namespace {

struct settings
{
    std::string url, queue;
    std::size_t concurrency = 1;
    milliseconds lease{}, handler{}, drain{};
    int record = -1;          ///< a file
    int accounts = -1;        ///< another one; below zero: there is none
    std::int64_t counted = 0; ///< of so many numbers, one counts itself; zero: none does
    bool mixed = false, effects = false, results = false, batches = false, threads = false, many = false;
};

/// How a run ends that is not to succeed; nothing for one that is.
std::optional<coworker::outcome> other_end(const settings& set)
{
    static std::mt19937 random{std::random_device{}()};
    const auto drawn = std::uniform_int_distribution{0, 19}(random);
    if (!set.mixed || drawn > 2)
        return std::nullopt;
    return drawn == 0 ? coworker::release() : coworker::retry("drawn", milliseconds{drawn * 50});
}

void write_down(int file, const json::value& job)
{
    const std::string what = job.is_int64()    ? std::to_string(job.as_int64())
                             : job.is_string() ? 's' + std::to_string(job.as_string().size())
                                               : "JSON of " + std::to_string(json::serialize(job).size());
    coworker::test::write_down(file, what + ' ' + std::to_string(::getpid()));
}

void log(const coworker::event& what)
{
    using enum coworker::event_kind;
    if (what.kind == fetched || what.kind == started || what.kind == succeeded || what.kind == leases_renewed)
        return;
    coworker::test::tell_test(std::string{to_string(what.kind)} + ' ' + std::to_string(what.count) + ' ' +
                              std::string{what.message});
}

/// The job succeeds. In real time nobody knows which run this is.
void enter_end(const settings& set, const std::string& queue, std::int64_t number,
               coworker::job_context& context, coworker::test::nanoseconds began)
{
    using coworker::test::account;
    const bool is_counted = set.counted != 0 && number % set.counted == 0;
    coworker::test::write_ended(set.accounts, queue, std::string{context.id()}, began, is_counted);
    if (!is_counted)
        return;
    const auto words = account::effect_of(queue, context.id(), account::unknown_run);
    context.effects().add(coworker::text_list{words[0], words[1], words[2], words[3]});
}

void enter_event(const settings& set, const std::string& queue, const coworker::event& what)
{
    using enum coworker::event_kind;
    if (what.kind != fetched && what.kind != started && what.kind != leases_renewed)
        coworker::test::write_heard(set.accounts, queue, what);
}

/// How a job ends that may be in a batch; what it adds has a number that is a million more.
coworker::outcome end_in_batch(const coworker::managed_queue& queue, std::int64_t number,
                               coworker::job_context& context)
{
    coworker::managed_push_options how;
    how.batch = context.details<coworker::managed_details>()->batch;
    if (how.batch->str().empty() || number >= 1'000'000)
        return coworker::success();
    const auto kind = number / 10 % 10;
    if (kind == 7)
        return coworker::failure("drawn");
    if (kind == 3)
        (void)context.effects().push(queue, "Job", json::value(number + 1'000'000), how);
    return coworker::success();
}

/// What a run of a job in parts returns.
asio::awaitable<coworker::outcome> run_parts(const settings& set, const json::value& job,
                                             coworker::job_context& context)
{
    const auto stored = co_await context.async_checkpoint<int>();
    const int begin = stored.value_or(0);
    for (int part = begin; part != 4; ++part) {
        asio::steady_timer timer{co_await asio::this_coro::executor, set.handler};
        co_await timer.async_wait(asio::use_awaitable);
        const auto saved = co_await context.async_save(part + 1);
        if (!saved)
            co_return coworker::retry("not saved");
        coworker::test::write_down(set.record, json::serialize(job) + ':' + std::to_string(part) + ' ' +
                                                   std::to_string(::getpid()));
    }
    const std::vector<std::int64_t> made{job.as_int64(), begin};
    co_return coworker::success_with(made);
}

asio::awaitable<void> run(settings set, asio::any_io_executor pool)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = set.url}};
    coworker::worker_options how{
        .concurrency = set.concurrency, .shutdown_timeout = set.drain, .observers = {log}};
    constexpr std::string_view managed = "managed:";
    const bool is_managed = set.queue.starts_with(managed);
    const auto name = set.queue.substr(is_managed ? managed.size() : 0);
    if (set.accounts >= 0)
        how.observers.push_back([&](const coworker::event& what) { enter_event(set, name, what); });
    coworker::worker worker{redis, how};
    const auto push_child = [&](const json::value& job, coworker::job_effects& effects) {
        if (is_managed)
            (void)effects.push(coworker::managed_queue{redis, "children"}, "Child", job);
        else
            (void)effects.push(coworker::list_queue<json::value>{redis, "children"}, job);
    };
    const auto elsewhere = set.threads ? pool : asio::any_io_executor{};
    const auto handle = [&, set](json::value job,
                                 coworker::job_context& context) -> asio::awaitable<coworker::outcome> {
        const auto began = coworker::test::real_time();
        if (set.results) {
            auto end = co_await run_parts(set, job, context);
            co_return end;
        }
        if (set.handler.count() != 0) {
            asio::steady_timer timer{co_await asio::this_coro::executor, set.handler};
            co_await timer.async_wait(asio::use_awaitable);
        }
        if (auto other = other_end(set))
            co_return std::move(*other);
        if (set.effects)
            push_child(job, context.effects());
        if (set.accounts >= 0)
            enter_end(set, name, job.as_int64(), context, began);
        write_down(set.record, job);
        if (set.batches)
            co_return end_in_batch(coworker::managed_queue{redis, name}, job.as_int64(), context);
        co_return coworker::success();
    };
    const auto handle_all = [&,
                             set](std::span<coworker::held_job<json::value>> jobs) -> asio::awaitable<void> {
        asio::steady_timer timer{co_await asio::this_coro::executor, set.handler};
        co_await timer.async_wait(asio::use_awaitable);
        for (const auto& each : jobs)
            write_down(set.record, each.job);
    };
    const coworker::many_options many{.up_to = 10, .wait = std::chrono::milliseconds{20}};
    if (is_managed) {
        coworker::managed_queue queue{redis, name};
        coworker::handlers_by_kind handlers;
        if (set.many)
            handlers.on_many<json::value>("Job", handle_all, many);
        else
            handlers.on<json::value>("Job", handle);
        // workers die of something else than their jobs
        worker.handle(queue, std::move(handlers), {.max_crashes = 0, .executor = elsewhere});
    } else {
        coworker::list_queue<json::value> queue{redis, name};
        const coworker::handle_options options{.lease = set.lease, .max_attempts = 0, .executor = elsewhere};
        if (set.many)
            worker.handle_many(queue, handle_all, many, options);
        else
            worker.handle(queue, handle, options);
    }

    asio::signal_set signals{executor, SIGTERM};
    signals.async_wait([&](const boost::system::error_code& ec, int) {
        if (!ec)
            worker.stop();
    });
    co_await worker.async_run();
    signals.cancel();
    co_await redis.async_stop();
}

} // namespace

int main(int count, char** words)
{
    if (count != 8 && count != 9) {
        std::cerr << "usage: fault_worker URL QUEUE CONCURRENCY LEASE_MS HANDLER_MS DRAIN_MS FILE "
                     "[mixed|counted|effects|results|batches|threads|many]\n";
        return 2;
    }
    settings set{words[1], words[2], std::stoul(words[3])};
    set.lease = milliseconds{std::stol(words[4])};
    set.handler = milliseconds{std::stol(words[5])};
    set.drain = milliseconds{std::stol(words[6])};
    set.record = coworker::test::open_record(words[7]);
    const std::string_view how = count == 9 ? words[8] : "";
    set.mixed = how == "mixed" || how == "counted";
    set.effects = how == "effects";
    set.counted = how == "counted" ? 2 : set.effects ? 1 : 0;
    if (set.mixed || set.effects)
        set.accounts = coworker::test::open_record(coworker::test::account_beside(words[7]).c_str());
    set.results = how == "results";
    set.batches = how == "batches";
    set.threads = how == "threads";
    set.many = how == "many";

    asio::io_context io{1};
    asio::thread_pool pool{2};
    return coworker::test::run_process(io, run(std::move(set), pool.get_executor()));
}
