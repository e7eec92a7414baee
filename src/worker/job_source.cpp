// SPDX-License-Identifier: MIT
#include "coworker/job_source.hpp"

#include "coworker/error.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coworker {
namespace {

/// Until it is cancelled.
asio::awaitable<void> wait_for_ever()
{
    asio::steady_timer never{co_await asio::this_coro::executor,
                             std::chrono::steady_clock::time_point::max()};
    co_await never.async_wait(asio::use_awaitable);
}

} // namespace

asio::awaitable<std::vector<std::string>> job_source::wait_for_losses()
{
    co_await wait_for_ever(); // nobody tells
    co_return std::vector<std::string>{};
}

asio::awaitable<std::vector<std::unique_ptr<job_source>>> job_source::wait_for_parts()
{
    co_await wait_for_ever();
    co_return std::vector<std::unique_ptr<job_source>>{};
}

asio::awaitable<void> job_source::wait_for_round(std::chrono::milliseconds pause)
{
    asio::steady_timer over{co_await asio::this_coro::executor, pause};
    co_await over.async_wait(asio::use_awaitable);
}

asio::awaitable<std::vector<std::size_t>> job_source::store_notes(std::span<const job_note>)
{
    co_return std::vector<std::size_t>{};
}

void job_source::check_effect(const effect&) const
{
    throw explained_error{errc::not_supported, "the source of queue '" + name() + "' carries out no effects"};
}

asio::awaitable<std::string> job_source::read_checkpoint(const fetched_job&)
{
    co_return std::string{};
}

asio::awaitable<std::vector<result<void>>> job_source::store_steps(std::span<const job_step>)
{
    throw explained_error{errc::not_supported, "the source of queue '" + name() + "' keeps no steps"};
    co_return std::vector<result<void>>{};
}

asio::awaitable<std::map<std::string, std::string>> job_source::read_steps(const fetched_job&)
{
    co_return std::map<std::string, std::string>{};
}

asio::awaitable<wait_state> job_source::begin_wait(const fetched_job&, const job_wait&)
{
    throw explained_error{errc::not_supported,
                          "the source of queue '" + name() + "' does not suspend jobs; use a managed queue"};
    co_return wait_state{};
}

asio::awaitable<job_signals> job_source::read_signals(const fetched_job&)
{
    co_return job_signals{};
}

asio::awaitable<std::string> job_source::read_result(std::string, bool)
{
    throw explained_error{errc::not_supported, "the source of queue '" + name() + "' keeps no results"};
    co_return std::string{};
}

asio::awaitable<void> job_source::run_schedules()
{
    co_await wait_for_ever();
}

} // namespace coworker
