// SPDX-License-Identifier: MIT
#include "text/redis_scheme.hpp"

#include <algorithm>
#include <vector>

namespace coworker::detail {
namespace {

constexpr std::string_view schemes[] = {"redis", "rediss", "unix", "redis+cluster", "rediss+cluster"};
constexpr std::string_view other_name_of_unix = "redis+socket"; // as other libraries call it

/// Whether a text may be the name of a scheme. Anything else is not shown: it may be a password.
bool is_word(std::string_view text) noexcept
{
    return text.size() <= 20 && std::ranges::all_of(text, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' || c == '.';
           });
}

} // namespace

std::string complaint_of_scheme(std::string_view url, std::span<const std::string_view> others)
{
    const auto end = url.find("://");
    if (end == url.npos)
        return "it has no scheme; write redis://host, rediss://host or unix:///path";
    const auto name = url.substr(0, end);
    std::vector<std::string_view> known{std::begin(schemes), std::end(schemes)};
    known.insert(known.end(), others.begin(), others.end());
    if (name == other_name_of_unix || std::ranges::find(known, name) != known.end())
        return {};
    auto text = (is_word(name) ? "unknown scheme '" + std::string{name} + '\'' : "it begins with no scheme") +
                "; use ";
    for (const auto& each : known)
        text.append(&each == &known.front() ? "" : &each == &known.back() ? " or " : ", ").append(each);
    return text;
}

} // namespace coworker::detail
