// SPDX-License-Identifier: MIT
#include "gateway/description.hpp"

#include "coworker/version.hpp"

namespace coworker::detail {
namespace {

std::string join_and_name_version()
{
    constexpr std::string_view place = "VERSION";
    std::string text;
    for (const auto piece : openapi_pieces())
        text += piece;
    return text.replace(text.find(place), place.size(), version);
}

} // namespace

const std::string& openapi_description()
{
    static const auto text = join_and_name_version();
    return text;
}

} // namespace coworker::detail
