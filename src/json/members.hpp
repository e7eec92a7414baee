// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"
#include "coworker/inspect/queue_ref.hpp"
#include "coworker/job_limits.hpp"
#include "coworker/text.hpp"
#include "coworker/timestamp.hpp"
#include "text/json_spans.hpp"
#include "text/numbers.hpp"
#include "text/plain_text.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

/// Reading the members of JSON objects in bodies. What cannot be used is refused with 400 and a text that says which
/// member is wrong and what it has to be.
namespace coworker::detail {

[[noreturn]] void refuse_body(const std::string& detail);
[[noreturn]] void refuse_member(const std::string& name, const std::string& wanted);
/// Called where `error` is handled: refuses a body with what the library said of it. Another error is thrown on.
[[noreturn]] void refuse_unusable(const system_error& error);

/// Checks that a body is one JSON value.
/// @throws refusal
void check_body(std::string_view body);

/// Checks how many jobs an array has.
/// @throws refusal
void check_number_of_jobs(std::size_t count, std::size_t max_jobs);

/// Longer delays are refused.
inline constexpr std::chrono::hours longest_delay{24 * 366 * 10};

/// Reads what `parse_duration` reads; a number at the end that has no unit means seconds. Nothing for anything else, or
/// beyond `longest_delay`.
std::optional<std::chrono::milliseconds> parse_delay(std::string_view text);

/// Whether a queue may have that name here: 1 to 512 bytes of UTF-8, since JSON has no others.
bool is_queue_name(std::string_view name) noexcept;

std::string member_text(const std::string& name, std::string_view json);
/// The same, but it may be empty.
std::string member_text_or_none(const std::string& name, std::string_view json);
text_list member_texts(const std::string& name, std::string_view json);
std::chrono::milliseconds member_time(const std::string& name, std::string_view json);
/// A time as RFC 3339 has it.
timestamp member_point_in_time(const std::string& name, std::string_view json);
bool member_boolean(const std::string& name, std::string_view json);
/// A managed queue; where no other is possible, its name may stand without `managed:`.
queue_ref member_managed_queue(const std::string& name, std::string_view json);
/// An array of names and of objects such as {"name": "gpu", "units": 4}.
limit_list member_limits(const std::string& name, std::string_view json);

template<class Number>
Number member_number(const std::string& name, std::string_view json, const char* wanted)
{
    const auto number = to_number<Number>(json);
    if (!number)
        refuse_member(name, wanted);
    return *number;
}

/// From 0 to a billion.
std::uint64_t member_count(const std::string& name, std::string_view json);

/// The object that a body is.
std::string_view object_in(const std::string& body, const std::string& what);

using member_name = const std::string&;
using json_text = std::string_view;

/// What reads each member of an object.
template<class Target>
using member_readers =
    std::map<std::string, std::function<void(Target& into, const std::string& name, std::string_view json)>>;

/// A reader that stores what `Read` makes of a member. `Path` leads there from the target: pointers to members, from the
/// outermost to the innermost.
template<auto Read, auto... Path>
inline constexpr auto read_into =
    [](auto& target, member_name name, json_text json) { (target.*....*Path) = Read(name, json); };

/// @param what  such as "a job", for people
template<class Target>
void read_members(std::string_view json, const std::string& what, const member_readers<Target>& readers,
                  Target& into)
{
    std::set<std::string> seen;
    for (const auto& member : members_of(json)) {
        const auto reader = readers.find(member.name);
        if (reader == readers.end()) {
            std::string names;
            for (const auto& [name, _] : readers)
                names += (names.empty() ? "" : ", ") + name;
            refuse_body("The member " + in_quotes(member.name) + " is not known; " + what + " has " + names +
                        '.');
        }
        if (!seen.insert(member.name).second)
            refuse_body("The member " + in_quotes(member.name) + " is there twice; remove one.");
        reader->second(into, member.name, member.value);
    }
}

/// Reads a body, which has to be one object.
template<class Target>
Target read_object(const std::string& body, const std::string& what, const member_readers<Target>& readers)
{
    Target result{};
    read_members(object_in(body, what), what, readers, result);
    return result;
}

} // namespace coworker::detail
