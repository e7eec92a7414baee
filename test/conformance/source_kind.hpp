// SPDX-License-Identifier: MIT
#pragma once

#include "support/coroutine.hpp"
#include "support/event_log.hpp"
#include "support/redis_server.hpp"

#include "coworker/client.hpp"
#include "coworker/job_source.hpp"
#include "coworker/worker.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coworker::test {

/// One kind of queue, as the conformance suite sees it: behind a `job_source`, and from outside.
class source_kind
{
public:
    virtual ~source_kind() = default;

    /// The queue as another worker sees it, not opened yet.
    std::unique_ptr<job_source> make_source()
    {
        ++sources_;
        return new_source();
    }
    /// How many of them there are. The last one has this number.
    std::size_t sources() const noexcept { return sources_; }
    /// The process that a source is in has been killed. The test has destroyed the source, if it has it.
    virtual asio::awaitable<void> kill(std::size_t source) = 0;
    /// Ends what the sources needed.
    virtual asio::awaitable<void> end() = 0;

    /// What a worker is to be told so that its leases last so long.
    virtual handle_options leased_for(std::chrono::milliseconds lease)
    {
        handle_options how;
        how.lease = lease;
        return how;
    }

    /// Queues a job behind the back of all sources, with the JSON text "ID".
    virtual void push(const std::string& id) = 0;
    /// The same for a job that is due in an hour.
    virtual void push_later(const std::string& id) = 0;
    /// An hour has passed, as far as delayed jobs are concerned.
    virtual void make_due() = 0;
    /// So has the time of all leases.
    virtual void end_leases() = 0;

    virtual std::int64_t waiting() = 0;
    virtual std::int64_t scheduled() = 0;
    virtual std::int64_t running() = 0;
    virtual std::int64_t succeeded() = 0;
    virtual std::int64_t given_up() = 0; ///< failed ones and broken ones
    /// Those that wait, the next one first.
    virtual std::vector<std::string> waiting_ids() = 0;
    /// What is left of workers that have signed off; empty if nothing is.
    virtual std::string left_of_workers() = 0;

    /// Whether jobs that go back together keep their order.
    virtual bool keeps_order() const { return true; }
    /// Whether so many idle workers and monitors will be told of changes.
    virtual bool are_asleep(std::size_t, std::size_t) { return true; }

    /// The server under it; null if there is none.
    virtual redis_server* server() noexcept { return nullptr; }
    /// Queues a job that is due after a moment. Where there is a server only: elsewhere no time passes by itself.
    virtual void push_soon(const std::string&, std::chrono::milliseconds) {}

    asio::io_context io{1};
    event_log connections{io.get_executor()};              ///< what the sources' connections tell
    std::optional<std::chrono::milliseconds> call_timeout; ///< for their calls, if not the usual one

private:
    virtual std::unique_ptr<job_source> new_source() = 0;

    std::size_t sources_ = 0;
};

using make_kind = std::function<std::unique_ptr<source_kind>()>;

struct named_kind
{
    const char* name;
    bool has_server;
    make_kind make;
};

/// All that there are.
std::vector<named_kind> source_kinds();

} // namespace coworker::test
