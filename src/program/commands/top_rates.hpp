#pragma once

#include "program/commands/queue_look.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coworker::cli {

/// A queue, and what happened in it since the look before. Without rates: there was none.
struct top_row
{
    queue_look look;
    std::optional<double> queued, succeeded, failed, retried; ///< jobs per second
};

/// Compares looks.
class top_rates
{
public:
    /// The rows of these looks, in their order.
    std::vector<top_row> update(std::vector<queue_look> looks, std::chrono::steady_clock::time_point now);

private:
    std::map<std::string, queue_look> before_;
    std::chrono::steady_clock::time_point then_{};
};

/// What the rows can be in order of.
enum class top_order
{
    queue,
    waiting,
    oldest,
    running,
    scheduled,
    failed_jobs,
    queued,
    succeeded,
    retried,
    failed,
    workers
};
constexpr int top_orders = static_cast<int>(top_order::workers) + 1;

/// Largest first, names alphabetically; `reversed`: the other way round.
void sort_rows(std::vector<top_row>& rows, top_order order, bool reversed);

} // namespace coworker::cli
