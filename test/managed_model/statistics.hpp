// SPDX-License-Identifier: MIT
#pragma once

#include "values.hpp"

#include <cstdint>
#include <map>

namespace coworker::test::model {

/// How often which time was seen.
class distribution
{
public:
    void add(double seconds);

    json::value document() const;
    /// The fields of its hash.
    std::map<std::string, std::string> fields() const;

private:
    double count_ = 0;
    double mean_ = 0;
    double spread_ = 0; ///< vk of the protocol
    std::map<std::string, std::int64_t> bins_;
};

/// What happened in each queue on each day.
class statistics
{
public:
    void waited(double now, const std::string& queue, double seconds);
    void ran(double now, const std::string& queue, double seconds);
    /// Adds to one of the counters retries, failed and failures.
    void count(double when, const std::string& queue, const std::string& counter, int amount = 1);

    /// The counter of coworker's own.
    void retried(double when, const std::string& queue);

    json::value document(double date, const std::string& queue) const;

    /// All hashes, by key without prefix.
    std::map<std::string, std::map<std::string, std::string>> hashes() const;

private:
    using counters = std::map<std::string, std::int64_t>;

    std::map<std::string, counters> counts_;
    std::map<std::string, distribution> times_;
};

} // namespace coworker::test::model
