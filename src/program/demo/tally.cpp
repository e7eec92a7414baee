#include "program/demo/tally.hpp"

#include <algorithm>

namespace coworker::demo {

void tally::add(const file_result& result)
{
    if (result.file >= entries_.size()) {
        ++strange_;
        return;
    }
    auto& file = entries_[result.file];
    if (file.results++ == 0) {
        file.digest = result.digest;
        file.bytes = result.bytes;
        ++distinct_;
        bytes_ += result.bytes;
    } else if (file.digest != result.digest) {
        file.contradicted = true;
    }
    file.attempt = std::max(file.attempt, result.attempt);
    file.last_started = std::max(file.last_started, result.started);
}

std::size_t tally::run_twice() const
{
    return static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(), [](const entry& file) {
        return file.results > 1 || file.attempt > 1;
    }));
}

tally::rerun tally::started_again(const std::vector<std::uint64_t>& files, std::int64_t moment) const
{
    rerun found;
    for (const auto file : files) {
        const auto after = entries_.at(file).last_started - moment;
        if (after <= 0)
            continue;
        found.first = found.jobs == 0 ? after : std::min(found.first, after);
        found.last = std::max(found.last, after);
        ++found.jobs;
    }
    return found;
}

} // namespace coworker::demo
