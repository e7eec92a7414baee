// SPDX-License-Identifier: MIT
#include "redis/time_limits.hpp"

#include <boost/system/error_code.hpp>

#include <algorithm>
#include <iterator>

namespace coworker::detail {
namespace {

/// Less than the limit of a write, which is half of `client_options::health_check_interval`, unless that is short.
constexpr std::chrono::seconds longest_wait{1};

} // namespace

time_limits::limited::limited(time_limits& all, clock::time_point deadline) : all_{all}, deadline_{deadline}
{
    if (deadline == clock::time_point::max())
        return;
    auto behind = all.running_.end();
    while (behind != all.running_.begin() && (*std::prev(behind))->deadline_ > deadline)
        --behind;
    place_ = all.running_.insert(behind, this);
    listed_ = true;
    if (!all.set_)
        all.set_timer();
}

time_limits::limited::~limited()
{
    if (listed_)
        all_.running_.erase(place_);
}

/// The timer stays set when the request that it was set for is answered: most of the time others follow, and it is
/// cheaper to look once in a while which of them is the oldest. It is set for the near future, which saves
/// two system calls for each request: Asio sets the system's timer whenever another one becomes the first to run out,
/// which would be those that Boost.Redis sets for each write.
void time_limits::set_timer()
{
    set_ = true;
    timer_.expires_at(std::min(running_.front()->deadline_, clock::now() + longest_wait));
    timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& stopped) {
        const auto self = weak.lock();
        if (!self)
            return;
        self->set_ = false;
        const auto now = stopped ? clock::time_point::min() : clock::now();
        while (!self->running_.empty() && self->running_.front()->deadline_ <= now) {
            auto& late = *self->running_.front();
            self->running_.pop_front();
            late.listed_ = false;
            late.cancel();
        }
        if (!stopped && !self->running_.empty())
            self->set_timer();
    });
}

} // namespace coworker::detail
