// SPDX-License-Identifier: MIT
#include "coworker/managed_queue.hpp"

#include "job_ids.hpp"
#include "managed/checks.hpp"
#include "managed/managed_queue/put_request.hpp"
#include "redis/connection/connection.hpp"

namespace coworker {

using namespace detail;

managed_queue::managed_queue(const client& redis, std::string name, managed_options options)
    : redis_{connection_of(redis).for_prefix(options.prefix)}, name_{std::move(name)}, options_{
                                                                                           std::move(options)}
{
    check_queue_name(name_);
    check_options(options_);
}

managed_queue::executor_type managed_queue::get_executor() const
{
    return redis_->get_executor();
}

managed_queue managed_queue::with(push_middleware another) const
{
    auto more = around_ ? *around_ : std::vector<push_middleware>{};
    more.push_back(std::move(another));
    auto copy = *this;
    copy.around_ = std::make_shared<const std::vector<push_middleware>>(std::move(more));
    return copy;
}

managed_queue managed_queue::with(const durability& wanted) const
{
    return with(push_middleware{confirmed_puts{redis_->confirming(wanted)}});
}

push_middleware carry_trace(trace_context place)
{
    return [place = std::move(place)](new_managed_job& job) {
        if (!job.options.metadata.items().contains("traceparent"))
            place.write(job.options.metadata);
    };
}

std::string managed_queue::make_jid() const
{
    auto jid = new_job_id();
    std::erase(jid, '-');
    return jid;
}

} // namespace coworker
