#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

/// How fast queues work, from what their counters say at different times.
namespace coworker::detail {

/// Jobs that ended so, since some beginning.
struct job_totals
{
    std::uint64_t succeeded = 0, retried = 0, failed = 0;
};

/// Per second.
struct job_rates
{
    double succeeded = 0, retried = 0, failed = 0;
};

/// As a JSON object; null for none.
std::string describe(const std::optional<job_rates>& rates);

/// Remembers what the counters of queues said lately: when they were read is all it goes by. It makes no
/// requests itself, so that a queue nobody looks at costs nothing.
class rate_meter
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    /// Over how long a rate is taken, if there are samples that old; samples nearer to each other than the second
    /// tell nothing; and those older than the third are not of the present any more.
    static constexpr std::chrono::milliseconds window{10'000}, least_distance{500}, oldest{300'000};

    /// @param most_queues  of more, those are forgotten that were read longest ago
    explicit rate_meter(std::size_t most_queues = 1000) : most_queues_{most_queues} {}

    /// Notes what the counters of a queue say now. Nothing before there is another sample to compare with, and
    /// when counters have begun anew.
    std::optional<job_rates> add(const std::string& queue, job_totals totals, time_point now);

    std::size_t size() const noexcept { return queues_.size(); }

private:
    struct sample
    {
        time_point when;
        job_totals totals;
    };

    std::deque<sample>& samples_of(const std::string& queue);

    std::size_t most_queues_;
    std::map<std::string, std::deque<sample>> queues_; ///< oldest first; none is empty
};

} // namespace coworker::detail
