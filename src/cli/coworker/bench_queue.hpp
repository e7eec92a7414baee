#pragma once

#include <coworker/session.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace coworker::cli {

struct bench_plan
{
    bool managed = false;
    std::string name; ///< of the queue, and of the prefix of its keys if it is managed
    std::uint64_t jobs = 0;
    std::size_t payload = 0; ///< bytes of JSON
    std::size_t concurrency = 0;
};

/// The queue that is measured: filled by one session and worked on by another.
class bench_queue
{
public:
    bench_queue(session& producer, session& worker, const bench_plan& plan)
        : producer_{&producer}, worker_{&worker}, plan_{&plan}
    {}

    /// Fills the queue. Returns how many jobs a second that were.
    asio::awaitable<double> push();

    /// Empties it, with handlers that do nothing. Returns how many jobs a second that were.
    asio::awaitable<double> work();

    /// Queues jobs one at a time for an idle worker. Returns how long each waited for its handler, in seconds.
    asio::awaitable<std::vector<double>> wait();

private:
    asio::awaitable<void> push_some(std::uint64_t count);

    session* producer_;
    session* worker_;
    const bench_plan* plan_;
};

/// Removes the queue with all that is left of it.
asio::awaitable<void> remove_all(session& redis, const bench_plan& plan);

} // namespace coworker::cli
