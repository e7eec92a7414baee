// SPDX-License-Identifier: MIT
#pragma once

#include "program/terminal/table.hpp"

#include <coworker/inspect/job_info.hpp>

#include <string>

namespace coworker::program {

/// What the commands call a job: its id, or @ and 16 digits made from the payload of a list queue's job that has none
/// that can be typed.
std::string name_of(const job_info& job);

/// Jobs, as a table or as JSON. Its memory is bounded by the table, in which payloads are short.
class job_listing
{
public:
    /// @param now  what ages are measured to
    job_listing(output& out, bool json, timestamp now);

    void add(const job_info& job);
    std::size_t size() const noexcept { return size_; }

    /// To be called at the end.
    void finish();

private:
    output& out_;
    bool json_;
    timestamp now_;
    table rows_;
    std::size_t size_ = 0;
};

} // namespace coworker::program
