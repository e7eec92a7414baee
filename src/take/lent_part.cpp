// SPDX-License-Identifier: MIT
#include "take/lent_part.hpp"

#include "bounds.hpp"
#include "list/keys.hpp"
#include "list/list_source/list_source.hpp"
#include "list/partitions.hpp"
#include "managed/managed_source/managed_source.hpp"
#include "worker/monitor_loops.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/redis/request.hpp>

#include <utility>

namespace coworker::detail {

lent_part::lent_part(const std::shared_ptr<connection>& redis, const queue_ref& queue,
                     std::optional<unsigned> partition, const job_taker_options& options, lent_kinds kinds)
    : queue_{partition ? queue_ref{queue.kind(), partition_name(queue.name(), *partition)} : queue},
      partition_{partition},
      managed_prefix_{options.managed_prefix.str()}, lease_{options.lease}, kinds_{std::move(kinds)}
{
    redis_ = queue.is_managed() ? redis->for_prefix(managed_prefix_) : redis->for_queue(queue_.name());
    watched_ = source_for("-");
}

std::unique_ptr<job_source> lent_part::source_for(const std::string& worker) const
{
    std::unique_ptr<job_source> source;
    if (queue_.is_managed()) {
        const managed_options options{.prefix = managed_prefix_};
        source = std::make_unique<managed_source>(redis_, queue_.name(), options, worker);
    } else {
        source = std::make_unique<list_source>(redis_, queue_.name(), list_queue_options{}, holder::nobody);
    }
    if (!kinds_.empty()) {
        std::vector<job_source::handled_kind> handled;
        for (const auto& [kind, version] : kinds_)
            handled.push_back({kind, version});
        source->handle_only(handled);
    }
    source->lease_time(lease_);
    return source;
}

void lent_part::keep_monitor()
{
    if (queue_.is_managed() || is_monitored_) // each fetch from a managed queue finds leases that have ended
        return;
    is_monitored_ = true;
    constexpr std::chrono::milliseconds grace{1'500};
    auto ended = [self = shared_from_this()](std::exception_ptr) { self->is_monitored_ = false; };
    asio::co_spawn(redis_->get_executor(), return_lost_jobs(*watched_, lease_, grace, [](const event&) {}),
                   asio::bind_cancellation_slot(end_monitor_.slot(), std::move(ended)));
}

void lent_part::note_worker(const std::string& name)
{
    asio::co_spawn(
        redis_->get_executor(), [self = shared_from_this(), name] { return self->store_worker(name); },
        [](const std::exception_ptr&) {}); // the next one may be noted
}

asio::awaitable<void> lent_part::store_worker(std::string name) const
{
    if (queue_.is_managed()) {
        script_arguments sign_in{managed_prefix_};
        sign_in.add("server");
        sign_in.add(name);
        sign_in.add(queue_.name());
        co_await redis_->try_call(find_script("managed/sign_in"), sign_in);
        co_return;
    }
    const list_keys keys{queue_.name()};
    script_arguments arguments{keys.remote};
    arguments.add(name);
    arguments.add_number(remote_worker_age.count());
    co_await redis_->try_call(find_script("list/note_remote"), arguments);
    boost::redis::request make_known; // as a queue is that a connected worker opens
    make_known.push("SADD", known_queues_key, queue_.name());
    reply ignored;
    co_await redis_->exec_aside(make_known, ignored);
}

void lent_part::keep_watch(const std::function<asio::awaitable<void>()>& watch,
                           std::function<void(std::exception_ptr)> ended)
{
    if (is_watched_)
        return;
    is_watched_ = true;
    auto note_end = [self = shared_from_this(), tell = std::move(ended)](std::exception_ptr error) {
        self->is_watched_ = false;
        tell(error);
    };
    asio::co_spawn(redis_->get_executor(), watch(),
                   asio::bind_cancellation_slot(end_watch_.slot(), std::move(note_end)));
}

void lent_part::stop()
{
    const auto self = shared_from_this(); // the last coroutine may end here
    end_monitor_.emit(asio::cancellation_type::terminal);
    end_watch_.emit(asio::cancellation_type::terminal);
}

} // namespace coworker::detail
