// SPDX-License-Identifier: MIT
#include "take/lent_queue.hpp"

#include "bounds.hpp"
#include "list/partitions.hpp"
#include "worker/part_weight.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace coworker::detail {
namespace {

/// How long a number of partitions is believed.
constexpr std::chrono::seconds time_to_believe{30};

bool may_have_partitions(const queue_ref& queue)
{
    return !queue.is_managed() && can_be_divided(queue.name());
}

} // namespace

bool says_redis_is_away(const system_error& error)
{
    return error.code() == errc::unavailable || error.code() == errc::timed_out;
}

lent_queue::lent_queue(std::shared_ptr<connection> redis, queue_ref queue, const job_taker_options& options,
                       lent_kinds kinds)
    : redis_{std::move(redis)}, queue_{std::move(queue)}, options_{options}, kinds_{std::move(kinds)},
      taken_{redis_->get_executor()}
{
    if (!redis_->in_cluster() || !may_have_partitions(queue_)) // else its keys would be in several slots
        parts_.push_back(make_part(std::nullopt));
}

// --- its parts -----------------------------------------------------------------------

std::shared_ptr<lent_part> lent_queue::make_part(std::optional<unsigned> partition) const
{
    return std::make_shared<lent_part>(redis_, queue_, partition, options_, kinds_);
}

asio::awaitable<void> lent_queue::open()
{
    if (!may_have_partitions(queue_) || clock::now() < known_until_)
        co_return;
    if (!is_known_) {
        try {
            co_await learn();
        } catch (const system_error& error) {
            if (parts_.empty() || error.code() == asio::error::operation_aborted || says_redis_is_away(error))
                throw;
            known_until_ = clock::now() + time_to_believe;
        }
        co_return;
    }
    // Beside the calls: the node that knows may be away.
    known_until_ = clock::now() + time_to_believe;
    asio::co_spawn(
        redis_->get_executor(), [self = shared_from_this()] { return self->learn(); },
        [self = shared_from_this()](const std::exception_ptr&) {}); // what is known stays true
}

asio::awaitable<void> lent_queue::learn()
{
    const auto count = co_await count_partitions(*redis_, queue_.name());
    add_partitions(redis_->in_cluster() ? std::max(count, 1U) : count); // the first is there in any case
    is_known_ = true;
    known_until_ = clock::now() + time_to_believe;
}

void lent_queue::add_partitions(unsigned count)
{
    const auto has = [&](unsigned number) {
        return std::any_of(parts_.begin(), parts_.end(),
                           [&](const auto& each) { return each->partition() == number; });
    };
    double least = 0; // a part that is new is not made up for what it has missed
    if (!parts_.empty())
        least = (*std::ranges::min_element(parts_, {}, [](const auto& each) {
                    return each->served();
                }))->served();
    for (unsigned i = 0; i != count; ++i)
        if (!has(i)) {
            parts_.push_back(make_part(i));
            parts_.back()->join_at(least);
        }
}

std::vector<std::shared_ptr<lent_part>> lent_queue::parts_in_turn() const
{
    auto parts = parts_;
    std::ranges::sort(parts, {}, [](const auto& each) { return each->served(); });
    const auto is_away = [](const auto& each) { return each->is_away(); };
    if (!std::all_of(parts.begin(), parts.end(), is_away))
        std::erase_if(parts, is_away);
    return parts;
}

double lent_queue::weight_of(const lent_part& part) const
{
    std::size_t largest = 0;
    for (const auto& each : parts_)
        largest = std::max(largest, each->waiting());
    return part_weight(part.waiting(), largest);
}

void lent_queue::pass_over(lent_part& part) const
{
    for (const auto& each : parts_)
        part.join_at(each->served());
}

std::shared_ptr<lent_part> lent_queue::part(std::optional<unsigned> partition) const
{
    for (const auto& each : parts_)
        if (each->partition() == partition)
            return each;
    return make_part(partition); // another process knows of it
}

void lent_queue::keep_monitors()
{
    if (is_stopped_)
        return;
    for (const auto& each : parts_)
        each->keep_monitor();
}

void lent_queue::note_worker(const std::string& name)
{
    constexpr std::size_t most_noted = 10'000;
    if (name.empty() || parts_.empty())
        return;
    const auto now = clock::now();
    if (noted_.size() >= most_noted)
        noted_.clear();
    auto& until = noted_[name];
    if (now < until)
        return;
    until = now + remote_worker_age / 10;
    // One part is enough: how many workers a queue has is the largest number among its parts.
    parts_.front()->note_worker(name);
}

void lent_queue::stop()
{
    is_stopped_ = true;
    fail_all(nullptr);
    for (const auto& each : parts_)
        each->stop();
}

// --- waiting -------------------------------------------------------------------------

/// One waits for each part on behalf of all: were each told of each job, all would ask for it.
void lent_queue::begin_to_watch()
{
    for (const auto& each : parts_)
        each->keep_watch(
            [&] { return watch(each); },
            [self = shared_from_this()](const std::exception_ptr& error) { self->end_of_watch(error); });
}

void lent_queue::end_of_watch(const std::exception_ptr& error)
{
    if (line_.empty())
        return;
    if (!error && !is_stopped_)
        begin_to_watch(); // one came while it ended
    else if (std::none_of(parts_.begin(), parts_.end(), [](const auto& each) { return each->is_watched(); }))
        fail_all(error); // else other parts go on; the next one who waits has this one watched again
}

asio::awaitable<void> lent_queue::watch(std::shared_ptr<lent_part> part)
{
    while (!line_.empty()) {
        try {
            co_await call_those_who_wait(part);
        } catch (const system_error& error) {
            if (error.code() != errc::in_doubt) // the next call waits for the next connection
                throw;
        }
    }
}

asio::awaitable<void> lent_queue::call_those_who_wait(std::shared_ptr<lent_part> part)
{
    while (!line_.empty()) {
        co_await part->wait_for_jobs();
        while (is_taking_) // from another part
            co_await taken_.wait();
        if (line_.empty())
            co_return;
        auto* const first = line_.front();
        line_.pop_front();
        is_taking_ = true;
        first->called_by_ = part;
        first->timer_.cancel();
        while (is_taking_)
            co_await taken_.wait();
    }
}

void lent_queue::fail_all(const std::exception_ptr& error)
{
    for (auto* const each : std::exchange(line_, {})) {
        each->error_ = error;
        each->timer_.cancel();
    }
}

lent_queue::place::place(lent_queue& queue)
    : queue_{queue.shared_from_this()}, timer_{queue.redis_->get_executor()}
{
    queue_->line_.push_back(this);
}

lent_queue::place::~place()
{
    leave();
}

void lent_queue::place::leave()
{
    std::erase(queue_->line_, this);
    if (!std::exchange(called_by_, nullptr))
        return;
    queue_->is_taking_ = false;
    queue_->taken_.notify();
}

void lent_queue::place::wait_again()
{
    leave();
    queue_->line_.push_front(this);
}

asio::awaitable<std::shared_ptr<lent_part>> lent_queue::place::wait_until(clock::time_point deadline)
{
    if (queue_->is_stopped_)
        co_return nullptr;
    queue_->begin_to_watch();
    if (!error_) { // which the watch has, if it could not even begin
        timer_.expires_at(deadline);
        error_code ignored;
        co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw system_error{asio::error::operation_aborted};
    if (error_)
        std::rethrow_exception(error_);
    co_return called_by_;
}

} // namespace coworker::detail
