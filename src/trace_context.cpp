// SPDX-License-Identifier: MIT
#include "coworker/trace_context.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>

/// https://www.w3.org/TR/trace-context/
namespace coworker {
namespace {

constexpr std::string_view digits = "0123456789abcdef";
/// 00-, the trace, -, the span, -, the flags.
constexpr std::size_t parent_size = 55;

bool is_hex(std::string_view text)
{
    return text.find_first_not_of(digits) == text.npos;
}

bool is_zero(std::string_view text)
{
    return text.find_first_not_of('0') == text.npos;
}

/// Later versions may append fields, and nothing else.
bool has_known_form(std::string_view parent)
{
    if (parent.size() < parent_size || parent[2] != '-' || parent[35] != '-' || parent[52] != '-')
        return false;
    const auto version = parent.substr(0, 2);
    if (!is_hex(version) || version == "ff")
        return false;
    return parent.size() == parent_size || (version != "00" && parent[parent_size] == '-');
}

std::string_view trim(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t");
    if (begin == text.npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// One `key=value` of a tracestate.
bool is_member(std::string_view member)
{
    const auto equals = member.find('=');
    if (equals == member.npos || equals == 0 || equals > 256)
        return false;
    const auto key = member.substr(0, equals), value = member.substr(equals + 1);
    const auto in_key = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               std::string_view{"_-*/@"}.find(c) != std::string_view::npos;
    };
    const auto in_value = [](char c) { return c >= ' ' && c <= '~' && c != '='; };
    const bool begins_well = std::string_view{"_-*/@"}.find(key.front()) == std::string_view::npos;
    return begins_well && std::all_of(key.begin(), key.end(), in_key) && !value.empty() &&
           value.size() <= 256 && std::all_of(value.begin(), value.end(), in_value);
}

bool is_state(std::string_view state)
{
    constexpr std::size_t most_bytes = 512, most = 32;
    if (state.size() > most_bytes)
        return false;
    std::size_t members = 0;
    for (std::size_t begin = 0; begin <= state.size();) {
        const auto end = std::min(state.find(',', begin), state.size());
        const auto member = trim(state.substr(begin, end - begin));
        if (!member.empty() && (!is_member(member) || ++members > most))
            return false;
        begin = end + 1;
    }
    return members != 0;
}

template<std::size_t Size>
std::array<char, Size> random_id()
{
    static thread_local std::mt19937_64 random = [] {
        std::random_device device;
        std::seed_seq seed{device(), device(), device(), device(), device(), device()};
        return std::mt19937_64{seed};
    }();
    std::array<char, Size> id{};
    do {
        for (std::size_t i = 0; i != Size; i += 16) {
            auto bits = random();
            for (std::size_t j = i; j != i + 16; ++j, bits >>= 4)
                id[j] = digits[bits & 15];
        }
    } while (is_zero({id.data(), id.size()}));
    return id;
}

} // namespace

std::optional<trace_context> trace_context::parse(std::string_view traceparent, std::string_view tracestate)
{
    if (!has_known_form(traceparent))
        return std::nullopt;
    const auto trace = traceparent.substr(3, 32), span = traceparent.substr(36, 16);
    const auto flags = traceparent.substr(53, 2);
    if (!is_hex(trace) || !is_hex(span) || !is_hex(flags) || is_zero(trace) || is_zero(span))
        return std::nullopt;
    trace_context context;
    std::copy(trace.begin(), trace.end(), context.trace_id_.begin());
    std::copy(span.begin(), span.end(), context.span_id_.begin());
    context.sampled_ = (digits.find(flags[1]) & 1) != 0;
    if (is_state(tracestate))
        context.state_ = tracestate;
    return context;
}

trace_context trace_context::make(bool sampled)
{
    trace_context context;
    context.trace_id_ = random_id<32>();
    context.span_id_ = random_id<16>();
    context.sampled_ = sampled;
    return context;
}

trace_context trace_context::child() const
{
    auto context = *this;
    context.span_id_ = random_id<16>();
    return context;
}

std::string trace_context::traceparent() const
{
    std::string text{"00-"};
    text.append(trace_id()).append("-").append(span_id()).append(sampled_ ? "-01" : "-00");
    return text;
}

void trace_context::write(text_map& metadata) const
{
    metadata.set("traceparent", traceparent());
    if (!state_.empty())
        metadata.set("tracestate", state_);
}

} // namespace coworker
