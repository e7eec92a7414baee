#include "http/api.hpp"

#include "http/dashboard.hpp"
#include "http/description.hpp"

#include <boost/asio/error.hpp>

namespace coworker::detail {
namespace {

bool has_json_type(std::string_view content_type)
{
    auto type = std::string{content_type.substr(0, content_type.find(';'))};
    while (!type.empty() && type.back() == ' ')
        type.pop_back();
    for (auto& c : type)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return type == "application/json";
}

bool takes_a_body(endpoint what) noexcept
{
    switch (what) {
    case endpoint::push:
    case endpoint::delete_waiting:
    case endpoint::delete_scheduled:
    case endpoint::retry_failed:
    case endpoint::delete_failed:
    case endpoint::retry_broken:
    case endpoint::delete_broken:
    case endpoint::managed_retry:
    case endpoint::managed_delete:
        return true;
    default:
        return false;
    }
}

gateway_options checked(gateway_options options)
{
    for (const auto& type : options.types)
        if (!is_valid_type(type))
            throw system_error{errc::invalid_option,
                               "the type '" + type + "' is not 1 to 128 letters, digits, '-', '_' and '.'"};
    return options;
}

} // namespace

api::api(const client& redis, const gateway_options& options)
    : redis_{share(redis)}, options_{checked(options)}, guard_{options.token},
      large_looks_{redis.get_executor()}, managed_{redis, options.managed_prefix, large_looks_}
{}

routed api::admit(const request_data& header) const
{
    std::optional<routed> where;
    try {
        where = find_route(header.method, header.target);
    } catch (const refusal&) {
        guard_.check(header, false); // strangers do not learn which paths there are
        throw;
    }
    if (where->route->what == endpoint::dashboard) {
        auto visitor = header; // who may follow a link of another site
        visitor.origin.clear();
        visitor.fetch_site.clear();
        guard_.check(visitor, true);
    } else {
        guard_.check(header, where->route->is_open);
    }
    if (takes_a_body(where->route->what) && !has_json_type(header.content_type)) {
        refusal refused{415, "Send the body as JSON, with \"Content-Type: application/json\"."};
        refused.what.fields.emplace_back("Accept-Post", "application/json");
        throw refused;
    }
    return std::move(*where);
}

asio::awaitable<answer> api::handle(routed where, request_data request)
{
    answer result;
    try {
        result = co_await dispatch(where, request);
    } catch (refusal& refused) {
        result = std::move(refused.what);
    } catch (const system_error& error) {
        if (error.code() == asio::error::operation_aborted)
            throw;
        result = problem_of(error);
    } catch (const std::exception&) { // what it says may not be meant for strangers
        result =
            problem(500, "The gateway could not do this, for want of memory or because of an error in it.");
    }
    co_return result;
}

asio::awaitable<answer> api::dispatch(const routed& where, const request_data& request)
{
    switch (where.route->what) {
    case endpoint::push:
        return push(request);
    case endpoint::health:
        return [](answer alive) -> asio::awaitable<answer> {
            co_return alive;
        }({.body = "{\"status\":\"up\"}\n"});
    case endpoint::description:
        return [](answer text) -> asio::awaitable<answer> {
            co_return text;
        }({.body = std::string{openapi_description()}});
    case endpoint::dashboard:
        return [](answer file) -> asio::awaitable<answer> {
            co_return file;
        }(serve_file(*where.file, request.if_none_match));
    case endpoint::ready:
        return ready();
    case endpoint::metrics:
        return metrics();
    case endpoint::queues:
        return queues(where);
    case endpoint::queue:
        return queue(where);
    case endpoint::pause:
        return pause(where);
    case endpoint::resume:
        return resume(where);
    case endpoint::waiting:
    case endpoint::scheduled:
    case endpoint::in_progress:
    case endpoint::failed:
    case endpoint::broken:
        return jobs(where);
    case endpoint::delete_waiting:
    case endpoint::delete_scheduled:
    case endpoint::retry_failed:
    case endpoint::delete_failed:
    case endpoint::retry_broken:
    case endpoint::delete_broken:
        return act_on_jobs(where, request);
    default:
        return managed_.handle(where, request);
    }
}

answer problem_of(const system_error& error)
{
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
    const bool unknown = error.code() == errc::unanswered || error.code() == errc::timed_out ||
                         error.code() == errc::unexpected_answer;
    auto result = problem(
        503, unknown
                 ? "Redis did not answer, so the request may or may not have been carried out. Try again; "
                   "jobs that have an 'id' are queued once however often they are sent."
                 : "Redis cannot do its part at present, and nothing has been carried out. Try again later.");
    result.fields.emplace_back("Retry-After", "1");
    return result;
}

} // namespace coworker::detail
