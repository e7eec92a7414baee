// SPDX-License-Identifier: MIT
#pragma once

#include "benchmark.hpp"
#include "stage.hpp"
#include "workload.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// What the measurements of recovery have in common.
namespace bench {

constexpr const char* const queue_kinds[] = {"list", "managed"};

/// Words of a process that serves the queue of this kind until SIGTERM; see `stand`.
std::vector<std::string> standing(const std::string& kind, const std::string& url, const std::string& how,
                                  long places = 100, double blocks_ms = 0);

/// Pushes jobs with these numbers into the queue of this kind, which run after the delay.
asio::awaitable<void> push_letters(coworker::client& redis, std::string kind, std::vector<letter> jobs,
                                   std::chrono::milliseconds delay = {});
/// The same with a client of its own.
void push_letters(const std::string& url, const std::string& kind, std::vector<letter> jobs,
                  std::chrono::milliseconds delay = {});

/// When runs began or ended that a process told of, by the numbers of their jobs: the latest, in ns of the steady clock.
std::map<long, long> told_times(const std::string& output, const std::string& word);
/// How many of these events it told of.
long told_count(const std::string& output, const std::string& word);

/// Waits until it is so; throws after two minutes.
void wait_until(const std::string& what, const std::function<bool()>& is_so);

/// Which of these numbers is larger than this share of them; zero if there are none.
double at_share(std::vector<double> numbers, double share);

/// Adds the median and the 99th percentile of samples, in ms.
void add_percentiles(figures& to, const std::string& name, std::vector<double> samples, double goal);

/// From now on the slow log has all scripts that take half a millisecond.
void watch_commands(redis_server& server);
/// How long these took, in us.
std::vector<double> script_times(redis_server& server);

} // namespace bench
