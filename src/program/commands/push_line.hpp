// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coworker::program {

/// Which members of a line say something about the job beside being a part of it.
struct line_fields
{
    std::string id;   ///< the member with the job's id; empty: ids are made
    std::string kind; ///< the member with the job's kind; empty: it is given otherwise
    std::string key;  ///< the member with the key that chooses the partition; empty: jobs have none
};

/// A line of `push` as a job, or what is wrong with it.
struct line_job
{
    std::string json; ///< the whole line
    std::optional<std::string> id;
    std::string kind;
    std::string key;
    std::uint64_t line = 0;       ///< its number
    std::string complaint;        ///< empty if the line can be queued
    bool is_cut_off = false;      ///< it begins a value that does not end there
    bool looks_like_jobs = false; ///< an array of objects
};

line_job read_line_job(std::string line, const line_fields& fields);

} // namespace coworker::program
