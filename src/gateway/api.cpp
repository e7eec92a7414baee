// SPDX-License-Identifier: MIT
#include "gateway/api.hpp"

#include "gateway/dashboard.hpp"
#include "gateway/description.hpp"
#include "gateway/parameters.hpp"
#include "json/error_sentence.hpp"
#include "json/list_submission.hpp"

#include <boost/asio/error.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace coworker::detail {
namespace {

bool has_json_type(std::string_view content_type)
{
    auto type = content_type.substr(0, content_type.find(';'));
    type = type.substr(0, type.find_last_not_of(' ') + 1);
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(type, std::string_view{"application/json"}, {}, lower);
}

/// @throws refusal  for what queues of this kind cannot do
void check_kind(const routed& where)
{
    const auto& facts = where.route->facts;
    const auto lack = where.queue.is_managed() ? facts.managed_lack : facts.lists_lack;
    if (!lack.empty())
        throw refusal{409, "'" + where.name + "' is a " + std::string{to_string(where.queue.kind())} +
                               " queue, which " + std::string{lack} + '.'};
}

gateway_options with_names_checked(gateway_options options)
{
    for (const auto& type : options.types)
        if (!is_queue_name(type))
            throw explained_error{errc::invalid_option,
                                  "the type '" + type + "' is no name of a queue: 1 to 512 bytes of UTF-8"};
    return options;
}

/// Nothing: it is open to all.
std::optional<gateway_right> right_needed(const route& what)
{
    if (what.facts.is_open)
        return std::nullopt;
    if (what.method == "GET")
        return what.facts.is_common ? gateway_right::none : gateway_right::look;
    switch (what.facts.flow) {
    case job_flow::push:
        return gateway_right::push;
    case job_flow::take:
    case job_flow::held:
        return gateway_right::work;
    case job_flow::none:
        return gateway_right::all;
    }
    return gateway_right::all;
}

} // namespace

api::api(const client& redis, const gateway_options& options)
    : redis_{share(redis)}, options_{with_names_checked(options)}, guard_{options.tokens.get()},
      inspector_{redis, {.managed_prefix = options.managed_prefix}}, large_looks_{redis.get_executor()},
      schedules_{redis_, {.prefix = options.managed_prefix}},
      batches_{redis_, {.prefix = options.managed_prefix}}, taker_{make_taker(redis, options_)},
      lists_{redis, options_.max_waiting}, effects_{redis, options_.managed_prefix, lists_}
{}

routed api::admit(const request_data& header) const
{
    std::optional<routed> where;
    try {
        where = find_route(header.method, header.target);
    } catch (const refusal&) {
        guard_.check(header, gateway_right::none); // strangers do not learn which paths there are
        throw;
    }
    const auto& facts = where->route->facts;
    if (where->file) {
        auto visitor = header; // who may follow a link of another site
        visitor.origin = {};
        visitor.fetch_site = {};
        guard_.check(visitor, std::nullopt);
    } else {
        guard_.check(header, right_needed(*where->route));
        where->may_act = guard_.visitor_of(header.authorization).rights == gateway_right::all;
    }
    check_parameters(*where);
    if (facts.name == path_name::queue && (facts.flow == job_flow::push || facts.flow == job_flow::take))
        check_is_served(where->queue.name(), options_.types);
    if (facts.takes_body && !has_json_type(header.content_type)) {
        refusal refused{415, "Send the body as JSON, with \"Content-Type: application/json\"."};
        refused.fields.emplace_back("Accept-Post", "application/json");
        throw refused;
    }
    return std::move(*where);
}

asio::awaitable<answer> api::handle(routed where, request_data request, memory_share* held)
{
    answer result;
    where.held = held;
    where.request = std::move(request);
    try {
        if (where.route->facts.name == path_name::queue)
            check_kind(where);
        if (where.route->facts.needs_queue)
            co_await expect_queue(where.queue);
        result = co_await where.route->handler(*this, where);
    } catch (const refusal& refused) {
        result = answer_of(refused);
    } catch (const system_error& error) {
        if (error.code() == asio::error::operation_aborted)
            throw;
        result = problem_of(error);
    } catch (const std::exception& error) { // what it says may not be meant for strangers
        result =
            problem(500, "The gateway could not do this, for want of memory or because of an error in it.");
        result.reason = error.what();
    }
    co_return result;
}

asio::awaitable<answer> api::health(const routed&)
{
    co_return answer{.body = "{\"status\":\"up\"}\n"};
}

asio::awaitable<answer> api::description(const routed&)
{
    co_return answer{.body = openapi_description()};
}

asio::awaitable<answer> api::access(const routed& where)
{
    co_return answer{.body = where.may_act ? "{\"may_act\":true}\n" : "{\"may_act\":false}\n"};
}

asio::awaitable<answer> api::file(const routed& where)
{
    co_return serve_file(*where.file, where.request.if_none_match);
}

namespace {

answer told_of(const system_error& error)
{
    if (error.code() == errc::command_refused)
        if (const auto complaint = complaint_of_script(own_words_of(error)); !complaint.empty())
            return problem(complaint.starts_with("Arg ") ? 400 : 409, complaint + '.');
    if (error.code() == errc::invalid_option) // all else is checked before
        return problem(400,
                       "The parameter 'cursor' is not valid; take it from the 'next' of the page before.");
    if (error.code() == errc::invalid_queue_name)
        return problem(400,
                       "In a Redis Cluster a list queue has partitions, or its name stands in braces, such "
                       "as {mail}. This one has neither.");
    if (error.code() == errc::wrong_key_type)
        return problem(500,
                       "A key of this queue holds something else in Redis; whoever runs the gateway has to "
                       "rename or remove it.");
    if (error.code() == errc::not_decodable)
        return problem(500,
                       "What Redis holds of this cannot be read; 'coworker check' tells whoever runs the "
                       "gateway what is wrong with it.");
    if (error.code() == errc::job_too_large)
        return problem(413, "The job is too large for its queue.");
    if (error.code() == errc::queue_full) {
        auto full =
            problem(429, "As many jobs wait in the queue as may, and this one was not pushed. Push it "
                         "again later.");
        full.fields.emplace_back("Retry-After", "1");
        return full;
    }
    const bool unknown = error.code() == errc::in_doubt || error.code() == errc::timed_out ||
                         error.code() == errc::unexpected_answer;
    auto result = problem(
        503, unknown
                 ? "Redis did not answer, so the request may or may not have been carried out. Try again; "
                   "jobs that have an 'id' are queued once however often they are sent."
                 : "Redis cannot do its part at present, and nothing has been carried out. Try again later.");
    result.fields.emplace_back("Retry-After", "1");
    return result;
}

} // namespace

answer problem_of(const system_error& error)
{
    auto result = told_of(error);
    if (result.status >= 500)
        result.reason = error.what();
    return result;
}

} // namespace coworker::detail
