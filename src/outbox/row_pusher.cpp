// SPDX-License-Identifier: MIT
#include "outbox/row_pusher.hpp"

#include "coworker/inspector.hpp"
#include "coworker/managed_queue.hpp"
#include "outbox/read_row.hpp"
#include "json/error_sentence.hpp"
#include "json/push_usable.hpp"
#include "json/queue_words.hpp"
#include "json/refusal.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <map>
#include <optional>
#include <span>

namespace coworker::detail {
namespace {

/// Whether others would have the same error, whatever they push, and the same push may work later.
bool is_of_server(const error_code& code)
{
    return code != errc::command_refused && code != errc::wrong_key_type && code != errc::not_supported;
}

void reject(pushed_rows& done, const outbox_row& row, std::string why)
{
    done.outcome.rejected.push_back({row.id, std::move(why)});
}

/// Notes what became of a row. Returns false if it is not done with, so that those behind it have to wait.
bool note(pushed_rows& done, const outbox_row& row, const tried_push& tried)
{
    if (const auto* const error = std::get_if<system_error>(&tried)) {
        if (is_about_a_job(error->code()) || error->code() == errc::invalid_queue_name) {
            reject(done, row, sentence_of(*error));
            return true;
        }
        done.failed = words_of(*error);
        if (!is_of_server(error->code()))
            done.failed_queue = row.queue;
        return false;
    }
    const auto& result = std::get<push_result>(tried);
    if (result.error) {
        reject(done, row, sentence_of({result.error, result.refusal}));
        return true;
    }
    if (!result.unconfirmed.empty()) {
        done.failed = result.unconfirmed;
        return false;
    }
    done.outcome.pushed.push_back(row.id);
    done.repeated += result.pushed ? 0U : 1U;
    return true;
}

/// Reads rows. Those that cannot be read are rejected, and leave the list.
template<class Read>
auto read_all(std::vector<const outbox_row*>& rows, pushed_rows& done, Read read)
{
    std::vector<decltype(read(*rows.front()))> jobs;
    std::vector<const outbox_row*> usable;
    for (const auto* row : rows) {
        try {
            jobs.push_back(read(*row));
            usable.push_back(row);
        } catch (const refusal& refused) {
            reject(done, *row, refused.detail);
        }
    }
    rows = std::move(usable);
    return jobs;
}

void note_all(pushed_rows& done, const std::vector<const outbox_row*>& rows,
              const std::vector<tried_push>& tried)
{
    for (std::size_t i = 0; i != rows.size(); ++i)
        if (!note(done, *rows[i], tried[i]))
            break;
}

} // namespace

row_pusher::row_pusher(const client& redis, const outbox_options& options)
    : redis_{share(redis)}, options_{options}, lists_{redis}
{}

asio::awaitable<pushed_rows> row_pusher::push(std::vector<outbox_row> rows)
{
    pushed_rows done;
    std::vector<std::string> names; // in the order of their first rows
    std::map<std::string, queue_rows> queues;
    for (const auto& row : rows) {
        auto& of_queue = queues[row.queue];
        if (of_queue.empty())
            names.push_back(row.queue);
        of_queue.push_back(&row);
    }
    for (const auto& name : names) {
        const auto of_queue = queues[name];
        std::optional<system_error> error;
        try {
            co_await push_to_queue(name, of_queue, done);
        } catch (const system_error& thrown) {
            if (thrown.code() == asio::error::operation_aborted)
                throw;
            error = thrown;
        }
        if (error) // before anything of the queue was sent
            note_all(done, of_queue, std::vector<tried_push>(of_queue.size(), *error));
        if (!done.failed.empty())
            break;
    }
    co_return done;
}

asio::awaitable<void> row_pusher::push_to_queue(std::string name, queue_rows rows, pushed_rows& done)
{
    const auto queue = queue_called(name);
    queue_rows usable;
    for (const auto* row : rows) {
        if (!queue)
            reject(done, *row, "The name of the queue is empty, or has more than 512 bytes.");
        else if (row->size > options_.max_job_size)
            reject(done, *row,
                   "Payload and options have " + std::to_string(row->size) + " bytes; the relay takes " +
                       std::to_string(options_.max_job_size) + " at most.");
        else
            usable.push_back(row);
    }
    if (usable.empty())
        co_return;
    if (queue->is_managed())
        co_await push_to_managed(queue->name(), std::move(usable), done);
    else
        co_await push_to_list(queue->name(), std::move(usable), done);
}

asio::awaitable<void> row_pusher::push_to_list(std::string name, queue_rows rows, pushed_rows& done)
{
    const auto jobs =
        read_all(rows, done, [this](const outbox_row& row) { return read_list_row(row, options_.remember); });
    auto queue = lists_.get(name);
    if (options_.confirmed != durability::memory())
        queue = queue.with(options_.confirmed);
    const auto push = [&queue](std::span<const raw_push> part) {
        return queue.async_push_each_json(std::vector<raw_push>{part.begin(), part.end()},
                                          with_diagnostics(asio::use_awaitable));
    };
    std::vector<tried_push> tried;
    if (!jobs.empty())
        co_await push_in_halves(std::span<const raw_push>{jobs}, push, tried);
    note_all(done, rows, tried);
}

asio::awaitable<void> row_pusher::push_to_managed(std::string name, queue_rows rows, pushed_rows& done)
{
    auto submitted = read_all(
        rows, done, [this](const outbox_row& row) { return read_managed_row(row, options_.remember); });
    if (submitted.empty())
        co_return;
    std::vector<new_managed_job> jobs;
    std::optional<timestamp> now;
    for (auto& each : submitted) {
        if (each.run_at && !now) {
            const inspector looking{redis_};
            now = co_await looking.async_server_time(with_diagnostics(asio::use_awaitable));
        }
        if (each.run_at)
            set_delay(each, *now);
        jobs.push_back(std::move(each.job));
    }
    managed_options how;
    how.prefix = options_.managed_prefix;
    how.max_job_size = 0;
    managed_queue queue{redis_, name, how};
    if (options_.confirmed != durability::memory())
        queue = queue.with(options_.confirmed);
    const auto tried = co_await push_usable(queue, jobs);
    note_all(done, rows, tried);
}

} // namespace coworker::detail
