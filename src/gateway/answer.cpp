// SPDX-License-Identifier: MIT
#include "gateway/answer.hpp"

#include "text/json_object.hpp"

namespace coworker::detail {

std::string_view reason_phrase(unsigned status) noexcept
{
    switch (status) {
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 202:
        return "Accepted";
    case 207:
        return "Multi-Status";
    case 304:
        return "Not Modified";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 409:
        return "Conflict";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 411:
        return "Length Required";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 415:
        return "Unsupported Media Type";
    case 417:
        return "Expectation Failed";
    case 422:
        return "Unprocessable Content";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 501:
        return "Not Implemented";
    case 503:
        return "Service Unavailable";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "Error";
    }
}

answer problem(unsigned status, std::string_view detail)
{
    answer result{.status = status, .content_type = "application/problem+json"};
    result.body = R"({"type":"about:blank","title":)" + json_string(reason_phrase(status)) +
                  ",\"status\":" + std::to_string(status) + ",\"detail\":" + json_string(detail) + "}\n";
    if (status >= 500)
        result.reason = detail;
    return result;
}

answer answer_of(const refusal& refused)
{
    auto result = problem(refused.status, refused.detail);
    result.fields = refused.fields;
    return result;
}

answer combine(const std::vector<answer>& answers)
{
    answer result{.status = answers.front().status, .body = "["};
    for (const auto& one : answers) {
        if (one.status != result.status)
            result.status = 207;
        if (result.reason.empty())
            result.reason = one.reason;
        std::string_view text = one.body;
        text.remove_suffix(1); // the line's end
        if (one.content_type == "application/json")
            result.body += "{\"status\":" + std::to_string(one.status) + ',' + std::string{text.substr(1)};
        else
            result.body += text;
        result.body += ',';
    }
    result.body.back() = ']';
    result.body += '\n';
    if (result.status == 503 || result.status == 429)
        result.fields.emplace_back("Retry-After", "1");
    return result;
}

} // namespace coworker::detail
