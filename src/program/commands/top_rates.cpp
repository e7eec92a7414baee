#include "program/commands/top_rates.hpp"

#include <algorithm>
#include <utility>

namespace coworker::cli {
namespace {

/// How much a counter has grown. One that is smaller than before began anew.
std::uint64_t growth(std::uint64_t before, std::uint64_t now)
{
    return now >= before ? now - before : now;
}

std::uint64_t present(const queue_look& look)
{
    return look.waiting + look.running + look.scheduled + look.stalled.value_or(0) + look.depends.value_or(0);
}

top_row compare(const queue_look& before, queue_look now, double seconds)
{
    const auto succeeded = growth(before.total_succeeded, now.total_succeeded);
    const auto failed = growth(before.total_failed, now.total_failed);
    const auto broken = growth(before.total_broken, now.total_broken);
    // Nobody counts what is queued, so it is what there is more of, and what has ended.
    const auto gone = static_cast<double>(succeeded + failed + broken);
    const auto more = static_cast<double>(present(now)) - static_cast<double>(present(before));
    top_row row;
    row.queued = std::max(more + gone, 0.0) / seconds;
    row.succeeded = static_cast<double>(succeeded) / seconds;
    row.failed = static_cast<double>(failed + broken) / seconds;
    row.retried = static_cast<double>(growth(before.total_retried, now.total_retried)) / seconds;
    row.look = std::move(now);
    return row;
}

/// What stands in a column.
double value_of(const top_row& row, top_order order)
{
    const auto& look = row.look;
    switch (order) {
    case top_order::queue:
        break;
    case top_order::waiting:
        return static_cast<double>(look.waiting);
    case top_order::oldest:
        return look.oldest_waiting ? static_cast<double>(look.oldest_waiting->count()) : -1;
    case top_order::running:
        return static_cast<double>(look.running);
    case top_order::scheduled:
        return static_cast<double>(look.scheduled);
    case top_order::failed_jobs:
        return static_cast<double>(look.failed.value_or(0) + look.broken.value_or(0));
    case top_order::queued:
        return row.queued.value_or(-1);
    case top_order::succeeded:
        return row.succeeded.value_or(-1);
    case top_order::retried:
        return row.retried.value_or(-1);
    case top_order::failed:
        return row.failed.value_or(-1);
    case top_order::workers:
        return static_cast<double>(look.workers.value_or(0));
    }
    return 0;
}

} // namespace

std::vector<top_row> top_rates::update(std::vector<queue_look> looks,
                                       std::chrono::steady_clock::time_point now)
{
    const auto seconds = std::chrono::duration<double>(now - then_).count();
    std::map<std::string, queue_look> seen;
    std::vector<top_row> rows;
    for (auto& look : looks) {
        const auto name = look.queue.str();
        seen.emplace(name, look);
        const auto before = before_.find(name);
        if (before != before_.end() && seconds > 0) {
            rows.push_back(compare(before->second, std::move(look), seconds));
        } else {
            top_row row;
            row.look = std::move(look);
            rows.push_back(std::move(row));
        }
    }
    before_ = std::move(seen);
    then_ = now;
    return rows;
}

void sort_rows(std::vector<top_row>& rows, top_order order, bool reversed)
{
    std::vector<std::pair<std::string, top_row>> named;
    for (auto& row : rows) {
        auto name = row.look.queue.str();
        named.emplace_back(std::move(name), std::move(row));
    }
    std::sort(named.begin(), named.end(), [&](const auto& left, const auto& right) {
        const auto mine = value_of(left.second, order), others = value_of(right.second, order);
        if (mine != others)
            return reversed ? mine < others : mine > others;
        return order == top_order::queue && reversed ? left.first > right.first : left.first < right.first;
    });
    rows.clear();
    for (auto& [name, row] : named)
        rows.push_back(std::move(row));
}

} // namespace coworker::cli
