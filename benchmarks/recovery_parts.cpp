// SPDX-License-Identifier: MIT
#include "recovery.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
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

void add_percentiles(figures& to, const std::string& name, std::vector<double> samples, double goal)
{
    std::sort(samples.begin(), samples.end());
    const auto at = [&](double share) {
        const auto place = static_cast<std::size_t>(share * static_cast<double>(samples.size()));
        return samples.at(std::min(place, samples.size() - 1));
    };
    to.push_back({name + ".p50", "ms", at(0.5)});
    to.push_back({name + ".p99", "ms", at(0.99), goal});
}

void watch_commands(redis_server& server)
{
    server("CONFIG", "SET", "slowlog-log-slower-than", 500, "slowlog-max-len", 100'000);
    server("SLOWLOG", "RESET");
}

double longest_command(redis_server& server)
{
    std::int64_t longest = 0;
    for (const auto& entry : server("SLOWLOG", "GET", -1).elements)
        if (entry.elements.at(3).elements.at(0).text != "SLOWLOG")
            longest = std::max(longest, entry.elements.at(2).integer);
    return static_cast<double>(longest);
}

} // namespace bench
