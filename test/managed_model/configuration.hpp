// SPDX-License-Identifier: MIT
#pragma once

#include "values.hpp"

#include <algorithm>
#include <map>

namespace coworker::test::model {

/// The options that are set, and the defaults of those that are not.
class configuration
{
public:
    void set(const std::string& option, const std::string& value) { stored_[option] = value; }
    void unset(const std::string& option) { stored_.erase(option); }

    /// An option that steers something; what is no number does not count.
    double number(const std::string& option, double otherwise) const
    {
        const auto found = stored_.find(option);
        return found == stored_.end() ? otherwise : to_number(found->second).value_or(otherwise);
    }

    /// From now on locks are those of coworker's own workers, for whom only what is greater than 0 counts; or no more.
    void lock_for_workers(bool own_workers) { for_workers_ = own_workers; }

    /// Seconds a job of the queue is locked.
    double heartbeat(const std::string& queue) const
    {
        if (for_workers_) {
            const double own = number(queue + "-heartbeat", 0), common = number("heartbeat", 0);
            return std::max(own > 0 ? own : common > 0 ? common : 60, 0.1);
        }
        return number(queue + "-heartbeat", number("heartbeat", 60));
    }

    /// As config.get answers: a text if it was set, else the default.
    json::value get(const std::string& option) const
    {
        const auto everything = all();
        const auto* found = everything.as_object().if_contains(option);
        return found ? *found : json::value{};
    }

    json::value all() const
    {
        json::object result{{"application", "qless"}, {"heartbeat", 60},        {"grace-period", 10},
                            {"stats-history", 30},    {"histogram-history", 7}, {"jobs-history-count", 50000},
                            {"jobs-history", 604800}};
        for (const auto& [option, value] : stored_)
            result[option] = value;
        return result;
    }

    const std::map<std::string, std::string>& stored() const { return stored_; }

private:
    std::map<std::string, std::string> stored_;
    bool for_workers_ = false;
};

} // namespace coworker::test::model
