// SPDX-License-Identifier: MIT
#include "coworker/worker.hpp"

#include "worker/supervisor.hpp"

#include <boost/asio/dispatch.hpp>

#include <algorithm>
#include <string>

namespace coworker {

worker::worker(asio::any_io_executor executor, worker_options options)
    : state_{std::make_shared<detail::supervisor>(std::move(executor), std::move(options))}
{}

worker::~worker()
{
    if (!state_ || !state_->may_run())
        return;
    const auto executor = get_executor(); // where connections know of it, which must be told first
    asio::dispatch(executor, [state = std::move(state_)] { state->abandon(); });
}

worker::worker(worker&&) noexcept = default;

worker& worker::operator=(worker&& other) noexcept
{
    worker old{std::move(*this)};
    state_ = std::move(other.state_);
    return *this;
}

void worker::handle_source(std::unique_ptr<job_source> source, job_handler handler, handle_options options)
{
    state_->add_queue(std::move(source), std::move(handler), std::move(options));
}

void worker::check_many(const many_options& many, const handle_options& options) const
{
    const auto refuse = [](const std::string& why) { throw explained_error{errc::invalid_option, why}; };
    if (many.up_to == 0)
        refuse("a run has at least one job: set up_to");
    if (many.wait.count() < 0)
        refuse("a wait for further jobs is negative");
    const auto own = options.concurrency;
    const auto places = std::min(state_->concurrency(), own == 0 ? state_->concurrency() : own);
    if (many.up_to > places)
        refuse("up_to is " + std::to_string(many.up_to) + ", but only " + std::to_string(places) +
               " jobs may run at the same time: set " +
               (own == places ? "handle_options" : "worker_options") + "::concurrency to as many or more");
}

asio::awaitable<void> worker::run()
{
    state_->expect_run();
    // The coroutine keeps the state, in case the worker is destroyed meanwhile.
    return [](std::shared_ptr<detail::supervisor> state) -> asio::awaitable<void> {
        co_await state->run();
    }(state_);
}

void worker::stop()
{
    asio::dispatch(get_executor(), [state = state_] { state->stop(); });
}

void worker::stop_fetching()
{
    asio::dispatch(get_executor(), [state = state_] { state->stop_fetching(); });
}

std::size_t worker::running() const noexcept
{
    return state_->running();
}

asio::any_io_executor worker::get_executor() const
{
    return state_->get_executor();
}

} // namespace coworker
