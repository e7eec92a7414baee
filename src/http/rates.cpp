#include "http/rates.hpp"

#include "text/json_object.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

bool has_begun_anew(const job_totals& before, const job_totals& now) noexcept
{
    return now.succeeded < before.succeeded || now.retried < before.retried || now.failed < before.failed;
}

job_rates rates_between(const job_totals& before, const job_totals& now, std::chrono::duration<double> time)
{
    const auto rate = [&](std::uint64_t from, std::uint64_t to) {
        return static_cast<double>(to - from) / time.count();
    };
    return {rate(before.succeeded, now.succeeded), rate(before.retried, now.retried),
            rate(before.failed, now.failed)};
}

} // namespace

std::string describe(const std::optional<job_rates>& rates)
{
    if (!rates)
        return "null";
    json_object out;
    out.number("succeeded", rates->succeeded)
        .number("retried", rates->retried)
        .number("failed", rates->failed);
    return out.str();
}

std::deque<rate_meter::sample>& rate_meter::samples_of(const std::string& queue)
{
    if (queues_.size() >= most_queues_ && !queues_.contains(queue)) {
        const auto stalest =
            std::min_element(queues_.begin(), queues_.end(), [](const auto& a, const auto& b) {
                return a.second.back().when < b.second.back().when;
            });
        queues_.erase(stalest);
    }
    return queues_[queue];
}

std::optional<job_rates> rate_meter::add(const std::string& queue, job_totals totals, time_point now)
{
    auto& samples = samples_of(queue);
    while (!samples.empty() && now - samples.front().when > oldest)
        samples.pop_front();
    if (!samples.empty() && has_begun_anew(samples.back().totals, totals))
        samples.clear();
    // The last one that is old enough is what to compare with.
    while (samples.size() > 1 && now - samples[1].when >= window)
        samples.pop_front();
    std::optional<job_rates> rates;
    if (!samples.empty() && now - samples.front().when >= least_distance)
        rates = rates_between(samples.front().totals, totals, now - samples.front().when);
    if (samples.empty() || now - samples.back().when >= least_distance)
        samples.push_back({now, totals});
    return rates;
}

} // namespace coworker::detail
