#pragma once

#include "coworker/job_source.hpp"
#include "coworker/list_queue.hpp"
#include "list/keys.hpp"
#include "list/recovery.hpp"
#include "redis/client.hpp"
#include "redis/poll_schedule.hpp"

#include <memory>

namespace coworker::detail {

/// A list queue as the worker sees it.
class list_source final : public job_source
{
public:
    list_source(std::shared_ptr<client> redis, std::string name, list_queue_options options);

    const std::string& name() const noexcept override { return name_; }
    asio::awaitable<void> open() override;
    asio::awaitable<exchange_result> exchange(std::span<const settlement> settled,
                                              std::size_t count) override;
    asio::awaitable<std::vector<std::size_t>> renew(std::span<taken_job* const> jobs) override;
    asio::awaitable<void> reconcile(std::span<const taken_job* const> held) override;
    asio::awaitable<recovery> recover(std::chrono::milliseconds lease,
                                      std::chrono::milliseconds grace) override;
    asio::awaitable<wake_up> wait_for_jobs() override;
    asio::awaitable<void> wait_for_leases() override;
    asio::awaitable<void> close() override;

private:
    /// What the monitor learns at the beginning of a round.
    struct survey
    {
        timestamp now;
        absence absent;
    };

    asio::awaitable<survey> survey_workers(std::chrono::milliseconds grace);
    asio::awaitable<void> note_absence(const survey& found);
    /// Looks at all of `progress` in parts and does with each lease what `judge` says.
    template<class Judge>
    asio::awaitable<std::size_t> sweep(std::string threshold, std::set<std::uint32_t> workers, Judge judge);
    asio::awaitable<void> forget_workers(const std::set<std::uint32_t>& dead);
    asio::awaitable<std::int64_t> tidy();

    std::shared_ptr<client> redis_;
    std::string name_;
    list_queue_options options_;
    list_keys keys_;
    std::int64_t worker_ = 0; ///< this worker's number in the queue; 0: none yet
    key_watch jobs_watch_;
    key_watch leases_watch_;
    poll_schedule polls_;
};

} // namespace coworker::detail
