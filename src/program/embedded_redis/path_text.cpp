// SPDX-License-Identifier: MIT
#include "program/embedded_redis/path_text.hpp"

#include "text/percent_code.hpp"

namespace coworker::program {

std::string encode_path(std::string_view path)
{
    return detail::percent_encoded(
        path, [](char c) { return c > ' ' && c < '\x7f' && c != '%' && c != '?' && c != '@'; });
}

std::string decode_path(std::string_view text)
{
    return detail::percent_decoded(text).value_or(std::string{text});
}

} // namespace coworker::program
