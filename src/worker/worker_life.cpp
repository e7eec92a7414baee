// SPDX-License-Identifier: MIT
#include "worker/worker_life.hpp"

#include "tell.hpp"
#include "worker/source_failure.hpp"

namespace coworker::detail {
namespace {

/// The same of what was thrown.
bool has_ended(const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (const system_error& thrown) {
        return ends_source(thrown.code());
    } catch (...) {
        return false;
    }
}

} // namespace

worker_life::worker_life(asio::any_io_executor executor, const std::vector<observer>& observers)
    : executor_{std::move(executor)}, observers_{observers}, work_{executor_}, changed_{executor_}
{}

void worker_life::emit(const event& what) const
{
    for (const auto& who : observers_)
        tell(who, what);
}

void worker_life::stop()
{
    stops_ = true;
    changed_.notify();
    work_.notify();
}

void worker_life::stop_at_once()
{
    hurries_ = stops_;
    stops_at_once_ = true;
    stop();
}

void worker_life::die(std::exception_ptr why)
{
    fail(why);
    source_has_ended_ = source_has_ended_ || has_ended(why);
    stops_at_once_ = true; // outcomes of other queues are stored all the same
    stop();
}

asio::awaitable<void> worker_life::wait_for_work()
{
    one_looks_ = false;
    co_await work_.wait();
    one_looks_ = false;
}

void worker_life::fail(std::exception_ptr why) noexcept
{
    if (!failure_)
        failure_ = std::move(why);
}

} // namespace coworker::detail
