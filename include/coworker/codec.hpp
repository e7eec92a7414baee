// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/detail/mismatch.hpp"
#include "coworker/error.hpp"
#include "coworker/job.hpp"
#include "coworker/job_type.hpp"
#include "coworker/missing_members.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>
#include <boost/json/value_to.hpp>

#include <string>
#include <string_view>

/// @file
/// How jobs become JSON and back: through Boost.JSON. It knows numbers, strings, containers, optional, variant
/// and `json::value`. Other types are described with Boost.Describe, or have `tag_invoke` overloads for `value_from`
/// and `value_to`.
namespace coworker {

namespace detail {

/// Serialises, or says that there is no JSON form (`errc::not_serializable`).
result<std::string> encode_value(const boost::json::value& value);

/// What keeps the text from being one JSON value and nothing else.
error_code json_error(std::string_view text);

/// Memory in which a job's JSON value is built, without an allocation for a small one.
class json_arena
{
public:
    json_arena() = default;
    json_arena(const json_arena&) = delete;
    json_arena& operator=(const json_arena&) = delete;

    boost::json::storage_ptr storage() noexcept { return &memory_; }

private:
    unsigned char buffer_[2048];
    boost::json::monotonic_resource memory_{buffer_};
};

/// A parsed value in memory of its own.
class parsed_json
{
public:
    explicit parsed_json(std::string_view text);
    parsed_json(const parsed_json&) = delete;
    parsed_json& operator=(const parsed_json&) = delete;

    error_code error() const noexcept { return error_; }
    const boost::json::value& value() const noexcept { return value_; }

private:
    json_arena arena_;
    boost::json::value value_;
    error_code error_;
};

} // namespace detail

/// The JSON text of a job, or `errc::not_serializable`.
template<class Job>
result<std::string> encode(const Job& job)
{
    static_assert(json_writable<Job>, COWORKER_JOB_IS_NOT_DESCRIBED);
    if constexpr (json_writable<Job>) {
        detail::json_arena arena;
        return detail::encode_value(boost::json::value_from(job, arena.storage()));
    } else {
        return errc::not_serializable;
    }
}

/// The text itself if it is one JSON value, or `errc::not_serializable`.
inline result<std::string> encode(const raw_json& job)
{
    if (detail::json_error(job.text))
        return errc::not_serializable;
    return job.text;
}

/// The job in a JSON text, or an error: Boost.JSON's, or `errc::not_decodable`. `why_not_decodable` says what does
/// not fit. Members of the text that the type does not have are ignored. Members of the type that the text does not
/// have must be a `std::optional`, or named by `COWORKER_MAY_BE_MISSING`. A `raw_json` takes every text that is one
/// JSON value, as it was written.
template<class Job>
result<Job> decode(std::string_view text)
{
    static_assert(json_readable<Job>, COWORKER_JOB_IS_NOT_DESCRIBED);
    if constexpr (!json_readable<Job>) {
        return errc::not_decodable;
    } else if constexpr (std::is_same_v<Job, raw_json>) {
        if (const auto why = detail::json_error(text))
            return why;
        return raw_json{std::string{text}};
    } else {
        const detail::parsed_json parsed{text};
        if (parsed.error())
            return parsed.error();
        if constexpr (std::is_same_v<Job, boost::json::value>) {
            return boost::json::value(parsed.value(),
                                      boost::json::storage_ptr{}); // braces would make an array
        } else {
            try {
                auto converted = boost::json::try_value_to<Job>(parsed.value());
                if (converted.has_value())
                    return std::move(*converted);
                return error_code{converted.error()};
            } catch (const std::exception&) { // a user's own conversion
                return errc::not_decodable;
            }
        }
    }
}

/// Why a text does not decode as a `Job`, for people: it names the type, and the member that is missing or wrong.
/// Empty if it does decode.
template<class Job>
std::string why_not_decodable(std::string_view text)
{
    if constexpr (!json_readable<Job>) {
        return {};
    } else {
        const detail::parsed_json parsed{text};
        if (parsed.error())
            return "it is not JSON: " + parsed.error().message();
        if constexpr (std::is_same_v<Job, raw_json>)
            return {};
        else
            return detail::explain_mismatch<Job>(parsed.value());
    }
}

} // namespace coworker
