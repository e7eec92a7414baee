// SPDX-License-Identifier: MIT
#include "managed/batch_words.hpp"

#include "coworker/codec.hpp"
#include "managed/checks.hpp"
#include "managed/managed_queue/put_request.hpp"
#include "schedule/schedule_words.hpp"

#include <boost/json/array.hpp>

#include <charconv>

namespace coworker {
namespace detail {
namespace {

constexpr std::size_t largest_callback = 256 * 1024;
constexpr std::size_t largest_description = 1024;
constexpr std::string_view callback_jid = "batch@event"; // stands for those that the scripts make

std::uint64_t count_in(std::string_view word) noexcept
{
    std::uint64_t count = 0;
    std::from_chars(word.data(), word.data() + word.size(), count);
    return count;
}

batch_state read_batch_state(std::string_view open, std::string_view outcome, bool stopped) noexcept
{
    for (const auto state : {batch_state::succeeded, batch_state::failed, batch_state::cancelled})
        if (outcome == to_string(state))
            return state;
    if (stopped)
        return batch_state::stopping;
    return open == "1" ? batch_state::open : batch_state::running;
}

void add_callback(managed_call& call, std::string_view name, const std::optional<batch_job>& job)
{
    if (!job)
        return;
    check_queue_name(job->queue);
    const put_request put{.kind = job->kind, .data = job->data, .jid = callback_jid, .options = job->options};
    check_put(put, largest_callback);
    boost::json::array list{job->queue.str(), job->kind.str(), job->data.str()};
    for (const auto& word : words_for_later(call.prefix(), put, "jobs that batches push"))
        list.emplace_back(word);
    call.add(name).add(encode_value(std::move(list)).value());
}

} // namespace

batch_status read_batch(const reply::answer& words, std::size_t first)
{
    std::array<std::string_view, words_of_batch> texts;
    for (std::size_t i = 0; i != words_of_batch; ++i)
        texts[i] = words[first + i];
    return read_batch(texts);
}

batch_status read_batch(const std::array<std::string_view, words_of_batch>& texts)
{
    const auto word = [&](std::size_t i) { return texts[i]; };
    batch_status status;
    status.id = word(0);
    status.total = count_in(word(2));
    status.pending = count_in(word(3));
    status.succeeded = count_in(word(4));
    status.failed = count_in(word(5));
    status.cancelled = count_in(word(6));
    status.opened = to_time(word(7)).value_or(timestamp{});
    status.ended = to_time(word(8));
    status.state = read_batch_state(word(1), word(9), word(10) == "1");
    status.description = word(11);
    status.parent = word(12);
    status.problem = word(14);
    return status;
}

std::string add_counts(const reply::answer& words, batch_counts& sum)
{
    std::size_t place = 1;
    for (auto* count : {&sum.open, &sum.running, &sum.stopping, &sum.succeeded, &sum.failed, &sum.cancelled,
                        &sum.failing, &sum.problems})
        *count += static_cast<std::uint64_t>(words.integer(place++));
    if (!sum.oldest)
        sum.oldest = to_time(words[place]);
    return std::string{words[0]};
}

managed_call open_call(const std::string& prefix, std::string_view id, const batch_options& wanted)
{
    check_batch_id(id);
    check_utf8(wanted.description, "the description of a batch");
    if (wanted.description.str().size() > largest_description)
        throw explained_error{errc::invalid_option, "the description of a batch has at most 1024 bytes"};
    if (wanted.retention.count() < 0)
        throw explained_error{errc::invalid_option, "the retention of a batch is not negative"};
    managed_call call{prefix, "batch_open"};
    call.add(id);
    if (!wanted.description.str().empty())
        call.add("description").add(wanted.description);
    if (wanted.parent) {
        check_batch_id(*wanted.parent);
        call.add("parent").add(*wanted.parent);
    }
    call.add("retention").add_seconds(wanted.retention);
    if (wanted.notice)
        call.add("notice").add("1");
    add_callback(call, "success", wanted.on_success);
    add_callback(call, "done", wanted.on_done);
    add_callback(call, "failure", wanted.on_failure);
    return call;
}

} // namespace detail

std::string_view to_string(batch_state state) noexcept
{
    switch (state) {
    case batch_state::open:
        return "open";
    case batch_state::running:
        return "running";
    case batch_state::stopping:
        return "stopping";
    case batch_state::succeeded:
        return "succeeded";
    case batch_state::failed:
        return "failed";
    case batch_state::cancelled:
        break;
    }
    return "cancelled";
}

} // namespace coworker
