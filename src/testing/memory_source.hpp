// SPDX-License-Identifier: MIT
#pragma once

#include "testing/memory_store.hpp"

namespace coworker::detail {

/// A queue in memory as the worker sees it.
class memory_source final : public job_source
{
public:
    explicit memory_source(std::shared_ptr<memory_store> store);
    ~memory_source() override;

    abilities can() const noexcept override
    {
        return {.counts_attempts = store_->counts_attempts(),
                .forwards = true,
                .keeps_notes = true,
                .keeps_steps = true,
                .suspends = true};
    }
    const std::string& name() const noexcept override { return store_->name(); }
    asio::awaitable<void> open() override;
    std::chrono::milliseconds lease_time(std::chrono::milliseconds asked) noexcept override
    {
        return lease_ = asked;
    }
    asio::awaitable<fetch_result> ack_and_fetch(std::span<const acknowledgement> acks,
                                                std::size_t count) override;
    void check_effect(const effect&) const override {} // all are noted, and those in memory carried out
    asio::awaitable<std::vector<std::size_t>> renew(std::span<fetched_job* const> jobs) override;
    asio::awaitable<void> reconcile(std::span<const fetched_job* const> held) override;
    asio::awaitable<recovery> recover(std::chrono::milliseconds lease,
                                      std::chrono::milliseconds grace) override;
    asio::awaitable<std::vector<std::size_t>> store_notes(std::span<const job_note> notes) override;
    asio::awaitable<std::string> read_checkpoint(const fetched_job& job) override;
    asio::awaitable<std::vector<result<void>>> store_steps(std::span<const job_step> steps) override;
    asio::awaitable<std::map<std::string, std::string>> read_steps(const fetched_job& job) override;
    asio::awaitable<wait_state> begin_wait(const fetched_job& job, const job_wait& wait) override;
    asio::awaitable<wake_up> wait_for_jobs() override;
    asio::awaitable<void> wait_for_leases() override;
    asio::awaitable<void> close() override;

private:
    std::shared_ptr<memory_store> store_;
    std::uint64_t worker_;
    std::chrono::milliseconds lease_{120'000};
};

} // namespace coworker::detail
