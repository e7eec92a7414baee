// SPDX-License-Identifier: MIT
#include "fuzz/answer_check.hpp"

#include "gateway/answer.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <charconv>
#include <map>

namespace coworker::test {
namespace {

struct answer_head
{
    unsigned status = 0;
    std::map<std::string, std::string, std::less<>> fields;
};

/// Cuts a line off the front.
std::string_view cut_line(std::string_view& rest)
{
    const auto end = rest.find("\r\n");
    const auto line = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 2);
    return line;
}

unsigned to_number(std::string_view text)
{
    unsigned number = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    return ec == std::errc{} && end == text.data() + text.size() ? number : 0;
}

std::string read_head(std::string_view text, answer_head& head, bool may_fail)
{
    const auto first = cut_line(text);
    head.status = to_number(first.substr(std::min<std::size_t>(9, first.size()), 3));
    if (!first.starts_with("HTTP/1.") || head.status < 100)
        return "no line with a status";
    if (head.status != 100 && head.status != 304 && detail::reason_phrase(head.status) == "Error")
        return "a status that is not known";
    if (!may_fail && (head.status == 500 || head.status == 503))
        return "the gateway says that it failed";
    while (!text.empty()) {
        const auto line = cut_line(text);
        const auto colon = line.find(": ");
        if (colon == line.npos || line.find_first_of("\r\n") != line.npos)
            return "a line of the header that is none";
        head.fields.emplace(line.substr(0, colon), line.substr(colon + 2));
    }
    return {};
}

std::string check_body(const answer_head& head, std::string_view body)
{
    const auto type = head.fields.find("Content-Type");
    if (type == head.fields.end())
        return "no Content-Type";
    const bool is_problem = type->second == "application/problem+json";
    // The answer for many jobs is a list, of problems as well.
    if (is_problem ? head.status < 400 : head.status >= 400 && !body.starts_with('['))
        return "a problem without its status, or the other way round";
    if (!is_problem && type->second != "application/json")
        return {};
    boost::system::error_code ec;
    const auto json = boost::json::parse(body, ec);
    if (ec)
        return "a body that is not JSON";
    if (is_problem && json.at("status").to_number<unsigned>() != head.status)
        return "a problem with another status";
    return {};
}

/// One answer, which is cut off the front.
std::string check_answer(std::string_view& rest, bool may_fail)
{
    const auto end = rest.find("\r\n\r\n");
    if (end == rest.npos)
        return "a header without an end";
    answer_head head;
    if (auto wrong = read_head(rest.substr(0, end), head, may_fail); !wrong.empty())
        return wrong;
    rest.remove_prefix(end + 4);
    if (head.status == 100 || head.status == 304)
        return {};
    if (const auto type = head.fields.find("Content-Type");
        type != head.fields.end() && type->second == "text/event-stream") {
        rest = {}; // goes on to the end
        return {};
    }
    const auto length = head.fields.find("Content-Length");
    if (length == head.fields.end())
        return "no Content-Length";
    // What is behind the header tells whether it was HEAD that was answered.
    if (rest.empty() || rest.starts_with("HTTP/1."))
        return {};
    const auto size = to_number(length->second);
    if (size > rest.size())
        return "a body that is too short";
    auto wrong = check_body(head, rest.substr(0, size));
    rest.remove_prefix(size);
    return wrong;
}

} // namespace

std::string check_answers(std::string_view bytes, bool may_fail)
{
    while (!bytes.empty()) {
        const auto answer = bytes.substr(0, 1000);
        if (auto wrong = check_answer(bytes, may_fail); !wrong.empty())
            return wrong + ": " + std::string{answer};
    }
    return {};
}

} // namespace coworker::test
