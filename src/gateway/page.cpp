// SPDX-License-Identifier: MIT
#include "gateway/page.hpp"

#include "gateway/memory_share.hpp"
#include "text/json_object.hpp"
#include "text/percent_code.hpp"

#include <algorithm>

namespace coworker::detail {

std::string escaped_for_path(std::string_view name)
{
    return percent_encoded(name, [](char c) {
        constexpr std::string_view plain =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~:";
        return plain.find(c) != plain.npos;
    });
}

page_cursor read_cursor(const routed& request)
{
    page_cursor from{.count = number_in_query(request, "count", usual_page, largest_page)};
    if (const auto found = request.query.find("cursor"); found != request.query.end())
        from.cursor = found->second;
    return from;
}

std::chrono::minutes read_minutes(const routed& request)
{
    constexpr std::uint64_t day = 24 * 60;
    return std::chrono::minutes{number_in_query(request, "minutes", day, day)};
}

void page_writer::add(std::string_view json)
{
    if (held_ != nullptr)
        held_->add(json.size() + 1);
    if (size_++ != 0)
        text_ += ',';
    text_ += json;
    largest_ = std::max(largest_, json.size());
}

std::size_t page_writer::next_part(std::size_t missing) noexcept
{
    const auto fitting = std::clamp<std::size_t>(bytes_at_a_time / largest_, 1, most_at_a_time);
    part_ = std::min(part_ == 0 ? 1 : 4 * part_, fitting);
    return std::min(part_, missing);
}

answer page_writer::finish(std::string_view next, const std::vector<std::string>& missing_nodes) &&
{
    text_ += "],\"next\":";
    text_ += next.empty() ? "null" : json_string(next);
    for (const auto& node : missing_nodes) {
        text_ += &node == &missing_nodes.front() ? ",\"missing_nodes\":[" : ",";
        text_ += json_string(node);
    }
    text_ += missing_nodes.empty() ? "}\n" : "]}\n";
    return {.body = std::move(text_)};
}

std::string path_of(const routed& request)
{
    std::string path{request.route->path};
    if (const auto begin = path.find('{'); begin != path.npos)
        path.replace(begin, path.find('}') - begin + 1, escaped_for_path(request.name));
    return path;
}

std::string next_path(std::string path, const page_cursor& from)
{
    if (from.cursor.empty())
        return {};
    path += path.find('?') == path.npos ? '?' : '&';
    return path.append("cursor=")
        .append(escaped_for_path(from.cursor))
        .append("&count=")
        .append(std::to_string(from.count));
}

} // namespace coworker::detail
