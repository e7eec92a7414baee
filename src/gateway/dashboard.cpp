// SPDX-License-Identifier: MIT
#include "gateway/dashboard.hpp"

namespace coworker::detail {
namespace {

/// What the page may do: use its own files and ask its own gateway, nothing else. No text can become markup or a
/// script, and no other page may show it inside of itself, where it could lead clicks astray.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

} // namespace

const dashboard_file* find_dashboard_file(std::string_view path) noexcept
{
    for (const auto& file : dashboard_files())
        if (file.path == path)
            return &file;
    return nullptr;
}

answer serve_file(const dashboard_file& file, std::string_view known_tags)
{
    answer result;
    result.content_type = file.content_type;
    result.fields = {{"ETag", std::string{file.tag}},
                     {"Cache-Control", "no-cache"}, // keep it, but ask whether there is a newer one
                     {"Content-Security-Policy", std::string{policy}},
                     {"Referrer-Policy", "same-origin"},
                     {"Cross-Origin-Resource-Policy", "same-origin"},
                     {"X-Frame-Options", "DENY"}};
    if (known_tags == "*" || known_tags.find(file.tag) != known_tags.npos)
        result.status = 304;
    else
        result.body = file.text;
    return result;
}

} // namespace coworker::detail
