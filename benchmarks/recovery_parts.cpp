// SPDX-License-Identifier: MIT
#include "recovery.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <sys/resource.h>
#include <thread>

namespace bench {

using namespace std::chrono_literals;

std::vector<std::string> standing(const std::string& kind, const std::string& url, const std::string& how,
                                  long places, double blocks_ms)
{
    task worker{.kind = kind, .url = url, .what = "stand", .count = places, .how = how};
    worker.handler_ms = blocks_ms;
    return worker.words();
}

asio::awaitable<void> push_letters(coworker::client& redis, std::string kind, std::vector<letter> jobs,
                                   std::chrono::milliseconds delay)
{
    if (kind == "list") {
        const coworker::list_queue<letter> queue{redis, "bench"};
        coworker::push_options options;
        options.delay = delay;
        co_await queue.async_push_many(jobs, options);
    } else {
        const coworker::managed_queue queue{redis, "bench"};
        coworker::managed_push_options options;
        options.delay = delay;
        options.retries = 1'000; // each loss of a worker uses up one
        co_await queue.async_push_many("Letter", jobs, options);
    }
}

void push_letters(const std::string& url, const std::string& kind, std::vector<letter> jobs,
                  std::chrono::milliseconds delay)
{
    run<bool>(url, [&](coworker::client& redis) -> asio::awaitable<bool> {
        co_await push_letters(redis, kind, jobs, delay);
        co_return true;
    });
}

std::map<long, long> told_times(const std::string& output, const std::string& word)
{
    std::map<long, long> times;
    std::istringstream lines{output};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words{line};
        std::string first;
        long number = 0, time = 0;
        if (words >> first >> number >> time && first == word)
            times[number] = time;
    }
    return times;
}

long told_count(const std::string& output, const std::string& word)
{
    long sum = 0;
    std::istringstream lines{output};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words{line};
        std::string first;
        long count = 0;
        if (words >> first >> count && first == word)
            sum += count;
    }
    return sum;
}

void wait_until(const std::string& what, const std::function<bool()>& is_so)
{
    const auto give_up = clock::now() + 2min;
    while (!is_so()) {
        if (clock::now() > give_up)
            throw std::runtime_error{"recovery: in vain was waited until " + what};
        std::this_thread::sleep_for(2ms);
    }
}

double at_share(std::vector<double> numbers, double share)
{
    std::sort(numbers.begin(), numbers.end());
    const auto place = static_cast<std::size_t>(share * static_cast<double>(numbers.size()));
    return numbers.empty() ? 0 : numbers[std::min(place, numbers.size() - 1)];
}

void add_percentiles(figures& to, const std::string& name, std::vector<double> samples, double goal)
{
    to.push_back({name + ".p50", "ms", at_share(samples, 0.5)});
    to.push_back({name + ".p99", "ms", at_share(samples, 0.99), goal});
}

void watch_commands(redis_server& server)
{
    // Or a command would seem to take as long as another program keeps the processor. Where that is not permitted, it does.
    constexpr int before_others = -20;
    const auto id = static_cast<id_t>(std::stoi(server.raw().info("server", "process_id")));
    (void)::setpriority(PRIO_PROCESS, id, before_others);
    server("CONFIG", "SET", "slowlog-log-slower-than", 500, "slowlog-max-len", 100'000);
    server("SLOWLOG", "RESET");
}

std::vector<double> script_times(redis_server& server)
{
    std::vector<double> times;
    for (const auto& entry : server("SLOWLOG", "GET", -1).elements)
        if (entry.elements.at(3).elements.at(0).text == "EVALSHA")
            times.push_back(static_cast<double>(entry.elements.at(2).integer));
    return times;
}

} // namespace bench
