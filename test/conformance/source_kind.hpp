#pragma once

#include "support/coroutine.hpp"

#include "coworker/job_source.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace coworker::test {

/// One kind of queue, as the conformance suite sees it: behind a `job_source`, and from outside.
class source_kind
{
public:
    virtual ~source_kind() = default;

    /// The queue as another worker sees it, not opened yet.
    virtual std::unique_ptr<job_source> make_source() = 0;
    /// Ends what the sources needed.
    virtual asio::awaitable<void> end() = 0;

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
    virtual std::int64_t given_up() = 0; ///< failed ones and broken ones

    /// Whether jobs that go back together keep their order.
    virtual bool keeps_order() const { return true; }

    asio::io_context io{1};
};

using make_kind = std::function<std::unique_ptr<source_kind>()>;

struct named_kind
{
    const char* name;
    make_kind make;
};

/// All that there are.
std::vector<named_kind> source_kinds();

} // namespace coworker::test
