// SPDX-License-Identifier: MIT
#include "coworker/batches.hpp"

#include "job_ids.hpp"
#include "managed/batch_words.hpp"
#include "managed/checks.hpp"
#include "operation.hpp"
#include "redis/key_watch.hpp"
#include "redis/poll_schedule.hpp"
#include "schedule/schedule_words.hpp"

#include <algorithm>

/// Batches as users see them. The scripts that end jobs count them.
namespace coworker {

using namespace detail;

namespace {

managed_call call_for_batch(const std::string& prefix, std::string_view command, std::string_view id)
{
    check_batch_id(id);
    managed_call call{prefix, command};
    call.add(id);
    return call;
}

asio::awaitable<std::string> open_batch(kept_connection redis, managed_call call, std::string id)
{
    const result<reply> answer = co_await try_managed(redis, std::move(call));
    if (!answer)
        throw system_error{answer.error()};
    co_return id;
}

/// What batch_look.lua tells; nothing if there is no such batch.
std::optional<batch_status> read_looked_at(const reply::answer& words)
{
    if (words.size() < 1 + words_of_batch)
        return std::nullopt;
    return read_batch(words, 1);
}

asio::awaitable<result<batch_status>> look_at_batch(kept_connection redis, managed_call call)
{
    const reply answer = co_await call_managed(redis, std::move(call));
    auto status = read_looked_at(answer.back());
    if (!status)
        co_return errc::batch_not_found;
    co_return std::move(*status);
}

asio::awaitable<std::optional<batch_status>> watch_batch(kept_connection redis, const std::string& prefix,
                                                         const std::string& key, const std::string& id)
{
    redis->pushes().send(redis); // they began before
    script_arguments arguments{prefix, key};
    arguments.add("server");
    arguments.add(id);
    const reply answers = co_await redis->call_tracked(find_script("managed/batch_look"), arguments);
    co_return read_looked_at(answers.back());
}

/// Redis announces any change of the batch behind the look: so nothing is missed between the two.
asio::awaitable<batch_status> wait_for_batch(kept_connection redis, std::string prefix, std::string id)
{
    const auto key = prefix + "coworker:batch:" + id;
    std::vector<std::string> keys{key};
    key_watch watch{redis->watches(), redis->get_executor(), std::move(keys)};
    poll_schedule polls;
    for (;;) {
        watch.arm();
        std::optional<batch_status> seen;
        bool is_known = true;
        try {
            seen = co_await watch_batch(redis, prefix, key, id);
        } catch (const system_error& error) {
            if (error.code() != errc::in_doubt) // a question can be asked again
                throw;
            is_known = false;
        }
        if (!is_known)
            continue;
        if (!seen)
            throw system_error{errc::batch_not_found, id};
        if (seen->ended)
            co_return std::move(*seen);
        co_await watch.wait_until(polls.next(redis, redis->options().poll_interval));
    }
}

/// Cancels one batch; adds those inside of it to `others`. Where jobs of it wait for each other, a second round cancels
/// those for which others waited in the first.
asio::awaitable<result<void>> cancel_one(kept_connection redis, const std::string& prefix, std::string id,
                                         const char* mode, batch_cancelled& sum,
                                         std::vector<std::string>& others)
{
    for (std::uint64_t cancelled = 1, left = 1; cancelled > 0 && left > 0;) {
        cancelled = left = 0;
        std::string cursor;
        std::vector<std::string> inside;
        do {
            managed_call call{prefix, "batch_cancel"};
            call.add(id).add(mode).add(cursor);
            const result<reply> answer = co_await try_managed(redis, std::move(call));
            if (!answer)
                co_return answer.error();
            const auto words = answer->back();
            cursor = words[0];
            cancelled += static_cast<std::uint64_t>(words.integer(1));
            left += static_cast<std::uint64_t>(words.integer(2));
            for (std::size_t i = 3; i < words.size(); ++i)
                inside.emplace_back(words[i]);
        } while (!cursor.empty());
        sum.cancelled += cancelled;
        if (cancelled == 0 || left == 0) {
            sum.left += left;
            others.insert(others.end(), inside.begin(), inside.end());
        }
    }
    co_return result<void>{};
}

asio::awaitable<result<batch_cancelled>> cancel_all(kept_connection redis, std::string prefix, std::string id,
                                                    bool running)
{
    batch_cancelled sum;
    std::vector<std::string> waiting{id};
    while (!waiting.empty()) {
        auto next = std::move(waiting.back());
        waiting.pop_back();
        const bool is_first = next == id;
        const auto done =
            co_await cancel_one(redis, prefix, std::move(next), running ? "all" : "waiting", sum, waiting);
        if (!done && is_first) // one inside may be forgotten by now
            co_return done.error();
    }
    co_return sum;
}

asio::awaitable<batch_page> list_batches(kept_connection redis, managed_call call)
{
    const reply answer = co_await call_managed(redis, std::move(call));
    const auto words = answer.back();
    batch_page page;
    page.next = words[0];
    page.total = static_cast<std::uint64_t>(words.integer(1));
    for (std::size_t i = 2; i + words_of_batch <= words.size(); i += words_of_batch)
        page.batches.push_back(read_batch(words, i));
    co_return page;
}

managed_call call_for_list(const std::string& prefix, std::string_view cursor, std::size_t count)
{
    if (!cursor.empty() && !to_time(cursor))
        throw explained_error{errc::invalid_option, "the cursor is not one that was returned"};
    managed_call call{prefix, "batches"};
    call.add(cursor).add_number(std::clamp<std::size_t>(count, 1, 500));
    return call;
}

asio::awaitable<batch_counts> count_batches(kept_connection redis, std::string prefix)
{
    constexpr int most_parts = 20;
    batch_counts sum;
    std::string cursor;
    for (int part = 0; part == 0 || (part != most_parts && !cursor.empty()); ++part) {
        managed_call call{prefix, "batch_counts"};
        call.add(cursor);
        const reply answer = co_await call_managed(redis, std::move(call));
        cursor = add_counts(answer.back(), sum);
    }
    co_return sum;
}

} // namespace

batches::batches(const client& redis, managed_options options)
    : redis_{connection_of(redis).for_prefix(options.prefix)}, options_{std::move(options)}
{
    check_options(options_);
}

batches::executor_type batches::get_executor() const
{
    return redis_->get_executor();
}

asio::awaitable<std::string> batches::open(const batch_options& wanted) const
{
    std::string id = wanted.id ? wanted.id->str() : new_job_id();
    auto call = open_call(options_.prefix, id, wanted);
    return open_batch(*redis_, std::move(call), std::move(id));
}

asio::awaitable<result<void>> batches::seal(std::string_view id) const
{
    return ask(*redis_, call_for_batch(options_.prefix, "batch_seal", id));
}

asio::awaitable<result<batch_status>> batches::status(std::string_view id) const
{
    return look_at_batch(*redis_, call_for_batch(options_.prefix, "batch_look", id));
}

asio::awaitable<batch_status> batches::wait_for(std::string_view id) const
{
    check_batch_id(id);
    return wait_for_batch(*redis_, options_.prefix, std::string{id});
}

asio::awaitable<result<batch_cancelled>> batches::cancel(std::string_view id, batch_cancel_options how) const
{
    check_batch_id(id);
    return cancel_all(*redis_, options_.prefix, std::string{id}, how.running);
}

asio::awaitable<batch_page> batches::list(std::string_view cursor, std::size_t count) const
{
    return list_batches(*redis_, call_for_list(options_.prefix, cursor, count));
}

asio::awaitable<batch_page> batches::list_inside(std::string_view id, std::string_view cursor,
                                                 std::size_t count) const
{
    check_batch_id(id);
    auto call = call_for_list(options_.prefix, cursor, count);
    call.add(id);
    return list_batches(*redis_, std::move(call));
}

asio::awaitable<batch_counts> batches::count() const
{
    return count_batches(*redis_, options_.prefix);
}

template struct detail::operation<result<batch_status>>;
template struct detail::operation<batch_status>;
template struct detail::operation<result<batch_cancelled>>;
template struct detail::operation<batch_page>;
template struct detail::operation<batch_counts>;

} // namespace coworker
