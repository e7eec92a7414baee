// SPDX-License-Identifier: MIT
#include "list/list_queue_state.hpp"

#include "list/list_source.hpp"
#include "operation.hpp"

namespace coworker {

using namespace detail;

raw_list_queue::raw_list_queue(const client& redis, std::string name, list_queue_options options)
{
    if (name.empty() || name.size() > 512)
        throw system_error{errc::invalid_queue_name, "'" + name.substr(0, 64) + "'"};
    if (options.failed_limit == 0 || options.broken_limit == 0)
        throw system_error{errc::invalid_option, "failed_limit and broken_limit are at least 1"};
    state_ = std::make_shared<state>(std::move(name), options, connection_of(redis).shared_from_this());
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

asio::awaitable<bool> raw_list_queue::exists() const
{
    return state::exists(state_);
}

asio::awaitable<list_queue_sizes> raw_list_queue::sizes() const
{
    return state::sizes(state_);
}

asio::awaitable<std::vector<list_job>> raw_list_queue::waiting(std::size_t offset, std::size_t count) const
{
    return state::waiting(state_, offset, count);
}

asio::awaitable<std::vector<list_job_scheduled>> raw_list_queue::scheduled(std::size_t offset,
                                                                           std::size_t count) const
{
    return state::scheduled(state_, offset, count);
}

asio::awaitable<std::vector<list_job_failed>> raw_list_queue::failed(std::size_t offset,
                                                                     std::size_t count) const
{
    return state::failed(state_, offset, count);
}

asio::awaitable<scan_page<list_job_in_progress>> raw_list_queue::in_progress(std::uint64_t cursor,
                                                                             std::size_t count) const
{
    return state::in_progress(state_, cursor, count);
}

asio::awaitable<scan_page<list_job_broken>> raw_list_queue::broken(std::uint64_t cursor,
                                                                   std::size_t count) const
{
    return state::broken(state_, cursor, count);
}

asio::awaitable<result<void>> raw_list_queue::retry_failed(std::string payload) const
{
    return state::retry_failed(state_, std::move(payload));
}

asio::awaitable<std::size_t> raw_list_queue::retry_all_failed() const
{
    return state::retry_all_failed(state_);
}

asio::awaitable<result<void>> raw_list_queue::delete_failed(std::string payload) const
{
    return state::delete_failed(state_, std::move(payload));
}

asio::awaitable<std::size_t> raw_list_queue::delete_all_failed() const
{
    return state::delete_all_failed(state_);
}

asio::awaitable<result<void>> raw_list_queue::retry_broken(std::string payload) const
{
    return state::retry_broken(state_, std::move(payload));
}

asio::awaitable<std::size_t> raw_list_queue::retry_all_broken() const
{
    return state::retry_all_broken(state_);
}

asio::awaitable<result<void>> raw_list_queue::delete_broken(std::string payload) const
{
    return state::delete_broken(state_, std::move(payload));
}

asio::awaitable<std::size_t> raw_list_queue::delete_all_broken() const
{
    return state::delete_all_broken(state_);
}

asio::awaitable<result<void>> raw_list_queue::delete_waiting(std::string payload) const
{
    return state::delete_waiting(state_, std::move(payload));
}

asio::awaitable<result<void>> raw_list_queue::delete_scheduled(std::string member) const
{
    return state::delete_scheduled(state_, std::move(member));
}

asio::awaitable<void> raw_list_queue::pause() const
{
    return state::pause(state_);
}

asio::awaitable<void> raw_list_queue::resume() const
{
    return state::resume(state_);
}

asio::awaitable<void> raw_list_queue::destroy() const
{
    return state::destroy(state_);
}

template struct detail::operation<std::vector<push_result>>;
template struct detail::operation<list_queue_sizes>;
template struct detail::operation<std::vector<list_job>>;
template struct detail::operation<std::vector<list_job_scheduled>>;
template struct detail::operation<std::vector<list_job_failed>>;
template struct detail::operation<scan_page<list_job_in_progress>>;
template struct detail::operation<scan_page<list_job_broken>>;

} // namespace coworker
