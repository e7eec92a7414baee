#include "list/submit.hpp"

#include "limits.hpp"
#include "list/keys.hpp"

namespace coworker::detail {
namespace {

std::string_view to_word(submitted_job::start when)
{
    switch (when) {
    case submitted_job::start::in:
        return "in";
    case submitted_job::start::at:
        return "at";
    case submitted_job::start::now:
        break;
    }
    return "now";
}

} // namespace

asio::awaitable<std::vector<bool>> submit(connection& redis, const std::string& queue,
                                          std::span<const submitted_job> jobs,
                                          std::chrono::milliseconds remember)
{
    const list_keys keys{queue};
    const script& submit_script = find_script("list/submit");
    std::vector<bool> queued;
    while (!jobs.empty()) {
        const auto part = jobs.first(std::min(jobs.size(), max_batch));
        jobs = jobs.subspan(part.size());
        script_arguments arguments{keys.jobs, keys.scheduled, keys.counters, keys.ids};
        arguments.add_number(remember.count());
        for (const auto& job : part) {
            arguments.add(job.once ? std::string_view{job.id} : std::string_view{});
            arguments.add(to_word(job.when));
            arguments.add_number(job.milliseconds);
            arguments.add(job.payload);
        }
        const reply answers = co_await redis.call(submit_script, arguments);
        const auto flags = answers.back();
        for (std::size_t i = 0; i != part.size(); ++i)
            queued.push_back(flags.integer(i) != 0);
    }
    co_return queued;
}

} // namespace coworker::detail
