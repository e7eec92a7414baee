// SPDX-License-Identifier: MIT
#pragma once

#include "exec/line_child.hpp"
#include "program/commands/job_line.hpp"
#include "program/commands/work_options.hpp"

#include <coworker/job_context.hpp>
#include <coworker/outcome.hpp>

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::program {

/// The processes of `coworker work --lines`: each gets a job after the other. As many as there are jobs at the same
/// time, started when they are needed.
class line_workers
{
public:
    /// @param settings  must live as long as this
    line_workers(exec::command_runner& runner, asio::any_io_executor executor, const work_settings& settings)
        : runner_{&runner}, executor_{std::move(executor)}, settings_{&settings}
    {}

    /// What a process has answered, or what became of the job without an answer.
    struct answer
    {
        outcome result;
        std::vector<detail::effect_submission> effects{};
    };

    /// Lets a process that is free run a job. A process that does not answer well is killed.
    ///
    /// @throws system_error  `operation_aborted`, when the job was told to end; the process is gone then.
    asio::awaitable<answer> run(std::string line, job_context& context, line_rules rules);

    /// Nothing more comes: lets all processes end that are free, and from now on each that becomes free.
    void stop();

private:
    using child = std::shared_ptr<exec::line_child>;
    class ends_with_its_job;

    asio::awaitable<said_line> converse(exec::line_child& one, std::string line, job_context& context,
                                        line_rules rules, ends_with_its_job& guard);
    asio::awaitable<std::string> save(job_context& context, raw_json checkpoint, ends_with_its_job& guard);
    asio::awaitable<std::string> store(job_context& context, std::string step, raw_json value,
                                       ends_with_its_job& guard);
    asio::awaitable<child> find_child(job_context& context);
    child take_idle();
    void put_back(child one);
    outcome no_answer(const exec::command_end& end, const std::string& said, std::string_view silent);

    exec::command_runner* runner_;
    asio::any_io_executor executor_;
    const work_settings* settings_;
    std::vector<child> idle_;
    unsigned started_ = 0;
    unsigned failures_ = 0; ///< in a row, of new processes that did not answer once
    bool is_stopped_ = false;
};

} // namespace coworker::program
