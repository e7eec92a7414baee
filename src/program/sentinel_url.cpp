// SPDX-License-Identifier: MIT
#include "program/sentinel_url.hpp"

#include "program/exit_code.hpp"
#include "text/percent_code.hpp"

#include <algorithm>
#include <utility>

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

/// Reads what stands behind the ?. No message shows a value: it may be a password.
void read_parameters(std::string_view query, sentinel_url& found)
{
    const auto refuse = [](const std::string& what) {
        throw failure{exit_code::usage, "the URL of the Sentinels has " + what};
    };
    std::string database;
    while (!query.empty()) {
        auto value = take_to('&', query);
        const std::string name{take_to('=', value)};
        auto* const place = name == "sentinel_user"       ? &found.user
                            : name == "sentinel_password" ? &found.password
                            : name == "db"                ? &database
                                                          : nullptr;
        if (place == nullptr)
            refuse(
                "an unknown parameter: behind the ? may stand sentinel_user=NAME, sentinel_password=PASSWORD "
                "and db=NUMBER, with & between them");
        if (!place->empty())
            refuse(name + " twice");
        auto decoded = detail::percent_decoded(value);
        if (!decoded)
            refuse("a % in its " + name + " that is not followed by two hexadecimal digits");
        if (decoded->empty())
            refuse("no value behind " + name + "=");
        *place = std::move(*decoded);
    }
    if (!database.empty())
        found.url += "?db=" + database;
}

} // namespace

std::optional<sentinel_url> parse_sentinel_url(std::string_view url)
{
    constexpr std::string_view behind = "://";
    const auto scheme = url.substr(0, url.find(behind));
    if (scheme == url || std::ranges::find(sentinel_schemes, scheme) == sentinel_schemes.end())
        return std::nullopt;
    sentinel_url found;
    found.url = scheme == sentinel_schemes.front() ? "redis://" : "rediss://";
    url.remove_prefix(scheme.size() + behind.size());
    auto query = url;
    url = take_to('?', query);
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
    read_parameters(query, found);
    return found;
}

} // namespace coworker::program
