// SPDX-License-Identifier: MIT
#include "redis/lead.hpp"

#include "bounds.hpp"
#include "text/bounded_time.hpp"

#include <algorithm>

namespace coworker::detail {

std::chrono::milliseconds term_of(std::chrono::milliseconds round, std::chrono::milliseconds pause) noexcept
{
    return std::clamp(2 * (round + pause), monitor_term, longest_monitor_term);
}

asio::awaitable<leadership> take_lead(connection& redis, const std::string& key, const std::string& workers,
                                      const std::string& who, std::chrono::milliseconds term)
{
    script_arguments arguments{key, workers};
    arguments.add(who);
    arguments.add_number(term.count());
    const reply answers = co_await redis.call(find_script("redis/lead"), arguments, patience::unlimited);
    const auto answer = answers.back();
    leadership found;
    if (answer.size() == 0) {
        found.left = found.soon = bounded_span(answer.integer());
    } else {
        found.left = bounded_span(answer.integer(0));
        found.soon = bounded_span(answer.integer(1));
    }
    co_return found;
}

asio::awaitable<void> give_up_lead(connection& redis, const std::string& key, const std::string& who)
{
    script_arguments arguments{key};
    arguments.add(who);
    arguments.add_number(0);
    co_await redis.call(find_script("redis/lead"), arguments);
}

} // namespace coworker::detail
