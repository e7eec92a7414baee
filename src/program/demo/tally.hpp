#pragma once

#include "program/demo/file_job.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coworker::demo {

/// What is known of the results so far.
class tally
{
public:
    /// One file's results.
    struct entry
    {
        std::string digest;
        std::uint64_t bytes = 0;
        unsigned results = 0; ///< how many arrived
        unsigned attempt = 0; ///< the highest
        std::int64_t last_started = 0;
        bool contradicted = false; ///< two results differ
    };

    /// When the jobs of a dead worker ran again, after the moment it died.
    struct rerun
    {
        std::size_t jobs = 0;
        std::int64_t first = 0, last = 0; ///< microseconds
    };

    explicit tally(std::size_t files = 0) : entries_(files) {}

    void add(const file_result& result);

    const std::vector<entry>& entries() const noexcept { return entries_; }
    std::size_t files() const noexcept { return entries_.size(); }
    /// Files with at least one result.
    std::size_t distinct() const noexcept { return distinct_; }
    std::uint64_t bytes() const noexcept { return bytes_; }
    /// Results for files that nobody asked about.
    std::size_t strange() const noexcept { return strange_; }
    /// Files whose job was run more than once, whether or not the first run got to its end.
    std::size_t run_twice() const;

    /// Of these files, those whose job was started after `moment`.
    rerun started_again(const std::vector<std::uint64_t>& files, std::int64_t moment) const;

private:
    std::vector<entry> entries_;
    std::size_t distinct_ = 0;
    std::size_t strange_ = 0;
    std::uint64_t bytes_ = 0;
};

} // namespace coworker::demo
