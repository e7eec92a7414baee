// SPDX-License-Identifier: MIT
#include "gateway/answer_head.hpp"

#include "text/times.hpp"

#include <chrono>

namespace coworker::detail {

namespace {

/// For now. Put into words once a second.
std::string_view date()
{
    using std::chrono::floor, std::chrono::seconds, std::chrono::system_clock;
    thread_local std::chrono::sys_seconds written{};
    thread_local std::string text;
    const auto now = floor<seconds>(system_clock::now());
    if (now != written || text.empty()) {
        text = format_http_date(now);
        written = now;
    }
    return text;
}

} // namespace

std::string format_head(const answer& what, const head_facts& facts)
{
    std::string head;
    head.reserve(512);
    head.append("HTTP/1.1 ").append(std::to_string(what.status)) += ' ';
    head += reason_phrase(what.status);
    head += "\r\n";
    const auto add = [&](std::string_view name, std::string_view value) {
        head.append(name).append(": ").append(value).append("\r\n");
    };
    add("Date", date());
    add("Content-Type", what.content_type);
    add("X-Content-Type-Options", "nosniff");
    bool says_how_to_cache = false;
    for (const auto& [name, value] : what.fields) {
        says_how_to_cache = says_how_to_cache || name == "Cache-Control";
        add(name, value);
    }
    if (!says_how_to_cache)
        add("Cache-Control", "no-store");
    if (what.status != 304 && !what.next_part) // which has no body, whatever it says of one
        add("Content-Length", std::to_string(what.body.size()));
    if (facts.is_encrypted)
        add("Strict-Transport-Security", "max-age=31536000");
    if (!facts.keep_alive)
        add("Connection", "close");
    else if (facts.says_keep_alive)
        add("Connection", "keep-alive");
    head += "\r\n";
    return head;
}

} // namespace coworker::detail
