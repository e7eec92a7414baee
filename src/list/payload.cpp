// SPDX-License-Identifier: MIT
#include "list/payload.hpp"

#include "text/json_spans.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/string_view.hpp>

#include <algorithm>

namespace coworker::detail {

namespace {

/// `read_job` reads a value.
template<class ReadJob>
result<payload_parts> split(std::string_view payload, ReadJob read_job)
{
    json_reader text{payload};
    if (!text.accept('['))
        return errc::not_decodable;
    payload_parts parts;
    if (const auto plain = text.plain_string()) {
        parts.plain_id = *plain;
    } else {
        const auto id = text.value();
        if (!id || id->front() != '"')
            return errc::not_decodable;
        parts.decoded_id = string_of(*id);
    }
    if (!text.accept(','))
        return errc::not_decodable;
    const auto job = read_job(text);
    if (!job || !text.accept(']'))
        return errc::not_decodable;
    parts.job = *job;
    return parts;
}

} // namespace

result<payload_parts> split_payload(std::string_view payload)
{
    return split(payload, [](json_reader& text) { return text.value(); });
}

result<payload_parts> skim_payload(std::string_view payload)
{
    return split(payload, [](json_reader& text) { return text.skim(); });
}

std::string make_payload(std::string_view id, std::string_view job)
{
    std::string payload;
    payload.reserve(id.size() + job.size() + 5);
    payload += '[';
    const bool plain = std::none_of(id.begin(), id.end(), [](char c) {
        return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
    });
    if (plain) {
        payload += '"';
        payload += id;
        payload += '"';
    } else {
        payload += boost::json::serialize(boost::json::string_view{id});
    }
    payload += ',';
    payload += job;
    payload += ']';
    return payload;
}

} // namespace coworker::detail
