// SPDX-License-Identifier: MIT
#include "coworker/batches.hpp"

#include "gateway/api.hpp"
#include "gateway/job_pages.hpp"
#include "text/json_object.hpp"
#include "json/batch_submission.hpp"
#include "json/batch_text.hpp"
#include "json/error_sentence.hpp"
#include "json/list_submission.hpp"
#include "json/members.hpp"

#include <algorithm>

/// Batches through the gateway.
namespace coworker::detail {
namespace {

[[noreturn]] void refuse_unknown_batch()
{
    throw refusal{404, "There is no batch of this id, or none any more; /v1/batches lists them."};
}

} // namespace

asio::awaitable<answer> api::all_batches(const routed& where)
{
    const auto from = read_cursor(where);
    const auto count = std::clamp<std::size_t>(from.count, 1, 500);
    const auto parent = where.query.find("parent");
    batch_page part;
    std::string path = "/v1/batches";
    if (parent == where.query.end() || parent->second.empty())
        part = co_await batches_.async_list(from.cursor, count, awaited);
    else {
        path.append("?parent=").append(escaped_for_path(parent->second));
        part = co_await batches_.async_list_inside(parent->second, from.cursor, count, awaited);
    }
    page_writer page{"batches"};
    for (const auto& each : part.batches)
        page.add(detail::describe(each).str());
    const page_cursor next{.cursor = std::move(part.next), .count = count};
    co_return std::move(page).finish(next_path(std::move(path), next));
}

asio::awaitable<answer> api::batch_jobs(const routed& where)
{
    const auto state = where.query.find("state");
    const auto part = state == where.query.end() ? std::string{"pending"} : state->second;
    const auto path = path_of(where).append("?state=").append(part);
    if (part == "failed") {
        job_filter which;
        which.batch = where.name;
        return search_page(large_looks_, where, path, inspector_, queue_ref::managed({}), std::move(which),
                           add_jobs);
    }
    if (part != "pending")
        throw refusal{400, "The parameter 'state' is 'pending' or 'failed'."};
    const auto look = [shown = inspector_, id = where.name](std::string cursor, std::size_t count) {
        return shown.async_batch_jobs(id, std::move(cursor), count, awaited);
    };
    return gather_page(large_looks_, where, path, look, add_jobs);
}

asio::awaitable<answer> api::batch(const routed& where)
{
    const auto found = co_await batches_.async_status(where.name, awaited);
    if (!found)
        refuse_unknown_batch();
    co_return answer{.body = detail::describe(*found).str() + '\n'};
}

asio::awaitable<answer> api::open_batch(const routed& where)
{
    const auto wanted = read_batch_submission(where.request.body);
    for (const auto* callback : {&wanted.on_success, &wanted.on_done, &wanted.on_failure})
        if (*callback)
            check_is_served((*callback)->queue, options_.types);
    std::string id;
    try {
        id = co_await batches_.async_open(wanted, awaited);
    } catch (const system_error& error) {
        const auto code = error.code();
        if (code != errc::invalid_option && code != errc::invalid_queue_name &&
            code != errc::not_serializable && code != errc::job_too_large && code != errc::batch_not_found &&
            code != errc::batch_ended)
            throw;
        refuse_body(sentence_of(error));
    }
    co_return answer{.status = 201, .body = json_object{}.text("id", id).str() + '\n'};
}

asio::awaitable<answer> api::seal_batch(const routed& where)
{
    const auto done = co_await batches_.async_seal(where.name, awaited);
    if (!done)
        refuse_unknown_batch();
    co_return answer{.body = json_object{}.boolean("sealed", true).str() + '\n'};
}

asio::awaitable<answer> api::cancel_batch(const routed& where)
{
    const auto how = read_batch_cancel(where.request.body);
    const auto done = co_await batches_.async_cancel(where.name, how, awaited);
    if (!done)
        refuse_unknown_batch();
    co_return answer{
        .body = json_object{}.number("cancelled", done->cancelled).number("left", done->left).str() + '\n'};
}

} // namespace coworker::detail
