// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

#include <string>
#include <string_view>

/// hworker's payload: a JSON array of the job's id and the job, `["<id>",<job>]`.
namespace coworker::detail {

/// Where the parts of a payload are.
struct payload_parts
{
    std::string_view plain_id; ///< the id inside the payload, if it needs no decoding
    std::string decoded_id;    ///< else the id
    std::string_view job;      ///< the job's JSON text, inside the payload

    std::string_view id() const noexcept
    {
        return decoded_id.empty() ? plain_id : std::string_view{decoded_id};
    }
};

/// Finds the parts, as hworker reads them: blanks are allowed, what follows the closing bracket is
/// ignored, the id may be any string. Anything else is `errc::not_decodable`.
result<payload_parts> split_payload(std::string_view payload);

/// The same without a check of the job, for who decodes it anyway: the job may be no JSON. Of a payload that
/// `split_payload` takes, the parts are the same.
result<payload_parts> skim_payload(std::string_view payload);

/// Writes a payload in hworker's own form: one line, no blanks.
std::string make_payload(std::string_view id, std::string_view job);

} // namespace coworker::detail
