// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "gateway/answer.hpp"

#include <boost/asio/awaitable.hpp>

#include <map>
#include <span>
#include <string>
#include <string_view>

/// Which part of the gateway answers a request.
namespace coworker::detail {

class api;
class memory_share;
struct dashboard_file;
struct routed;

/// What the braces in a path stand for, which says what such a name may be.
enum class path_name
{
    none,
    queue, ///< of either kind, as `queue_called` reads it
    id,    ///< of a job
    group, ///< of failed jobs
    schedule,
    limit,
    batch,
    signal,
};

/// What a request does with jobs on their way to or from workers, which are many. Any other that is no GET changes
/// something by somebody's decision.
enum class job_flow
{
    none,
    push, ///< jobs enter the queue, which has to be one that the gateway serves
    take, ///< and leave it, the same
    held, ///< by who has taken them, whose token is enough
};

/// What a route needs. Requests are admitted by it. What it does is described in openapi.json, under the same id.
struct route_facts
{
    std::string_view id;
    path_name name = path_name::none;
    path_name inner = path_name::none; ///< what a second pair of braces stands for
    bool takes_body = false;           ///< JSON
    job_flow flow = job_flow::none;
    std::string_view
        lists_lack{}; ///< what a list queue cannot do here, as "keeps no progress"; empty: it can
    std::string_view managed_lack{}; ///< the same of a managed queue
    bool needs_queue = false;        ///< 404 without it: of a mistyped name it would look as if all were well
    bool has_tokens = false; ///< its body may be as large as a job can be, since a token may contain one
    bool waits = false;      ///< may take long: for jobs, or to find one. It ends when the client goes
    bool is_open = false;    ///< answers without a token
    bool is_common = false;  ///< answers with any token, whatever that allows
    bool needs_redis = true; ///< cannot answer while Redis does not
};

struct route
{
    using handler_type = boost::asio::awaitable<answer> (*)(api&, const routed&);

    std::string_view method;
    std::string_view
        path; ///< "{queue}", "{id}", "{group}", "{schedule}", "{limit}", "{batch}" and "{signal}" stand for a name
    handler_type handler;
    route_facts facts;
};

/// All of the API, joined from the tables in routes_….cpp: these say which routes there are.
std::span<const route> routes();

/// That of all files of the dashboard, which are no part of the API.
const route& file_route() noexcept;

/// A request with its route, and what its target says besides.
struct routed
{
    const detail::route* route;
    std::string name;  ///< what the path has for the braces
    std::string inner; ///< and for the second ones
    queue_ref queue;   ///< that is called `name`, if it is the name of one
    std::map<std::string, std::string> query;
    bool may_act = true;                  ///< and not only look
    const dashboard_file* file = nullptr; ///< of the dashboard, if that is what is asked for
    request_data request{};
    memory_share* held = nullptr; ///< where the bytes of a large answer are counted; null: nowhere
};

/// HEAD is answered as GET is.
/// @throws refusal  404 for a path that does not exist, 405 with Allow for a method that the path has not,
///   400 for a target with broken escapes or a name that is not valid.
routed find_route(std::string_view method, std::string_view target);

/// A number in the query, or the default.
/// @throws refusal  when it is not a number, or greater than `maximum`.
std::uint64_t number_in_query(const routed& request, const std::string& name, std::uint64_t otherwise,
                              std::uint64_t maximum);

} // namespace coworker::detail
