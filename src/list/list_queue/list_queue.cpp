// SPDX-License-Identifier: MIT
#include "list/list_queue/list_queue_state.hpp"

#include "list/list_source/list_source.hpp"
#include "list/partition_set.hpp"
#include "list/partitions.hpp"
#include "operation.hpp"

namespace coworker {

using namespace detail;

raw_list_queue::raw_list_queue(const client& redis, std::string name, list_queue_options options)
{
    if (name.empty() || name.size() > 512)
        throw system_error{errc::invalid_queue_name, "'" + name.substr(0, 64) + "'"};
    if (options.failed_limit == 0)
        throw explained_error{errc::invalid_option, "failed_limit is at least 1"};
    if (options.waits_for_room && options.max_waiting == 0)
        throw explained_error{errc::invalid_option, "pushes that wait for room need max_waiting"};
    auto& whole = connection_of(redis);
    // In a cluster, a queue whose name has no hash tag can only be one that is divided.
    const bool must_be_divided = whole.in_cluster() && can_be_divided(name);
    const bool is_divided = options.partitions != 0 || must_be_divided;
    if (options.partitions > most_partitions)
        throw explained_error{errc::invalid_option,
                              "a queue has at most " + std::to_string(most_partitions) + " partitions"};
    if (is_divided && !can_be_divided(name))
        throw explained_error{
            errc::invalid_queue_name,
            "'" + name.substr(0, 64) +
                "': the name of a queue with partitions has at most 500 bytes and no brace"};
    auto connection = whole.for_queue(is_divided ? partition_name(name, 0) : name);
    state_ = std::make_shared<state>(name, options, std::move(connection));
    if (is_divided)
        state_->partitions =
            std::make_shared<partition_set>(whole.shared_from_this(), std::move(name), options);
}

raw_list_queue raw_list_queue::with(const payload_codecs& codecs) const
{
    auto copy = *this;
    copy.state_ = std::make_shared<state>(state_->name, state_->options, state_->redis);
    copy.state_->told = state_->told;
    copy.state_->partitions = state_->partitions;
    copy.state_->codecs = codecs;
    copy.state_->pushes = state_->pushes;
    return copy;
}

raw_list_queue raw_list_queue::with(const durability& wanted) const
{
    auto copy = with(state_->codecs);
    copy.state_->pushes = state_->redis->confirming(wanted);
    if (state_->partitions)
        copy.state_->partitions = state_->partitions->with(wanted);
    return copy;
}

const std::string& raw_list_queue::name() const noexcept
{
    return state_->name;
}

const list_queue_options& raw_list_queue::options() const noexcept
{
    return state_->options;
}

raw_list_queue::executor_type raw_list_queue::get_executor() const
{
    return state_->redis->get_executor();
}

std::unique_ptr<job_source> raw_list_queue::make_source() const
{
    if (state_->partitions)
        return state_->partitions->make_source();
    if (!state_->redis->in_cluster() && can_be_divided(state_->name)) // others may have divided it
        return list_source::of_divided(state_->redis, state_->name, state_->options, 0);
    return std::make_unique<list_source>(state_->redis, state_->name, state_->options);
}

asio::awaitable<reply> detail::ask(connection& redis, const boost::redis::request& what)
{
    reply answers;
    co_await redis.exec(what, answers);
    answers.throw_if_error();
    co_return answers;
}

// --- calls, which keep what they need ---

asio::awaitable<list_queue_sizes> raw_list_queue::sizes() const
{
    const auto divided = partition_set::of(state_);
    return divided ? partition_set::sizes(divided) : state::sizes(state_);
}

asio::awaitable<void> raw_list_queue::pause() const
{
    return partition_set::on_all_of(state_, &state::pause);
}

asio::awaitable<void> raw_list_queue::resume() const
{
    return partition_set::on_all_of(state_, &state::resume);
}

asio::awaitable<void> raw_list_queue::destroy() const
{
    const auto divided = partition_set::of(state_);
    return divided ? partition_set::destroy(divided, state_) : state::destroy(state_);
}

template struct detail::operation<std::vector<push_result>>;
template struct detail::operation<list_queue_sizes>;

} // namespace coworker
