// SPDX-License-Identifier: MIT
#include "managed/checks.hpp"

#include "bounds.hpp"
#include "coworker/codec.hpp"
#include "job_ids.hpp"
#include "text/json_spans.hpp"
#include "text/plain_text.hpp"
#include "text/utf8.hpp"

#include <cmath>

namespace coworker::detail {
namespace {

void check_json_text(std::string_view json, std::string_view what)
{
    if (json_error(json))
        throw explained_error{errc::not_serializable, std::string{what} + " is not JSON: " + in_quotes(json)};
}

} // namespace

void check_options(const managed_options& options)
{
    if (options.prefix.empty())
        throw explained_error{errc::invalid_option, "the prefix is empty; qless' own is \"ql:\""};
}

void check_queue_name(std::string_view name)
{
    if (name.empty() || name.size() > 512)
        throw system_error{errc::invalid_queue_name, in_quotes(name)};
    if (!is_utf8(name))
        throw explained_error{errc::invalid_queue_name, "the name of a queue is UTF-8"};
}

void check_new_jid(std::string_view jid)
{
    if (!is_valid_name(jid))
        throw system_error{errc::invalid_job_id, in_quotes(jid)};
}

void check_jid(std::string_view jid)
{
    if (jid.empty())
        throw explained_error{errc::invalid_job_id, "the jid is empty; say which job is meant"};
}

void check_jids(const text_list& jids)
{
    for (std::size_t i = 0; i != jids.size(); ++i)
        check_jid(jids[i]);
}

void check_utf8(std::string_view text, std::string_view what)
{
    if (!is_utf8(text))
        throw explained_error{errc::not_serializable, std::string{what} + " is not UTF-8"};
}

void check_batch_id(std::string_view id)
{
    if (id.empty() || id.size() > max_batch_id || !is_utf8(id))
        throw explained_error{errc::invalid_option, "the id of a batch is UTF-8 text of 1 to 200 bytes"};
}

void check_name(std::string_view name, std::string_view what)
{
    if (name.empty())
        throw explained_error{errc::invalid_option, std::string{what} + " is empty; give it a name"};
    check_utf8(name, what);
}

void check_names(const text_list& names, std::string_view what)
{
    for (std::size_t i = 0; i != names.size(); ++i)
        check_name(names[i], what);
}

void check_signal_name(std::string_view name)
{
    if (!is_valid_name(name))
        throw explained_error{errc::invalid_option, "the name of a signal is UTF-8 of 1 to 256 bytes"};
}

void check_priority(double priority)
{
    if (!std::isfinite(priority))
        throw explained_error{errc::invalid_option, "the priority has to be a finite number"};
}

void check_interval(std::chrono::seconds interval)
{
    if (interval.count() <= 0)
        throw explained_error{errc::invalid_option, "the interval of a recurring job is greater than zero"};
}

void check_data(std::string_view json, std::size_t limit)
{
    if (limit != 0 && json.size() > limit)
        throw explained_error{errc::job_too_large, "the data have " + std::to_string(json.size()) +
                                                       " bytes, allowed are " + std::to_string(limit)};
    check_json_text(json, "the data");
    if (is_json_false(json))
        throw explained_error{errc::not_serializable,
                              "the data are false, with which no qless client can complete a job"};
}

void check_object(std::string_view json, std::string_view what)
{
    check_json_text(json, what);
    if (json.substr(json.find_first_not_of(" \t\r\n")).front() != '{')
        throw explained_error{errc::not_serializable, std::string{what} + " have to be a JSON object"};
}

} // namespace coworker::detail
