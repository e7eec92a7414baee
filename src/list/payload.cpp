// SPDX-License-Identifier: MIT
#include "list/payload.hpp"

#include "text/json_spans.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/string_view.hpp>

#include <algorithm>

namespace coworker::detail {

result<payload_parts> split_payload(std::string_view payload)
{
    json_reader text{payload};
    if (!text.accept('['))
        return errc::not_decodable;
    const auto id = text.value();
    if (!id || id->front() != '"' || !text.accept(','))
        return errc::not_decodable;
    const auto job = text.value();
    if (!job || !text.accept(']'))
        return errc::not_decodable;
    payload_parts parts{string_of(*id), {}, *job};
    if (id->size() == parts.id.size() + 2) // nothing in it was escaped
        parts.plain_id = id->substr(1, parts.id.size());
    return parts;
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
