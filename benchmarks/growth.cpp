// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "stage.hpp"
#include "workload.hpp"

#include "coworker/job_source.hpp"
#include "redis/connection/connection.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>

/// What a job costs Redis while many others are there, in some state. Three databases of one server, with few, more and
/// many of them, take turns, since the machine's speed changes.
namespace bench {
namespace {

constexpr std::array sizes{1'000L, 100'000L, 1'000'000L};
constexpr int repeats = 9;
constexpr long cycle_jobs = 400;
constexpr std::size_t batch = 50;
constexpr std::chrono::hours long_time{24};

using fill_function = asio::awaitable<void> (*)(coworker::client&, coworker::job_source&, long);

/// Fetches jobs, and acknowledges them if there is an outcome.
asio::awaitable<void> work_off(coworker::job_source& source, long count,
                               std::optional<coworker::outcome> result)
{
    while (count > 0) {
        const auto wanted = std::min<std::size_t>(batch, static_cast<std::size_t>(count));
        std::vector<coworker::acknowledgement> acks;
        const auto got = co_await source.ack_and_fetch(acks, wanted);
        if (got.fetched.empty())
            throw std::runtime_error{"growth: jobs are missing"};
        count -= static_cast<long>(got.fetched.size());
        if (!result)
            continue;
        for (const auto& job : got.fetched)
            acks.push_back({&job, &*result});
        co_await source.ack_and_fetch(acks, 0);
    }
}

struct list_side
{
    static constexpr const char* name = "list";

    static coworker::list_queue<letter> queue(coworker::client& redis)
    {
        coworker::list_queue_options options;
        options.failed_limit = 10'000'000;
        return {redis, "bench", options};
    }

    static asio::awaitable<void> prepare(coworker::client&) { co_return; }

    static asio::awaitable<void> push(coworker::client& redis, long count,
                                      std::chrono::milliseconds delay = {})
    {
        const auto jobs = make_letters(count);
        coworker::push_options options;
        options.delay = delay;
        co_await queue(redis).async_push_many(jobs, options);
    }
};

struct managed_side
{
    static constexpr const char* name = "managed";

    static coworker::managed_queue queue(coworker::client& redis) { return {redis, "bench"}; }

    /// Leases and completed jobs last.
    static asio::awaitable<void> prepare(coworker::client& redis)
    {
        boost::redis::request request;
        request.push("HSET", "ql:config", "heartbeat", "86400", "jobs-history-count", "100000000");
        coworker::detail::reply answer;
        co_await coworker::detail::connection_of(redis).exec(request, answer);
        answer.throw_if_error();
    }

    static asio::awaitable<void> push(coworker::client& redis, long count,
                                      std::chrono::milliseconds delay = {},
                                      std::vector<std::string> depends = {})
    {
        const auto jobs = make_letters(count);
        coworker::managed_push_options options;
        options.delay = delay;
        options.depends = std::move(depends);
        co_await queue(redis).async_push_many("Letter", jobs, options);
    }
};

/// Each job with options of its own, which `Set` makes of its number.
template<void (*Set)(coworker::managed_push_options&, const std::string&)>
struct each_with_its_own : managed_side
{
    static asio::awaitable<void> prepare(coworker::client& redis)
    {
        co_await managed_side::prepare(redis);
        const coworker::managed_client jobs{redis};
        const coworker::limit_settings few{.max_running = 2};
        co_await jobs.async_set_limit("tenant:*", few);
    }

    static asio::awaitable<void> push(coworker::client& redis, long count)
    {
        static long number = 0;
        while (count > 0) {
            std::vector<coworker::new_managed_job> jobs;
            for (; count > 0 && jobs.size() != 10'000; --count, ++number) {
                auto& job = jobs.emplace_back("Letter", coworker::encode(make_letter(number)).value());
                Set(job.options, std::to_string(number));
            }
            co_await queue(redis).async_push_many(jobs);
        }
    }
};

using own_group = each_with_its_own<[](coworker::managed_push_options& options, const std::string& number) {
    options.group = "group " + number;
}>;
using own_order = each_with_its_own<[](coworker::managed_push_options& options, const std::string& number) {
    options.order_key = "customer " + number;
}>;
using own_tenant = each_with_its_own<[](coworker::managed_push_options& options, const std::string& number) {
    options.limits = "tenant:" + number;
}>;

template<class Side>
asio::awaitable<void> waiting(coworker::client& redis, coworker::job_source&, long count)
{
    co_await Side::push(redis, count);
}

template<class Side>
asio::awaitable<void> scheduled(coworker::client& redis, coworker::job_source&, long count)
{
    co_await Side::push(redis, count, long_time);
}

template<class Side>
asio::awaitable<void> running(coworker::client& redis, coworker::job_source& source, long count)
{
    co_await Side::push(redis, count);
    co_await work_off(source, count, std::nullopt);
}

template<class Side>
asio::awaitable<void> failed(coworker::client& redis, coworker::job_source& source, long count)
{
    co_await Side::push(redis, count);
    co_await work_off(source, count, coworker::failure("because"));
}

template<class Side>
asio::awaitable<void> completed(coworker::client& redis, coworker::job_source& source, long count)
{
    co_await Side::push(redis, count);
    co_await work_off(source, count, coworker::success());
}

/// Jobs that are held back, since each depends on one that does not complete.
asio::awaitable<void> held_back(coworker::client& redis, coworker::job_source& source, long count)
{
    const auto blocker = make_letter(0);
    const auto jid = co_await managed_side::queue(redis).async_push("Letter", blocker);
    co_await work_off(source, 1, std::nullopt);
    for (long left = count; left > 0; left -= 10'000) {
        std::vector<std::string> depends{jid};
        co_await managed_side::push(redis, std::min(left, 10'000L), {}, std::move(depends));
    }
}

/// Jobs with these limits, of which one holds them back.
asio::awaitable<void> push_limited(coworker::client& redis, long count,
                                   coworker::managed_push_options options)
{
    const coworker::managed_client jobs{redis};
    const coworker::limit_settings nothing{.max_running = 0};
    co_await jobs.async_set_limit("nothing", nothing);
    for (long left = count; left > 0; left -= 10'000) {
        const auto letters = make_letters(std::min(left, 10'000L));
        co_await managed_side::queue(redis).async_push_many("Letter", letters, options);
    }
}

/// Jobs that a limit holds back.
asio::awaitable<void> limited(coworker::client& redis, coworker::job_source&, long count)
{
    coworker::managed_push_options options;
    options.limits = "nothing";
    co_await push_limited(redis, count, std::move(options));
}

/// Jobs of two limits, of which the second holds them back.
asio::awaitable<void> two_limits(coworker::client& redis, coworker::job_source&, long count)
{
    coworker::managed_push_options options;
    options.limits = {"tenant", "nothing"};
    co_await push_limited(redis, count, std::move(options));
}

/// Redis' own time in microseconds for these commands, so far.
double time_in(stage& on, std::initializer_list<const char*> commands)
{
    double time = 0;
    for (const std::string command : commands) {
        const auto line = on.redis().raw().info("commandstats", "cmdstat_" + command);
        if (const auto at = line.find("usec="); at != line.npos)
            time += std::stod(line.substr(at + 5));
    }
    return time;
}

struct costs
{
    std::vector<double> push, take; ///< microseconds per job
};

template<class Side>
asio::awaitable<void> cycle(stage& on, coworker::client& redis, coworker::job_source& source, costs& to)
{
    const double begin = time_in(on, {"evalsha", "lpush"});
    co_await Side::push(redis, cycle_jobs);
    const double pushed = time_in(on, {"evalsha", "lpush"}), before = time_in(on, {"evalsha"});
    co_await work_off(source, cycle_jobs, coworker::success());
    to.push.push_back((pushed - begin) / cycle_jobs);
    to.take.push_back((time_in(on, {"evalsha"}) - before) / cycle_jobs);
}

/// One of the databases, with a client of its own.
struct database
{
    explicit database(coworker::client c) : redis{std::move(c)} {}

    coworker::client redis;
    std::unique_ptr<coworker::job_source> source{};
    costs cost{};
};

std::string url_of(const stage& on, std::size_t database)
{
    return on.tcp_url() + '/' + std::to_string(database);
}

/// Fills the databases, and then lets them take turns; returns what was measured, the smallest first.
template<class Side>
asio::awaitable<std::array<costs, sizes.size()>> measure(stage& on, fill_function fill)
{
    const auto executor = co_await asio::this_coro::executor;
    std::vector<std::unique_ptr<database>> places;
    for (std::size_t i = 0; i != sizes.size(); ++i) {
        const std::string url = url_of(on, i);
        coworker::client redis{executor, {.url = url}};
        auto& place = *places.emplace_back(std::make_unique<database>(std::move(redis)));
        co_await Side::prepare(place.redis);
        place.source = Side::queue(place.redis).make_source();
        co_await place.source->open();
        place.source->lease_time(long_time);
        co_await fill(place.redis, *place.source, on.some(sizes[i]));
    }
    for (int i = 0; i != repeats; ++i)
        for (auto& place : places)
            co_await cycle<Side>(on, place->redis, *place->source, place->cost);
    std::array<costs, sizes.size()> found;
    for (std::size_t i = 0; i != sizes.size(); ++i) {
        found[i] = places[i]->cost;
        co_await places[i]->source->close();
        co_await places[i]->redis.async_stop();
    }
    co_return found;
}

/// Lets a worker, with its monitor, work in the largest database; returns the time of the longest script.
double longest_script(stage& on, const std::string& kind)
{
    on.redis()("CONFIG", "SET", "slowlog-max-len", 100'000);
    on.redis()("CONFIG", "SET", "slowlog-log-slower-than", 100);
    on.redis()("SLOWLOG", "RESET");
    task work{.kind = kind, .url = url_of(on, sizes.size() - 1), .what = "work", .how = "latency"};
    task push = work;
    push.what = "push";
    push.how = "rate";
    push.rate = 2'000;
    push.count = work.count = on.some(6'000);
    latency(work.words(), push.words());
    on.redis()("CONFIG", "SET", "slowlog-log-slower-than", -1);
    std::int64_t longest = 0;
    for (const auto& entry : on.redis()("SLOWLOG", "GET", -1).elements)
        if (entry.elements.at(3).elements.at(0).text.starts_with("EVALSHA"))
            longest = std::max(longest, entry.elements.at(2).integer);
    return static_cast<double>(longest);
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

template<class Side>
void add(stage& on, const std::string& state, fill_function fill, figures& to)
{
    on.empty();
    using result = std::array<costs, sizes.size()>;
    const auto found = run<result>(on.tcp_url(), [&](coworker::client&) { return measure<Side>(on, fill); });
    const auto name = std::string{"growth."} + Side::name + '.' + state;
    const auto report = [&](const std::string& what, auto part) {
        const double few = median(found[0].*part), more = median(found[1].*part),
                     many = median(found[2].*part);
        std::fprintf(
            stderr,
            "bench: %s.%s: %.2f us of Redis per job beside 10^3, %.2f beside 10^5, %.2f beside 10^6\n",
            name.c_str(), what.c_str(), few, more, many);
        to.push_back({name + '.' + what, "ratio", many / few, 1.1});
    };
    report("push", &costs::push);
    report("take", &costs::take);
    to.push_back({name + ".longest", "us", longest_script(on, Side::name), 1000});
    on.empty();
}

} // namespace

figures growth_of_lists(stage& on)
{
    figures found;
    add<list_side>(on, "waiting", &waiting<list_side>, found);
    add<list_side>(on, "scheduled", &scheduled<list_side>, found);
    add<list_side>(on, "running", &running<list_side>, found);
    add<list_side>(on, "failed", &failed<list_side>, found);
    return found;
}

figures growth_of_managed(stage& on)
{
    figures found;
    add<managed_side>(on, "waiting", &waiting<managed_side>, found);
    add<managed_side>(on, "scheduled", &scheduled<managed_side>, found);
    add<managed_side>(on, "running", &running<managed_side>, found);
    add<managed_side>(on, "failed", &failed<managed_side>, found);
    add<managed_side>(on, "completed", &completed<managed_side>, found);
    add<managed_side>(on, "held_back", &held_back, found);
    return found;
}

figures growth_with_limits(stage& on)
{
    figures found;
    add<managed_side>(on, "limited", &limited, found);
    add<managed_side>(on, "two_limits", &two_limits, found);
    add<own_group>(on, "groups", &waiting<own_group>, found);
    add<own_order>(on, "order_keys", &waiting<own_order>, found);
    add<own_tenant>(on, "tenants", &waiting<own_tenant>, found);
    return found;
}

} // namespace bench
