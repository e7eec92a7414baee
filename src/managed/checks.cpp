#include "managed/checks.hpp"

#include "coworker/codec.hpp"
#include "list/payload.hpp"

#include <cmath>

namespace coworker::detail {
namespace {

std::string quoted(std::string_view text)
{
    return "'" + std::string{text.substr(0, 64)} + "'";
}

void check_json_text(std::string_view json, std::string_view what)
{
    if (const auto text = check_json(json); !text)
        throw system_error{text.error(), std::string{what} + " is not JSON: " + quoted(json)};
}

} // namespace

void check_options(const managed_options& options)
{
    if (options.prefix.empty())
        throw system_error{errc::invalid_option, "the prefix is empty; qless' own is \"ql:\""};
}

void check_queue_name(std::string_view name)
{
    if (name.empty() || name.size() > 512)
        throw system_error{errc::invalid_queue_name, quoted(name)};
}

void check_new_jid(std::string_view jid)
{
    if (!is_valid_id(jid))
        throw system_error{errc::invalid_job_id, quoted(jid)};
}

void check_jid(std::string_view jid)
{
    if (jid.empty())
        throw system_error{errc::invalid_job_id, "the jid is empty"};
}

void check_jids(const text_list& jids)
{
    for (std::size_t i = 0; i != jids.size(); ++i)
        check_jid(jids[i]);
}

void check_not_empty(std::string_view text, std::string_view what)
{
    if (text.empty())
        throw system_error{errc::invalid_option, "give a " + std::string{what} + "; it is empty"};
}

void check_none_empty(const text_list& texts, std::string_view what)
{
    for (std::size_t i = 0; i != texts.size(); ++i)
        check_not_empty(texts[i], what);
}

void check_priority(double priority)
{
    if (!std::isfinite(priority))
        throw system_error{errc::invalid_option, "the priority has to be a finite number"};
}

void check_data(std::string_view json, std::size_t limit)
{
    if (limit != 0 && json.size() > limit)
        throw system_error{errc::job_too_large,
                           std::to_string(json.size()) + " bytes, allowed are " + std::to_string(limit)};
    check_json_text(json, "the data");
}

void check_object(std::string_view json, std::string_view what)
{
    check_json_text(json, what);
    if (json.substr(json.find_first_not_of(" \t\r\n")).front() != '{')
        throw system_error{errc::not_serializable, std::string{what} + " have to be a JSON object"};
}

} // namespace coworker::detail
