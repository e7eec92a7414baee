// SPDX-License-Identifier: MIT
#include "program/commands/job_wait.hpp"

#include "program/terminal/json_line.hpp"
#include "program/terminal/record_text.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

/// coworker job --wait
namespace coworker::program {

std::chrono::milliseconds read_wait(const std::string& text)
{
    constexpr std::chrono::milliseconds longest = std::chrono::hours{24 * 365 * 10}; // as good as for ever
    const auto time = parse_duration(text);
    if (!time)
        refuse("--wait '" + escaped(text) +
               "' is no time: write numbers with units, such as 90s, 5m or 1h30m");
    return std::min(*time, longest);
}

asio::awaitable<void> wait_for_end(const server_settings& server, const std::string& jid,
                                   std::chrono::milliseconds longest)
{
    // Commands that do not wait are not told of changes.
    const auto redis = make_client(co_await asio::this_coro::executor, server, "coworker-cli",
                                   [](client_options& options) { options.tracking = true; });
    error_code end;
    const auto wait = [&]() -> asio::awaitable<void> {
        const managed_client jobs{*redis, server.managed()};
        co_await redis->async_connect();
        co_await jobs.async_wait_for(
            jid, {}, asio::cancel_after(longest, asio::redirect_error(asio::use_awaitable, end)));
    };
    co_await close_behind(*redis, wait(), {});
    if (end == errc::job_gone)
        throw failure{exit_code::not_found, "'" + jid + "' was cancelled or deleted"};
    const bool is_seen_by_a_look =
        end == errc::job_failed || end == errc::job_not_found || end == asio::error::operation_aborted;
    if (end && !is_seen_by_a_look)
        throw system_error{end};
}

asio::awaitable<bool> show_kept_result(const managed_client& jobs, const std::string& jid, surroundings& here)
{
    const auto status = co_await jobs.async_status(jid);
    if (!status || !status->value)
        co_return false;
    if (here.json) {
        json_line line;
        line.text("id", jid).text("state", "complete").json_or_text("result", status->value->text);
        here.out.line(line.str());
    } else {
        record_text text{here.out};
        text.line("id", jid);
        text.line("state", "complete");
        text.line("result", status->value->text);
    }
    co_return true;
}

exit_code judge_end(const managed_job& job, std::chrono::milliseconds waited)
{
    if (job.state == managed_state::complete)
        return exit_code::done;
    complain("coworker: " + job.jid +
             (job.state == managed_state::failed ? " has failed"
                                                 : " has not ended within " + format_span(waited)));
    return exit_code::partly;
}

} // namespace coworker::program
