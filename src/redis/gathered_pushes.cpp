// SPDX-License-Identifier: MIT
#include "redis/gathered_pushes.hpp"

#include "redis/connection.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <tuple>

namespace coworker::detail {

/// Pushes that go to Redis in one request.
struct push_batch final : request_call, std::enable_shared_from_this<push_batch>
{
    bool is_full() const noexcept { return is_full_push(pushes.size(), bytes); }

    void add(std::shared_ptr<waiting_push> push)
    {
        if (push->has_ended()) // cancelled already
            return;
        if (push->is_cancellable())
            push->batch = weak_from_this();
        is_sorted = is_sorted && (pushes.empty() || pushes.back()->key <= push->key);
        bytes += push->value.size();
        push->number = pushes.size();
        pushes.push_back(std::move(push));
        ++waiting;
    }

    void write_request();
    void ended(std::exception_ptr why) override;

    std::vector<std::shared_ptr<waiting_push>> pushes;
    std::vector<std::size_t> commands; ///< of each push: which command of the request it is in
    std::shared_ptr<connection> redis; ///< while it is under way
    std::size_t bytes = 0;
    std::size_t waiting = 0; ///< pushes that were not cancelled
    bool is_sent = false;
    bool is_sorted = true;
};

/// Pushes to the same key are one command.
void push_batch::write_request()
{
    if (!is_sorted)
        std::sort(pushes.begin(), pushes.end(), [](const auto& a, const auto& b) {
            return std::tie(a->key, a->number) < std::tie(b->key, b->number);
        });
    request.reserve(bytes + pushes.size() * 16 + 64);
    commands.reserve(pushes.size());
    std::vector<std::string_view> values;
    for (std::size_t begin = 0; begin != pushes.size();) {
        const auto& key = pushes[begin]->key;
        values.clear();
        auto end = begin;
        for (; end != pushes.size() && values.size() < pushes_per_command && pushes[end]->key == key; ++end)
            values.push_back(pushes[end]->value);
        commands.resize(end, request.get_commands());
        request.push_range("LPUSH", key, values);
        begin = end;
    }
    std::string_view last; // handles of one queue stand together, and their name is told once
    for (const auto& push : pushes)
        if (const auto& unknown = *push->name;
            !unknown.is_told && std::exchange(last, unknown.name) != unknown.name)
            request.push("SADD", unknown.set, unknown.name);
}

namespace {

/// Why Redis refused a push; null if it did not.
std::exception_ptr refusal(const reply& answers, std::size_t command)
{
    try {
        return answers[command].error();
    } catch (...) { // there are fewer answers than commands
        return std::current_exception();
    }
}

} // namespace

void waiting_push::cancelled()
{
    const auto mine = batch.lock();
    if (mine && --mine->waiting == 0)
        mine->cancel(); // the request need not be sent any more
}

void gathered_pushes::add(const std::shared_ptr<connection>& redis, std::shared_ptr<waiting_push> push)
{
    auto batch = gathering_.lock();
    if (!batch) {
        batch = std::make_shared<push_batch>();
        gathering_ = batch;
        if (under_way_ != 0)
            asio::post(redis->get_executor(), [redis, batch] { redis->pushes().send(redis, batch); });
    }
    batch->add(std::move(push));
    if (under_way_ == 0 || batch->is_full())
        send(redis, batch);
}

void gathered_pushes::send(const std::shared_ptr<connection>& redis)
{
    if (const auto batch = gathering_.lock())
        send(redis, batch);
}

void gathered_pushes::send(const std::shared_ptr<connection>& redis, const std::shared_ptr<push_batch>& batch)
{
    if (std::exchange(batch->is_sent, true))
        return;
    gathering_.reset();
    if (batch->pushes.empty()) // they were cancelled
        return;
    ++under_way_;
    batch->redis = redis;
    try {
        batch->write_request();
        redis->exec(batch);
    } catch (...) { // no memory
        asio::post(redis->get_executor(), [batch, why = std::current_exception()] { batch->ended(why); });
    }
}

void push_batch::ended(std::exception_ptr why)
{
    const auto ended_on = std::exchange(redis, nullptr);
    --ended_on->pushes().under_way_;
    for (std::size_t i = 0; i != pushes.size(); ++i) {
        auto& push = *pushes[i];
        auto error = why ? why : refusal(answers, commands[i]);
        push.name->is_told = push.name->is_told || !error;
        try {
            push.complete(std::move(error), std::move(push.id));
        } catch (...) { // a handler's exception leaves the context's run(), and the other handlers are called
            asio::post(ended_on->get_executor(),
                       [thrown = std::current_exception()] { std::rethrow_exception(thrown); });
        }
    }
}

} // namespace coworker::detail
