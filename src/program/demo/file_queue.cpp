#include "program/demo/file_queue.hpp"

#include <set>

namespace coworker::demo {
namespace {

constexpr std::size_t jobs_per_push = 10'000;

} // namespace

asio::awaitable<void> queue_files(file_queue& jobs, const std::vector<std::string>& paths, progress& shown)
{
    const auto began = microseconds_now();
    std::vector<file_job> part;
    for (std::size_t next = 0; next != paths.size();) {
        part.clear();
        for (; next != paths.size() && part.size() != jobs_per_push; ++next)
            part.push_back({next, encode_path(paths[next])});
        co_await jobs.push_many(part);
        shown.show("queued", next, paths.size());
    }
    const auto milliseconds = (microseconds_now() - began) / 1000;
    shown.say("queued " + grouped(paths.size()) + " jobs in " + std::to_string(milliseconds) + " ms");
}

asio::awaitable<std::vector<std::uint64_t>> files_held_by(file_queue& jobs, std::string worker_name)
{
    const auto prefix = worker_name + ':';
    std::set<std::uint64_t> files; // a page may repeat what another one had
    std::uint64_t cursor = 0;
    do {
        const auto page = co_await jobs.in_progress(cursor);
        for (const auto& job : page.items)
            if (job.holder.starts_with(prefix))
                files.insert(decode<file_job>(job.job).value().file);
        cursor = page.next;
    } while (cursor != 0);
    co_return std::vector<std::uint64_t>(files.begin(), files.end());
}

asio::awaitable<std::vector<failed_file>> failed_files(file_queue& jobs)
{
    std::vector<failed_file> files;
    const auto failed = co_await jobs.failed(0, jobs.options().failed_limit);
    for (const auto& job : failed)
        files.push_back({decode<file_job>(job.job).value().file, job.message});
    co_return files;
}

} // namespace coworker::demo
