// SPDX-License-Identifier: MIT
#pragma once

#include "text/utf8.hpp"

#include <boost/uuid/time_generator_v7.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <mutex>
#include <string>
#include <string_view>

namespace coworker::detail {

/// Checks an id given by a caller: UTF-8, 1 to 256 bytes.
inline bool is_valid_id(std::string_view id) noexcept
{
    return !id.empty() && id.size() <= 256 && is_utf8(id);
}

/// Draws the ids of new jobs. Each is later than the one before. Safe to be used by several threads: a call that makes
/// an awaitable may be made on another thread than the one that runs it.
class job_ids
{
public:
    /// A UUID of version 7, with dashes.
    std::string next()
    {
        char text[36];
        boost::uuids::to_chars(draw(), text, text + sizeof text);
        return {text, sizeof text};
    }

private:
    boost::uuids::uuid draw()
    {
        const std::lock_guard lock{mutex_};
        return new_id_();
    }

    std::mutex mutex_;
    boost::uuids::time_generator_v7 new_id_;
};

} // namespace coworker::detail
