// SPDX-License-Identifier: MIT
#include "perform.hpp"

#include <algorithm>
#include <stdexcept>
#include <sys/resource.h>

namespace bench {
namespace {

double cpu_so_far()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

asio::awaitable<measured> choose(coworker::client& redis, const task& what, const announce& ready)
{
    if (what.what == "step")
        return what.kind == "list" ? step_on_list(redis, what) : step_on_managed(redis, what);
    const bool pushes = what.what == "push";
    if (what.kind == "list")
        return pushes ? push_to_list(redis, what) : work_on_list(redis, what, ready);
    if (what.kind == "list.bare")
        return pushes ? push_to_list(redis, what) : loop_on_list(redis, what);
    if (what.kind == "managed")
        return pushes ? push_to_managed(redis, what) : work_on_managed(redis, what, ready);
    if (what.kind == "managed.bare")
        return pushes ? push_to_managed(redis, what) : loop_on_managed(redis, what);
    if (what.kind == "pop.bare")
        return pushes ? push_barely(redis, what) : pop_barely(redis, what, ready);
    throw std::runtime_error{"there is no kind of task called " + what.kind};
}

} // namespace

meter::meter() : cpu_{cpu_so_far()} {}

measured meter::stop() const
{
    return {.seconds = seconds_since(begin_), .cpu = cpu_so_far() - cpu_};
}

long latencies::now()
{
    return std::chrono::nanoseconds{clock::now().time_since_epoch()}.count();
}

void latencies::tell(measured& to)
{
    samples_.erase(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(samples_.size() / 10));
    std::sort(samples_.begin(), samples_.end());
    const auto at = [&](double share) {
        const auto place = static_cast<std::size_t>(share * static_cast<double>(samples_.size()));
        return samples_.empty() ? 0
                                : static_cast<double>(samples_[std::min(place, samples_.size() - 1)]) * 1e-3;
    };
    to.p50 = at(0.5);
    to.p99 = at(0.99);
    to.p999 = at(0.999);
}

std::string queue_name(long number)
{
    return "bench" + (number == 0 ? std::string{} : std::to_string(number));
}

coworker::list_queue<letter> open_list_queue(const coworker::client& redis, long number, const task& what)
{
    coworker::list_queue_options options;
    options.partitions = static_cast<unsigned>(what.partitions);
    const coworker::list_queue<letter> queue{redis, queue_name(number), options};
    if (what.replicas == 0)
        return queue;
    return queue.with(
        coworker::durability::replicated(static_cast<int>(what.replicas), std::chrono::minutes{1}));
}

measured perform(const task& what, const announce& ready)
{
    const announce tell = ready ? ready : [](const std::string&) {};
    if (what.kind == "beanstalkd") // without a client of Redis
        return perform_on_beanstalkd(what, tell);
    if (what.what == "stand")
        return stand(what, tell);
    return run<measured>(what.url, [&](coworker::client& redis) { return choose(redis, what, tell); });
}

} // namespace bench
