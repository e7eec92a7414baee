// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/answer.hpp"

#include <span>
#include <string_view>

/// The page that people look at the queues with. Its files are in the folder `dashboard`, and are compiled in.
namespace coworker::detail {

struct dashboard_file
{
    std::string_view path; ///< in the URL
    std::string_view content_type;
    std::string_view tag; ///< of its content, as ETag has it
    std::string_view text;
};

/// All of them.
std::span<const dashboard_file> dashboard_files() noexcept;

/// Null: there is no such file.
const dashboard_file* find_dashboard_file(std::string_view path) noexcept;

/// Answers with the file, or with 304 if the client has it.
///
/// @param known_tags  the request's If-None-Match
answer serve_file(const dashboard_file& file, std::string_view known_tags);

} // namespace coworker::detail
