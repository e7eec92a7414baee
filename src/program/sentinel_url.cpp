// SPDX-License-Identifier: MIT
#include "program/sentinel_url.hpp"

#include "program/exit_code.hpp"

namespace coworker::program {
namespace {

[[noreturn]] void refuse_url(const std::string& what)
{
    throw failure{exit_code::usage,
                  "the URL of the Sentinels " + what +
                      ": write redis+sentinel://HOST:PORT,HOST:PORT/PRIMARY, with the name that the "
                      "Sentinels have for the primary"};
}

/// What stands before a letter, which is taken away with it; all if there is none.
std::string_view take_to(char letter, std::string_view& text)
{
    const auto end = text.find(letter);
    const auto part = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return part;
}

} // namespace

std::optional<sentinel_url> parse_sentinel_url(std::string_view url)
{
    constexpr std::string_view plain = "redis+sentinel://", with_tls = "rediss+sentinel://";
    sentinel_url found;
    if (url.starts_with(plain)) {
        found.url = "redis://";
        url.remove_prefix(plain.size());
    } else if (url.starts_with(with_tls)) {
        found.url = "rediss://";
        url.remove_prefix(with_tls.size());
    } else {
        return std::nullopt;
    }
    auto places = take_to('/', url);
    if (const auto at = places.rfind('@'); at != places.npos) {
        found.url += places.substr(0, at + 1);
        places.remove_prefix(at + 1);
    }
    while (!places.empty()) {
        const auto place = take_to(',', places);
        if (place.empty() || place.front() == ':')
            refuse_url("has a Sentinel without a host");
        found.sentinels.emplace_back(place);
    }
    if (found.sentinels.empty())
        refuse_url("names no Sentinel");
    found.primary = take_to('/', url);
    if (found.primary.empty())
        refuse_url("does not name the primary");
    found.url += "primary"; // whatever stands there is not used
    if (!url.empty())
        found.url.append("/").append(url);
    return found;
}

} // namespace coworker::program
