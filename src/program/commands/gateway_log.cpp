// SPDX-License-Identifier: MIT
#include "program/commands/gateway_log.hpp"

#include "text/json_object.hpp"

#include <cstdio>

namespace coworker::program {
namespace {

std::string or_dash(std::string_view text)
{
    return text.empty() ? "-" : std::string{text};
}

std::string what_was_asked(const gateway_request& request)
{
    return or_dash(request.method) + ' ' + or_dash(request.path);
}

/// "10.0.0.7:51234 token GET /v1/queues 200 1234 bytes 0.8 ms"
std::string access_line(const gateway_request& request)
{
    char time[32];
    std::snprintf(time, sizeof time, "%.1f ms",
                  std::chrono::duration<double, std::milli>{request.duration}.count());
    return or_dash(request.peer) + ' ' + or_dash(request.token) + ' ' + what_was_asked(request) + ' ' +
           std::to_string(request.status) + ' ' + std::to_string(request.bytes) + " bytes " + time;
}

void add_members(detail::json_object& line, const gateway_request& request)
{
    line.text("method", request.method).text("path", request.path).number("status", request.status);
    line.text("peer", request.peer).text_if_any("token", request.token);
}

} // namespace

void gateway_log::note(const gateway_request& request)
{
    if (has_each_)
        log_.tell(
            log_level::info, "request",
            [&](detail::json_object& line) {
                add_members(line, request);
                line.number("bytes", request.bytes);
                line.number("duration_seconds", std::chrono::duration<double>{request.duration}.count());
            },
            access_line(request));
    if (request.is_change && request.status < 400)
        log_.tell(
            log_level::info, "change",
            [&](detail::json_object& line) {
                add_members(line, request);
                line.json_or_null("result", request.result);
            },
            "change by " + or_dash(request.peer) + ' ' + or_dash(request.token) + ": " +
                what_was_asked(request) + ' ' + std::to_string(request.status) + ' ' +
                std::string{request.result});
    if (request.status >= 500)
        note_failure(request);
}

void gateway_log::note_failure(const gateway_request& request)
{
    constexpr std::chrono::seconds pause{10};
    const auto now = std::chrono::steady_clock::now();
    if (request.reason == last_reason_ && now < may_repeat_at_) {
        ++unsaid_;
        return;
    }
    auto text = what_was_asked(request) + " was answered with " + std::to_string(request.status);
    if (!request.reason.empty())
        text.append(": ").append(request.reason);
    if (unsaid_ != 0)
        text += " (so were " + std::to_string(unsaid_) + " more since the last line like this)";
    log_.tell(
        log_level::warning, "request_failed",
        [&](detail::json_object& line) {
            add_members(line, request);
            line.text("message", request.reason);
        },
        text);
    last_reason_ = request.reason;
    may_repeat_at_ = now + pause;
    unsaid_ = 0;
}

} // namespace coworker::program
