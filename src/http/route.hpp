#pragma once

#include "http/answer.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>

/// Which part of the gateway answers a request.
namespace coworker::detail {

struct dashboard_file;

enum class endpoint
{
    push,
    health,
    ready,
    metrics,
    description,
    dashboard, ///< one of its files
    queues,
    queue,
    pause,
    resume,
    waiting,
    delete_waiting,
    scheduled,
    delete_scheduled,
    in_progress,
    failed,
    retry_failed,
    delete_failed,
    broken,
    retry_broken,
    delete_broken,
    managed_queues,
    managed_queue,
    managed_statistics,
    managed_pause,
    managed_resume,
    managed_jobs,
    managed_groups,
    managed_failed,
    managed_job,
    managed_retry,
    managed_delete,
    managed_workers,
};

struct route
{
    std::string_view method;
    std::string_view path; ///< "{queue}", "{group}" and "{jid}" stand for a name of such
    endpoint what;
    bool is_open = false; ///< answers without a token
};

/// All of them.
std::span<const route> routes() noexcept;

/// A request's route, and what its target says besides.
struct routed
{
    const detail::route* route;
    std::string name; ///< what the path has for the braces
    std::map<std::string, std::string> query;
    const dashboard_file* file = nullptr; ///< of the dashboard, if that is what is asked for
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
