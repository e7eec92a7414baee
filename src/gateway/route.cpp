// SPDX-License-Identifier: MIT
#include "gateway/route.hpp"

#include "gateway/dashboard.hpp"
#include "text/percent_code.hpp"
#include "text/utf8.hpp"
#include "json/list_submission.hpp"
#include "json/queue_words.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <utility>
#include <vector>

namespace coworker::detail {
namespace {

/// In bytes. Names of groups may be made of a queue's.
constexpr std::size_t longest_name = 1024, longest_schedule = 200, longest_limit = 256, longest_batch = 200,
                      longest_signal = 256;

/// With what paths begin whose meaning may change; those of jobber, of probes and of Prometheus have none.
constexpr std::string_view api_version = "/v1";

std::string unescaped(std::string_view text)
{
    auto plain = percent_decoded(text);
    if (!plain)
        throw refusal{400, "The URL has a '%' that is not followed by two hexadecimal digits."};
    return std::move(*plain);
}

/// Takes the text up to a character, and the character, off the front.
std::string_view cut(std::string_view& rest, char end)
{
    const auto size = std::min(rest.find(end), rest.size());
    const auto front = rest.substr(0, size);
    rest.remove_prefix(std::min(size + 1, rest.size()));
    return front;
}

/// The names between the slashes of a path: more than any route has are one too many.
struct path_parts
{
    std::array<std::string_view, 8> names{};
    std::size_t count = 0;

    explicit path_parts(std::string_view path)
    {
        if (path.empty() || path.ends_with('/'))
            return;
        while (!path.empty() && count != names.size())
            names[count++] = cut(path, '/');
        if (!path.empty())
            count = 0;
    }
};

/// A route, with the parts of its path.
struct known_route
{
    const route* which;
    path_parts pattern;
};

const std::vector<known_route>& known_routes()
{
    static const auto all = [] {
        std::vector<known_route> known;
        for (const auto& each : routes())
            known.push_back({&each, path_parts{each.path}});
        return known;
    }();
    return all;
}

bool is_name(std::string_view part) noexcept
{
    return part.starts_with('{');
}

bool matches(const path_parts& pattern, const path_parts& path) noexcept
{
    if (pattern.count != path.count || path.count == 0)
        return false;
    // From the end: all begin alike.
    for (auto i = path.count; i-- != 0;)
        if (is_name(pattern.names[i]) ? path.names[i].empty() : pattern.names[i] != path.names[i])
            return false;
    return true;
}

/// What a path has for the braces, empty if there are none.
struct names_in_path
{
    std::string outer, inner;

    names_in_path(const path_parts& pattern, const path_parts& path)
    {
        std::string* next = &outer;
        for (std::size_t i = 0; i != path.count; ++i)
            if (is_name(pattern.names[i]))
                *std::exchange(next, &inner) = unescaped(path.names[i]);
    }
};

/// @throws refusal
void check_name(path_name what, std::string_view name)
{
    constexpr auto longest_queue = longest_queue_name + std::string_view{"managed:"}.size();
    const auto longest = what == path_name::queue      ? longest_queue
                         : what == path_name::schedule ? longest_schedule
                         : what == path_name::limit    ? longest_limit
                         : what == path_name::batch    ? longest_batch
                         : what == path_name::signal   ? longest_signal
                                                       : longest_name;
    if (name.size() > longest)
        throw refusal{400, "The name in the path is too long: it may have " + std::to_string(longest) +
                               " bytes, and this one has " + std::to_string(name.size()) + '.'};
    if (what != path_name::id && !is_utf8(name))
        throw refusal{400,
                      "The name in the path is not UTF-8; other clients may have made such a name, but it "
                      "cannot be used here."};
}

/// @throws refusal
queue_ref queue_in_path(const std::string& name)
{
    auto queue = queue_called(name);
    if (!queue)
        throw refusal{
            400, "The queue's name is too long, or empty: it has 1 to 512 bytes, of a managed queue behind "
                 "'managed:'."};
    return std::move(*queue);
}

/// A target may also be a whole URL, as it is sent to proxies.
std::string_view without_authority(std::string_view target)
{
    for (const std::string_view scheme : {"http://", "https://"})
        if (target.starts_with(scheme)) {
            target.remove_prefix(std::min(target.find_first_of("/?", scheme.size()), target.size()));
            break;
        }
    return target;
}

std::map<std::string, std::string> parse_query(std::string_view text)
{
    std::map<std::string, std::string> query;
    while (!text.empty()) {
        auto value = cut(text, '&');
        const auto name = cut(value, '=');
        query[unescaped(name)] = unescaped(value);
    }
    return query;
}

/// @throws refusal  It names the path with a version, if that is all that is missing.
[[noreturn]] void refuse_path(std::string_view path)
{
    const auto versioned = std::string{api_version}.append(path);
    const path_parts parts{versioned};
    for (const auto& candidate : known_routes())
        if (matches(candidate.pattern, parts))
            throw refusal{404, "The paths of the API begin with their version: use " +
                                   std::string{candidate.which->path} + '.'};
    throw refusal{404, "There is nothing under this path; /openapi.json lists what there is."};
}

} // namespace

routed find_route(std::string_view method, std::string_view target)
{
    target = without_authority(target);
    const auto asked = method == "HEAD" ? std::string_view{"GET"} : method;
    const auto path = cut(target, '?');
    std::string allowed;
    if (const auto* const file = find_dashboard_file(path)) {
        if (asked == "GET")
            return {.route = &file_route(), .name = {}, .inner = {}, .queue = {}, .query = {}, .file = file};
        allowed = "GET, HEAD";
    }
    const path_parts parts{path};
    for (const auto& [candidate, pattern] : known_routes()) {
        if (!matches(pattern, parts))
            continue;
        if (candidate->method != asked) {
            allowed += (allowed.empty() ? "" : ", ") + std::string{candidate->method} +
                       (candidate->method == "GET" ? ", HEAD" : "");
            continue;
        }
        names_in_path names{pattern, parts};
        if (candidate->facts.name != path_name::none)
            check_name(candidate->facts.name, names.outer);
        if (candidate->facts.inner != path_name::none)
            check_name(candidate->facts.inner, names.inner);
        routed found{.route = candidate,
                     .name = std::move(names.outer),
                     .inner = std::move(names.inner),
                     .queue = {},
                     .query = parse_query(target)};
        if (candidate->facts.name == path_name::queue)
            found.queue = queue_in_path(found.name);
        return found;
    }
    if (allowed.empty())
        refuse_path(path);
    refusal refused{405, "This path does not take " + std::string{method.substr(0, 32)} + "; use " + allowed +
                             '.'};
    refused.fields.emplace_back("Allow", allowed);
    throw refused;
}

std::uint64_t number_in_query(const routed& request, const std::string& name, std::uint64_t otherwise,
                              std::uint64_t maximum)
{
    const auto found = request.query.find(name);
    if (found == request.query.end())
        return otherwise;
    const auto& text = found->second;
    std::uint64_t number = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (ec != std::errc{} || end != text.data() + text.size() || number > maximum)
        throw refusal{400, "The parameter '" + name + "' is not a number from 0 to " +
                               std::to_string(maximum) + '.'};
    return number;
}

} // namespace coworker::detail
