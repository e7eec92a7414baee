// SPDX-License-Identifier: MIT
#include "json/members.hpp"

#include "bounds.hpp"
#include "coworker/codec.hpp"
#include "text/times.hpp"
#include "text/utf8.hpp"
#include "json/error_sentence.hpp"
#include "json/queue_words.hpp"
#include "json/refusal.hpp"

namespace coworker::detail {
namespace {

limit_use read_limit(const std::string& name, std::string_view json)
{
    if (json.front() == '"')
        return limit_use{member_text(name, json)};
    constexpr auto wanted = R"(an array of names and of objects such as {"name": "gpu", "units": 4})";
    if (json.front() != '{')
        refuse_member(name, wanted);
    std::string limit;
    std::uint32_t units = 1;
    for (const auto& member : members_of(json)) {
        if (member.name == "name")
            limit = member.value.front() == '"' ? string_of(member.value) : "";
        else if (member.name == "units")
            units = to_number<std::uint32_t>(member.value).value_or(0);
        else
            refuse_member(name, wanted);
    }
    if (limit.empty())
        refuse_member(name, wanted);
    return limit_use{limit, units};
}

} // namespace

void refuse_body(const std::string& detail)
{
    throw refusal{400, detail};
}

void refuse_member(const std::string& name, const std::string& wanted)
{
    refuse_body("The member '" + name + "' is not " + wanted + '.');
}

void check_body(std::string_view body)
{
    if (const auto wrong = json_error(body))
        refuse_body("The body is not valid JSON: " + wrong.message() + '.');
}

void check_number_of_jobs(std::size_t count, std::size_t max_jobs)
{
    if (count == 0)
        refuse_body("The array has no jobs in it.");
    if (count > max_jobs)
        throw refusal{413, "The array has " + std::to_string(count) + " jobs; send at most " +
                               std::to_string(max_jobs) + " in one request."};
}

std::string_view object_in(const std::string& body, const std::string& what)
{
    check_body(body);
    const auto json = trimmed(body);
    if (json.front() != '{')
        refuse_body("The body has to be a JSON object that is " + what + '.');
    return json;
}

std::string member_text(const std::string& name, std::string_view json)
{
    auto text = json.front() == '"' ? string_of(json) : std::string{};
    if (text.empty())
        refuse_member(name, "a string, or is empty");
    return text;
}

std::string member_text_or_none(const std::string& name, std::string_view json)
{
    if (json.front() != '"')
        refuse_member(name, "a string");
    return string_of(json);
}

void refuse_unusable(const system_error& error)
{
    const auto code = error.code();
    if (code != errc::invalid_option && code != errc::invalid_queue_name && code != errc::not_serializable &&
        code != errc::job_too_large)
        throw;
    refuse_body(sentence_of(error));
}

text_list member_texts(const std::string& name, std::string_view json)
{
    if (json.front() != '[')
        refuse_member(name, "an array of strings");
    auto list = text_list::none();
    for (const auto element : elements_of(json))
        list.push_back(member_text(name, element));
    return list;
}

std::optional<std::chrono::milliseconds> parse_delay(std::string_view text)
{
    std::string with_unit{text};
    if (!text.empty() && text.back() >= '0' && text.back() <= '9')
        with_unit += 's';
    const auto delay = parse_duration(with_unit);
    return delay && *delay <= longest_delay ? delay : std::nullopt;
}

bool is_queue_name(std::string_view name) noexcept
{
    return !name.empty() && name.size() <= 512 && is_utf8(name);
}

std::chrono::milliseconds member_time(const std::string& name, std::string_view json)
{
    const auto time = parse_delay(json.front() == '"' ? string_of(json) : std::string{json});
    if (!time)
        refuse_member(name,
                      R"(a number of seconds or a text such as "90s", "5m", "2h" or "1d", up to ten years)");
    return *time;
}

timestamp member_point_in_time(const std::string& name, std::string_view json)
{
    const auto time = json.front() == '"' ? parse_rfc3339(string_of(json)) : std::nullopt;
    if (!time)
        refuse_member(name, "a time as RFC 3339 has it, such as \"2026-11-21T09:30:00Z\" or "
                            "\"2026-11-21T10:30:00+01:00\"");
    return *time;
}

bool member_boolean(const std::string& name, std::string_view json)
{
    if (json != "true" && json != "false")
        refuse_member(name, "true or false");
    return json == "true";
}

queue_ref member_managed_queue(const std::string& name, std::string_view json)
{
    const auto text = member_text(name, json);
    auto queue = queue_called(text);
    if (!queue || !is_utf8(text) || (!queue->is_managed() && queue->name() != text))
        refuse_member(name, R"(the name of a managed queue, such as "managed:mail")");
    return queue_ref::managed(queue->name());
}

std::uint64_t member_count(const std::string& name, std::string_view json)
{
    constexpr std::uint64_t most = 1'000'000'000;
    constexpr auto wanted = "a whole number from 0 to a billion";
    const auto number = member_number<std::uint64_t>(name, json, wanted);
    if (number > most)
        refuse_member(name, wanted);
    return number;
}

limit_list member_limits(const std::string& name, std::string_view json)
{
    if (json.front() != '[')
        refuse_member(name, "an array");
    auto list = limit_list::none();
    std::set<std::string> seen;
    for (const auto element : elements_of(json)) {
        const auto limit = read_limit(name, element);
        if (!can_name_limit(limit.name()))
            refuse_member(
                name, "made of names of 1 to 256 bytes that do not begin with 'order:', and have no '&' at "
                      "an end and no '&&'");
        if (limit.units() < 1 || limit.units() > max_limit_units)
            refuse_member(name, "made of limits with units from 1 to " + std::to_string(max_limit_units));
        if (!seen.insert(limit.name()).second)
            refuse_member(name, "a list of different limits");
        list.push_back(limit);
    }
    if (list.size() > max_limits)
        refuse_member(name, "a list of at most " + std::to_string(max_limits) + " limits");
    return list;
}

} // namespace coworker::detail
