// SPDX-License-Identifier: MIT
#include "statistics.hpp"

#include <cmath>

namespace coworker::test::model {
namespace {

std::string key(const std::string& kind, double when, const std::string& queue)
{
    return "s:" + kind + ':' + text14(day_of(when)) + ':' + queue;
}

std::string bin_of(double seconds)
{
    const auto bin = [](char unit, double number) {
        return std::string(1, unit).append(text14(std::floor(number)));
    };
    const double whole = std::floor(seconds);
    if (whole < 60)
        return bin('s', whole);
    if (whole < 3600)
        return bin('m', whole / 60);
    if (whole < 86400)
        return bin('h', whole / 3600);
    return bin('d', whole / 86400);
}

} // namespace

void distribution::add(double seconds)
{
    const double before = mean_;
    count_ += 1;
    if (count_ == 1) {
        mean_ = seconds;
    } else {
        mean_ += (seconds - mean_) / count_;
        spread_ += (seconds - mean_) * (seconds - before);
    }
    ++bins_[bin_of(seconds)];
}

json::value distribution::document() const
{
    json::array histogram;
    const auto add = [&](char unit, int first, int last) {
        for (int i = first; i <= last; ++i) {
            const auto found = bins_.find(unit + std::to_string(i));
            histogram.push_back(found == bins_.end() ? 0 : found->second);
        }
    };
    add('s', 0, 59);
    add('m', 1, 59);
    add('h', 1, 23);
    add('d', 1, 6);
    const double deviation = count_ > 1 ? std::sqrt(spread_ / (count_ - 1)) : 0;
    return json::object{{"count", count_},
                        {"mean", rounded14(mean_)},
                        {"std", rounded14(deviation)},
                        {"histogram", std::move(histogram)}};
}

std::map<std::string, std::string> distribution::fields() const
{
    std::map<std::string, std::string> result{
        {"total", text17(count_)}, {"mean", text17(mean_)}, {"vk", text17(spread_)}};
    for (const auto& [bin, count] : bins_)
        result[bin] = std::to_string(count);
    return result;
}

void statistics::waited(double now, const std::string& queue, double seconds)
{
    times_[key("wait", now, queue)].add(seconds);
}

void statistics::ran(double now, const std::string& queue, double seconds)
{
    times_[key("run", now, queue)].add(seconds);
}

void statistics::count(double when, const std::string& queue, const std::string& counter, int amount)
{
    counts_[key("stats", when, queue)][counter] += amount;
}

void statistics::retried(double when, const std::string& queue)
{
    counts_["coworker:retries:" + text14(day_of(when))][queue] += 1;
}

json::value statistics::document(double date, const std::string& queue) const
{
    const auto times = [&](const std::string& kind) {
        const auto found = times_.find(key(kind, date, queue));
        return found == times_.end() ? distribution{}.document() : found->second.document();
    };
    json::object result{{"wait", times("wait")}, {"run", times("run")}};
    const auto found = counts_.find(key("stats", date, queue));
    for (const char* counter : {"retries", "failed", "failures"}) {
        const bool known = found != counts_.end() && found->second.contains(counter);
        result[counter] = known ? found->second.at(counter) : 0;
    }
    return result;
}

std::map<std::string, std::map<std::string, std::string>> statistics::hashes() const
{
    std::map<std::string, std::map<std::string, std::string>> result;
    for (const auto& [name, counts] : counts_)
        for (const auto& [counter, count] : counts)
            result[name][counter] = std::to_string(count);
    for (const auto& [name, times] : times_)
        result[name] = times.fields();
    return result;
}

} // namespace coworker::test::model
