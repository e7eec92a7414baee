// SPDX-License-Identifier: MIT
#include "simulation/scene.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <exception>
#include <stdexcept>

namespace coworker::test {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds lease = 30s;

std::string why(std::exception_ptr error)
{
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& thrown) {
        return thrown.what();
    }
}

/// A worker that finds such a server when it first connects ends.
bool is_read_only(std::exception_ptr error)
{
    try {
        std::rethrow_exception(error);
    } catch (const system_error& thrown) {
        return thrown.code() == errc::read_only_server;
    } catch (...) {
        return false;
    }
}

std::string words_of(const event& what)
{
    std::string text{to_string(what.kind)};
    for (const auto part : {what.queue, what.job_id, what.message})
        if (!part.empty())
            (text += ' ') += part;
    for (const auto number :
         {static_cast<long long>(what.count), static_cast<long long>(what.attempt),
          static_cast<long long>(what.duration.count()), static_cast<long long>(what.delay.count())})
        if (number != 0)
            (text += ' ') += std::to_string(number);
    return text;
}

} // namespace

scene::scene(simulation& all, scene_options how)
    : all_{all}, how_{std::move(how)}, account_{all}, random_{how_.seed, 5}
{}

// --- processes ---

simulated_process& scene::add(std::string name, program run)
{
    return all_.add(std::move(name), [this, run = std::move(run)](simulated_process& me) {
        asio::co_spawn(*me.io, run(me), [this, &me](std::exception_ptr error) { has_ended(me, error); });
    });
}

void scene::has_ended(simulated_process& process, std::exception_ptr error)
{
    process.has_ended = true;
    process.stop = nullptr;
    all_.tell(process.name, error ? "ends: " + why(error) : "ends");
    if (!error)
        return;
    if (!is_read_only(error))
        account_.violate(process.name + " has ended: " + why(error));
    all_.after(second, [this, &process] { // as a service manager does
        all_.kill(process);
        all_.start(process);
    });
}

simulated_process& scene::add_worker(std::string name)
{
    return *workers_.emplace_back(&add(std::move(name), [this](simulated_process& me) { return work(me); }));
}

void scene::start_workers(int count)
{
    for (int number = 1; number <= count; ++number)
        all_.start(add_worker("worker-" + std::to_string(number)));
}

void scene::begin_misfortune(misfortune::weights how, nanoseconds longest_pause)
{
    misfortune_.emplace(all_, account_, workers_, how);
    misfortune_->begin(longest_pause);
}

simulated_process& scene::add_producer(std::string name, program run)
{
    ++producers_;
    auto run_and_count = [this, run = std::move(run)](simulated_process& me) -> asio::awaitable<void> {
        co_await run(me);
        --producers_;
    };
    return add(std::move(name), std::move(run_and_count));
}

simulated_process& scene::add_checker()
{
    return add("checker", [this](simulated_process& me) { return check(me); });
}

client_options scene::options_for(const simulated_process& me)
{
    client_options options;
    options.url = simulated_network::url;
    options.client_name = me.name;
    options.health_check_interval = health_check_;
    return options;
}

observer scene::observe(const simulated_process& me)
{
    return [this, &me](const event& what) {
        all_.tell(me.name, words_of(what));
        account_.hear(what, &me);
    };
}

handle_options scene::handling() const
{
    handle_options options;
    options.lease = lease;
    options.max_attempts = 0;
    options.max_crashes = 0; // workers die of something else
    options.backoff = exponential_backoff{.maximum = option_duration{20'000}};
    return options;
}

asio::awaitable<void> scene::work(simulated_process& me)
{
    client redis{co_await asio::this_coro::executor, options_for(me)};
    list_queue<numbered_job> numbers{redis, "numbers"};
    managed_queue letters{redis, "letters"};
    worker_options options;
    options.concurrency = concurrency();
    options.order = queue_order::round_robin;
    auto all_events = observe(me);
    options.observers = {std::move(all_events)};
    worker hand{redis, options};
    me.stop = [&hand] { hand.stop(); };
    handle_jobs(me, hand, numbers, letters);
    add_queues(me, redis, hand);
    co_await hand.async_run();
}

void scene::handle_jobs(simulated_process& me, worker& hand, list_queue<numbered_job>& numbers,
                        managed_queue& letters)
{
    auto run = [this, &me](numbered_job job, job_context& context) {
        return run_job(me, job.number, context);
    };
    hand.handle(numbers, run, handling());
    handlers_by_kind handlers;
    handlers.on<numbered_job>("Letter", run);
    hand.handle(letters, std::move(handlers), handling());
}

asio::awaitable<void> scene::check(simulated_process& me)
{
    client redis{co_await asio::this_coro::executor, options_for(me)};
    bool goes_on = true;
    me.stop = [&] { goes_on = false; };
    inspector look{redis};
    while (goes_on) {
        co_await rest(2 * minute);
        for (const auto& queue : {queue_ref::list("numbers"), queue_ref::managed("letters")}) {
            std::string cursor;
            do {
                finding_page page;
                auto act = [&]() -> asio::awaitable<void> {
                    page = co_await look.async_check(queue, cursor);
                };
                co_await insist(me, act);
                for (const auto& found : page.findings)
                    if (found.broken)
                        account_.violate("check: " + found.kind + ' ' + found.key + ' ' + found.member);
                cursor = page.next;
            } while (!cursor.empty());
        }
    }
}

asio::awaitable<void> scene::rest(nanoseconds time)
{
    asio::steady_timer timer{co_await asio::this_coro::executor, std::chrono::nanoseconds{time}};
    co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<void> scene::insist(simulated_process& me, std::function<asio::awaitable<void>()> act)
{
    const auto since = all_.now();
    for (bool is_done = false; !is_done;) {
        try {
            co_await act();
            is_done = true;
        } catch (const system_error& error) {
            // A client that finds such a server when it first connects says so for good: the process starts anew.
            if (error.code() == errc::read_only_server && all_.now() - since > minute)
                throw;
            all_.tell(me.name, std::string{"tries again: "} + error.what());
        }
        if (!is_done)
            co_await rest(100 * millisecond);
    }
}

// --- from the beginning to the end ---

bool scene::play()
{
    all_.start_redis();
    all_.ask({"HSET", "ql:config", "heartbeat", "25", "grace-period",
              "5"}); // as long as the leases of list queues
    standstill_.emplace(all_, account_, standing());
    begin();
    look_whether_over();
    all_.after(storm() / 8, [this] { trace_of_begin_ = all_.record().hash(); });
    if (how_.only_begin) {
        all_.run(all_.now() + storm(), [this] { return trace_of_begin_ != 0; });
        return account_.violations().empty();
    }
    all_.after(storm(), [this] { all_.let_nothing_go_wrong(); });
    const auto limit = all_.now() + storm() + patience();
    if (all_.run(limit, [this] { return is_over_ || account_.violations().size() > 20; }))
        finish();
    else
        account_.violate("jobs have not ended in time: " + what_is_left());
    return account_.violations().empty();
}

/// The keys in which jobs are with which something is to be done.
std::vector<std::string> scene::keys_of_jobs() const
{
    std::vector<std::string> keys;
    for (const auto& queue : list_queues_)
        for (const auto* const part : {"jobs", "progress", "scheduled", "duplicates", "shared"})
            keys.push_back(std::string{"hworker-"} + part + '-' + queue);
    for (const auto& queue : managed_queues_)
        for (const auto* const part : {"work", "locks", "scheduled", "depends"})
            keys.push_back("ql:q:" + queue + '-' + part);
    for (const auto& queue : managed_queues_)
        keys.push_back("ql:coworker:parked:" + queue);
    return keys;
}

bool scene::is_over()
{
    if (producers_ != 0 || !all_.redis().runs() || all_.is_redis_frozen())
        return false;
    auto words = keys_of_jobs();
    words.insert(words.begin(), "EXISTS");
    return all_.ask(words) == std::vector<std::string>{"0"};
}

std::string scene::what_is_left()
{
    std::string text = std::to_string(producers_) + " producers";
    for (const auto& key : keys_of_jobs())
        if (all_.ask({"EXISTS", key}) == std::vector<std::string>{"1"})
            text += ", " + key;
    return text;
}

void scene::look_whether_over()
{
    is_over_ = is_over();
    if (all_.redis().runs() && !all_.is_redis_frozen())
        standstill_->look(list_queues_, managed_queues_);
    if (!is_over_)
        all_.after(between_looks(), [this] { look_whether_over(); });
}

} // namespace coworker::test
