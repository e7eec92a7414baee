// SPDX-License-Identifier: MIT
#include "list/list_queue_state.hpp"

#include "list/deliverable.hpp"
#include "list/payload.hpp"
#include "list/sizes.hpp"
#include "list/start_time.hpp"

/// What can be seen of a list queue.
namespace coworker {

using namespace detail;
using boost::redis::request;

namespace {

list_job describe(std::string_view payload)
{
    list_job job{std::string{payload}, {}, {}, payload.size()};
    if (auto parts = split_payload(payload)) {
        job.id = std::move(parts->id);
        job.job = parts->job;
    }
    return job;
}

/// An offset or a count as Redis takes it: more than any collection holds means all of it.
std::int64_t bounded(std::size_t number)
{
    constexpr std::size_t plenty = std::size_t{1} << 40;
    return static_cast<std::int64_t>(std::min(number, plenty));
}

/// Reads "time attempts message".
void describe_failure(std::string_view record, list_job_failed& job)
{
    const auto after_time = record.find(' ');
    const auto after_attempts = record.find(' ', after_time + 1);
    if (after_time == record.npos || after_attempts == record.npos)
        return;
    if (const auto time = parse_start_time(record.substr(0, after_time)))
        job.failed_at = time->started;
    job.attempts =
        static_cast<unsigned>(to_integer(record.substr(after_time + 1, after_attempts - after_time - 1)));
    job.message = record.substr(after_attempts + 1);
}

/// Which jobs are to be shown.
struct look_at
{
    std::string_view kind; ///< as look.lua knows it
    const std::string& key;
    const std::string& beside;
    std::uint64_t from; ///< offset or cursor
    std::int64_t count;
    std::int64_t most; ///< bytes of a payload that is shown as a whole
};

/// A job as look.lua shows it.
struct shown_job
{
    std::string_view payload;
    std::size_t size;
    std::string_view known, reason;

    list_job describe() const
    {
        list_job job =
            size == payload.size() ? coworker::describe(payload) : list_job{std::string{payload}, {}, {}};
        job.size = size;
        return job;
    }
};

class shown_jobs
{
public:
    explicit shown_jobs(reply answers) : answers_{std::move(answers)} {}

    std::uint64_t next() const
    {
        return static_cast<std::uint64_t>(std::strtoull(std::string{answer()[0]}.c_str(), nullptr, 10));
    }
    std::size_t size() const { return answer().size() / 4; }
    shown_job operator[](std::size_t i) const
    {
        const auto words = answer();
        return {words[4 * i + 1], static_cast<std::size_t>(words.integer(4 * i + 2)), words[4 * i + 3],
                words[4 * i + 4]};
    }

private:
    reply::answer answer() const { return answers_.back(); }

    reply answers_;
};

asio::awaitable<shown_jobs> show(connection& redis, look_at what)
{
    script_arguments arguments{what.key, what.beside};
    arguments.add(what.kind);
    constexpr std::uint64_t beyond_all = 1'000'000'000'000; // that Lua can still add to
    arguments.add_number(static_cast<std::int64_t>(std::min<std::uint64_t>(what.from, beyond_all)));
    arguments.add_number(what.count);
    arguments.add_number(what.most);
    reply answers = co_await redis.call(find_script("list/look"), arguments);
    co_return shown_jobs{std::move(answers)};
}

/// Jobs that have an order, from an offset on; large ones in several calls.
template<class Job, class Describe>
asio::awaitable<std::vector<Job>> show_in_order(connection& redis, look_at what, Describe describe_as)
{
    std::vector<Job> jobs;
    while (what.count > 0) {
        const shown_jobs part = co_await show(redis, what);
        for (std::size_t i = 0; i != part.size(); ++i)
            jobs.push_back(describe_as(part[i]));
        what.from += part.size();
        what.count -= static_cast<std::int64_t>(part.size());
        if (part.next() == 0 || part.size() == 0)
            break;
    }
    co_return jobs;
}

} // namespace

asio::awaitable<bool> raw_list_queue::state::exists(shared self)
{
    request ask;
    ask.push_range("EXISTS", self->keys.evidence());
    const reply answers = co_await detail::ask(*self->redis, ask);
    co_return answers[0].integer() != 0;
}

asio::awaitable<list_queue_sizes> raw_list_queue::state::sizes(shared self)
{
    std::vector<std::string> name{self->name};
    const auto sizes = co_await look_at_sizes(*self->redis, std::move(name));
    co_return sizes.front();
}

asio::awaitable<std::vector<list_job>> raw_list_queue::state::waiting(shared self, std::size_t offset,
                                                                      std::size_t count)
{
    const auto& keys = self->keys;
    const look_at what{"waiting", keys.jobs,      keys.jobs,
                       offset,    bounded(count), deliverable_size(self->options)};
    const auto describe_as = [](const shown_job& shown) { return shown.describe(); };
    co_return co_await show_in_order<list_job>(*self->redis, what, describe_as);
}

asio::awaitable<std::vector<list_job_scheduled>>
raw_list_queue::state::scheduled(shared self, std::size_t offset, std::size_t count)
{
    const auto& keys = self->keys;
    const look_at what{"scheduled", keys.scheduled, keys.scheduled,
                       offset,      bounded(count), deliverable_size(self->options)};
    const auto describe_as = [](shown_job shown) {
        const auto member = shown.payload;
        const auto before = member.find(':') + 1; // of a member without a colon: zero
        shown.payload = member.substr(before);
        shown.size -= before;
        list_job_scheduled job{shown.describe(), {}, std::string{member}};
        job.due = timestamp{std::chrono::milliseconds{
            static_cast<std::int64_t>(std::strtod(std::string{shown.known}.c_str(), nullptr))}};
        return job;
    };
    co_return co_await show_in_order<list_job_scheduled>(*self->redis, what, describe_as);
}

asio::awaitable<std::vector<list_job_failed>> raw_list_queue::state::failed(shared self, std::size_t offset,
                                                                            std::size_t count)
{
    const auto& keys = self->keys;
    const look_at what{"failed", keys.failed,    keys.failures,
                       offset,   bounded(count), deliverable_size(self->options)};
    const auto describe_as = [](const shown_job& shown) {
        list_job_failed job{shown.describe(), {}, {}, 0};
        describe_failure(shown.known, job);
        return job;
    };
    co_return co_await show_in_order<list_job_failed>(*self->redis, what, describe_as);
}

asio::awaitable<scan_page<list_job_in_progress>>
raw_list_queue::state::in_progress(shared self, std::uint64_t cursor, std::size_t count)
{
    const auto& keys = self->keys;
    request ask_workers;
    ask_workers.push("HGETALL", keys.workers);
    const reply answers = co_await ask(*self->redis, ask_workers);
    const auto workers = answers[0];
    const auto holder = [&](std::uint32_t number) -> std::string_view {
        for (std::size_t i = 0; i + 1 < workers.size(); i += 2)
            if (workers.integer(i) == number)
                return workers[i + 1];
        return {};
    };

    const look_at what{"progress",
                       keys.progress,
                       keys.progress,
                       cursor,
                       bounded(std::max<std::size_t>(count, 1)),
                       deliverable_size(self->options)};
    const shown_jobs found = co_await show(*self->redis, what);
    scan_page<list_job_in_progress> page{{}, found.next()};
    for (std::size_t i = 0; i != found.size(); ++i) {
        if (found[i].payload == "false") // hworker's trace of an empty queue
            continue;
        list_job_in_progress job{found[i].describe(), std::nullopt, {}};
        if (const auto start = parse_start_time(found[i].known)) {
            job.started = start->started;
            if (start->worker != 0)
                job.holder = holder(start->worker);
        }
        page.items.push_back(std::move(job));
    }
    co_return page;
}

asio::awaitable<scan_page<list_job_broken>> raw_list_queue::state::broken(shared self, std::uint64_t cursor,
                                                                          std::size_t count)
{
    const auto& keys = self->keys;
    const look_at what{"broken",
                       keys.broken,
                       keys.reasons,
                       cursor,
                       bounded(std::max<std::size_t>(count, 1)),
                       deliverable_size(self->options)};
    const shown_jobs found = co_await show(*self->redis, what);
    scan_page<list_job_broken> page{{}, found.next()};
    for (std::size_t i = 0; i != found.size(); ++i) {
        list_job_broken job{found[i].describe(), std::nullopt, std::string{found[i].reason}};
        if (const auto time = parse_start_time(found[i].known))
            job.found_at = time->started;
        page.items.push_back(std::move(job));
    }
    co_return page;
}

} // namespace coworker
