// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "stage.hpp"
#include "workload.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include <sys/resource.h>

#include <cstdio>
#include <deque>
#include <map>
#include <sstream>
#include <thread>

/// What a fleet of workers costs a Redis that others use as well: a part of its processor, and commands.
namespace bench {
namespace {

using namespace std::chrono_literals;

enum class load
{
    nothing,  ///< nothing is there to do
    one_each, ///< a job of each queue runs for long
    much      ///< two thousand short jobs a second, over all queues
};

constexpr const char* name_of(load what)
{
    return what == load::nothing ? "idle" : what == load::one_each ? "running" : "busy";
}

std::string queue_of(int number)
{
    return "bench" + std::to_string(number);
}

/// Each worker has a connection of its own and serves all queues.
class fleet
{
public:
    fleet(const std::string& url, bool managed, int workers, int queues, bool holds)
    {
        for (int i = 0; i != workers; ++i) {
            auto& redis = clients_.emplace_back(io_, coworker::client_options{.url = url});
            coworker::worker_options options;
            options.shutdown_timeout = 0s;
            options.observers = {};
            auto& each = workers_.emplace_back(redis, options);
            for (int queue = 0; queue != queues; ++queue)
                serve(each, redis, queue_of(queue), managed, holds);
            each.async_run([this](const boost::system::error_code& why) {
                if (why)
                    std::fprintf(stderr, "bench: guest: a worker ended: %s\n", why.message().c_str());
                if (++ended_ == workers_.size())
                    for (auto& all : clients_)
                        all.async_stop(asio::detached);
            });
        }
        thread_ = std::thread{[this] { io_.run(); }};
    }

    ~fleet()
    {
        asio::post(io_, [this] {
            for (auto& each : workers_)
                each.stop();
        });
        thread_.join();
    }

    fleet(const fleet&) = delete;
    fleet& operator=(const fleet&) = delete;

private:
    static asio::awaitable<void> handle(bool holds)
    {
        if (holds)
            co_await pause_until(clock::now() + 1h);
    }

    static void serve(coworker::worker& one, coworker::client& redis, const std::string& queue, bool managed,
                      bool holds)
    {
        if (managed) {
            const coworker::managed_queue served{redis, queue};
            one.handle(served, [holds](coworker::raw_json) { return handle(holds); });
        } else {
            const coworker::list_queue<letter> served{redis, queue};
            one.handle(served, [holds](letter) { return handle(holds); });
        }
    }

    asio::io_context io_{1};
    std::deque<coworker::client> clients_;
    std::deque<coworker::worker> workers_;
    std::size_t ended_ = 0;
    std::thread thread_;
};

asio::awaitable<void> push_one(coworker::client& redis, bool managed, const std::string& queue)
{
    const auto job = make_letter(1);
    if (managed) {
        const coworker::managed_queue to{redis, queue};
        co_await to.async_push("letter", job);
    } else {
        const coworker::list_queue<letter> to{redis, queue};
        co_await to.async_push(job);
    }
}

/// Pushes two thousand a second for so long.
asio::awaitable<void> push_much(coworker::client& redis, bool managed, int queues, clock::duration time)
{
    const auto begin = clock::now();
    for (int i = 0; clock::now() - begin < time; ++i) {
        co_await pause_until(begin + i * 500us);
        co_await push_one(redis, managed, queue_of(i % queues));
    }
}

struct command_cost
{
    double calls = 0, us = 0;
};

/// By command; those that scripts call are counted, too. Without what this measurement sends.
std::map<std::string, command_cost> commands_so_far(stage& on)
{
    std::map<std::string, command_cost> all;
    std::istringstream text{on.redis()("INFO", "commandstats").text};
    for (std::string line; std::getline(text, line);) {
        const auto colon = line.find(':');
        if (!line.starts_with("cmdstat_") || colon == line.npos)
            continue;
        const auto number = [&](std::string_view field) {
            return std::stod(line.substr(line.find(field) + field.size()));
        };
        const auto name = line.substr(8, colon - 8);
        if (name != "info")
            all[name] = {number("calls="), number("usec=")};
    }
    return all;
}

double calls_without_ping(stage& on)
{
    double calls = 0;
    for (const auto& [name, cost] : commands_so_far(on))
        if (name != "ping")
            calls += cost.calls;
    return calls;
}

/// Until the workers have come, have taken what there is, and have nothing more to say.
void wait_until_quiet(stage& on, int workers)
{
    const auto connected = [&] {
        const auto line = on.redis().raw().info("clients", "connected_clients");
        return std::stoi(line);
    };
    for (int quiet = 0, looks = 0; quiet != 4 && looks != 600; ++looks) {
        const auto before = calls_without_ping(on);
        std::this_thread::sleep_for(250ms);
        const auto now = calls_without_ping(on);
        quiet = connected() >= workers && now - before < 50 ? quiet + 1 : 0;
    }
}

void report(stage& on, const std::string& name, const std::map<std::string, command_cost>& before,
            double seconds, double cpu)
{
    std::fprintf(stderr, "bench: %s: %.2f %% of Redis' processor", name.c_str(), cpu);
    for (const auto& [command, now] : commands_so_far(on)) {
        const auto found = before.find(command);
        const auto base = found == before.end() ? command_cost{} : found->second;
        if (now.calls > base.calls)
            std::fprintf(stderr, "; %s %.1f/s, %.0f us/s", command.c_str(),
                         (now.calls - base.calls) / seconds, (now.us - base.us) / seconds);
    }
    std::fprintf(stderr, "\n");
}

void measure(stage& on, bool managed, load what, int workers, int queues, figures& to)
{
    on.empty();
    const auto time = on.brief() ? 500ms : 5000ms;
    const auto name = std::string{"guest."} + (managed ? "managed." : "list.") + name_of(what) + '.' +
                      std::to_string(workers) + 'x' + std::to_string(queues);
    const fleet there{on.tcp_url(), managed, workers, queues, what == load::one_each};
    if (what == load::one_each)
        run<bool>(on.tcp_url(), [&](coworker::client& redis) -> asio::awaitable<bool> {
            for (int i = 0; i != queues; ++i)
                co_await push_one(redis, managed, queue_of(i));
            co_return true;
        });
    wait_until_quiet(on, workers);
    const auto before = commands_so_far(on);
    const auto calls = calls_without_ping(on), cpu = on.redis_cpu();
    const auto begin = clock::now();
    if (what == load::much)
        run<bool>(on.tcp_url(), [&](coworker::client& redis) -> asio::awaitable<bool> {
            co_await push_much(redis, managed, queues, time);
            co_return true;
        });
    else
        std::this_thread::sleep_for(time);
    const auto seconds = seconds_since(begin);
    const auto part = (on.redis_cpu() - cpu) / seconds * 100;
    const auto rate = (calls_without_ping(on) - calls) / seconds;
    report(on, name, before, seconds, part);
    to.push_back({name + ".cpu", "%", part, 1});
    to.push_back({name + ".commands", "commands/s", rate});
}

/// How many workers Redis knows of a queue.
long registered(stage& on, bool managed)
{
    return managed ? on.redis()("ZCARD", "ql:workers").integer
                   : on.redis()("HLEN", "hworker-workers-" + queue_of(0)).integer;
}

/// Redis is started again, without its data: how long until each worker, and all but a hundredth, ask for jobs again, and
/// how long the longest command took.
void measure_reconnect(stage& on, bool managed, int workers, figures& to)
{
    on.empty();
    const auto name =
        std::string{"guest."} + (managed ? "managed." : "list.") + "reconnect." + std::to_string(workers);
    const fleet there{on.tcp_url(), managed, workers, 1, false};
    wait_until_quiet(on, workers);
    on.redis().restart();
    const auto begin = clock::now();
    on.redis()("CONFIG", "SET", "slowlog-log-slower-than", 500);
    double nearly_all = 0;
    while (registered(on, managed) < workers && seconds_since(begin) < 60) {
        if (nearly_all == 0 && registered(on, managed) * 100 >= 99L * workers)
            nearly_all = seconds_since(begin);
        std::this_thread::sleep_for(5ms);
    }
    const auto all = seconds_since(begin);
    std::int64_t longest = 0;
    for (const auto& entry : on.redis()("SLOWLOG", "GET", -1).elements)
        longest = std::max(longest, entry.elements.at(2).integer);
    to.push_back({name + ".all", "ms", all * 1000});
    to.push_back({name + ".p99", "ms", (nearly_all == 0 ? all : nearly_all) * 1000, 2000});
    to.push_back({name + ".commands", "commands", calls_without_ping(on)});
    to.push_back({name + ".longest", "us", static_cast<double>(longest), 5000});
}

/// A file for each connection.
void allow_many_files()
{
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
}

figures fleets(stage& on, bool managed)
{
    constexpr int most = 20'000; // queues of all workers, which this one process serves
    allow_many_files();
    figures found;
    const std::vector<int> worker_counts = on.brief() ? std::vector{3} : std::vector{10, 100, 1'000};
    const std::vector<int> queue_counts = on.brief() ? std::vector{2} : std::vector{1, 10, 200};
    for (const auto workers : worker_counts)
        for (const auto queues : queue_counts) {
            if (workers * queues > most) {
                skip("guest: " + std::to_string(workers) + " workers with " + std::to_string(queues) +
                         " queues",
                     "they are too many for one process");
                continue;
            }
            for (const auto what : {load::nothing, load::one_each, load::much})
                measure(on, managed, what, workers, queues, found);
        }
    on.empty();
    return found;
}

} // namespace

figures guest_of_lists(stage& on)
{
    return fleets(on, false);
}

figures guest_of_managed(stage& on)
{
    return fleets(on, true);
}

figures guest_reconnect(stage& on)
{
    allow_many_files();
    figures found;
    for (const bool managed : {false, true})
        measure_reconnect(on, managed, on.brief() ? 3 : 1'000, found);
    on.empty();
    return found;
}

} // namespace bench
