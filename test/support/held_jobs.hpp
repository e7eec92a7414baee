// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"
#include "coworker/managed_client.hpp"
#include "coworker/managed_job.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// What consumers do that are no workers of coworker's, by the commands of qless' protocol.
namespace coworker::test {

namespace asio = boost::asio;

/// A job that was popped, as the commands name it that end its lease or renew it.
struct held_job
{
    std::string jid, worker, queue, data;

    held_job(const managed_job& job) : held_job{job.jid, job.worker, job.queue, job.data} {}
    held_job(std::string id, std::string holder, std::string in_queue, std::string present_data = "{}")
        : jid{std::move(id)}, worker{std::move(holder)}, queue{std::move(in_queue)}, data{std::move(
                                                                                         present_data)}
    {}
};

/// Calls a command at the server's present time. What the caller does not hold is an error in the result; any other
/// refusal is thrown.
asio::awaitable<result<qless_reply>> call_qless(managed_client jobs, std::string command,
                                                std::vector<std::string> words);

/// Pops up to `count` jobs for a worker.
asio::awaitable<std::vector<managed_job>> pop_jobs(managed_client jobs, std::string queue, std::string worker,
                                                   std::size_t count = 1);

/// Completes a job; `more` are the words behind its data, such as `next QUEUE`. Returns its new state.
asio::awaitable<result<std::string>> complete_job(managed_client jobs, held_job job,
                                                  std::vector<std::string> more = {});

asio::awaitable<result<void>> fail_job(managed_client jobs, held_job job, std::string group,
                                       std::string message, std::vector<std::string> data = {});

/// Retries a job; `more` are the delay in seconds, and the group and the message of a failure. Returns how many retries
/// are left.
asio::awaitable<result<std::int64_t>> retry_job(managed_client jobs, held_job job,
                                                std::vector<std::string> more = {});

/// Returns when the lease ends, in seconds since 1970.
asio::awaitable<result<std::int64_t>> heartbeat_job(managed_client jobs, held_job job,
                                                    std::vector<std::string> data = {});

} // namespace coworker::test
