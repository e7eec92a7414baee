// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/text.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace coworker {

/// A place in a trace, as W3C Trace Context passes it on between programs: the headers `traceparent` and `tracestate`.
///
/// A job of a managed queue carries it in its metadata, under the same names: `carry_trace` puts it there, and
/// `job_context::trace` reads it. It is a plain value, and needs no tracing library; it converts to one's own context
/// by its texts.
class trace_context
{
public:
    /// Reads the values of both headers. Empty if `traceparent` is none: as W3C says, the receiver then begins a new
    /// trace. A `tracestate` that is damaged is left out.
    static std::optional<trace_context> parse(std::string_view traceparent, std::string_view tracestate = {});

    /// Begins a new trace with random ids.
    ///
    /// @param sampled  whether the trace is recorded
    static trace_context make(bool sampled = true);

    /// The same trace, with a new random span id.
    trace_context child() const;

    /// 32 lower-case hexadecimal digits, not all zero.
    std::string_view trace_id() const noexcept { return {trace_id_.data(), trace_id_.size()}; }
    /// 16 lower-case hexadecimal digits, not all zero.
    std::string_view span_id() const noexcept { return {span_id_.data(), span_id_.size()}; }
    /// Whether the caller records the trace.
    bool sampled() const noexcept { return sampled_; }

    /// The header `traceparent`, version 00.
    std::string traceparent() const;
    /// The header `tracestate`: what tracing systems add. Empty: none.
    const std::string& tracestate() const noexcept { return state_; }

    /// Sets `traceparent` and, if there is one, `tracestate` in metadata of a job.
    void write(text_map& metadata) const;

    /// The same place in the same trace.
    friend bool operator==(const trace_context&, const trace_context&) = default;

private:
    trace_context() = default;

    std::array<char, 32> trace_id_{};
    std::array<char, 16> span_id_{};
    bool sampled_ = false;
    std::string state_;
};

} // namespace coworker
