// SPDX-License-Identifier: MIT
#include "inspect/managed_jobs.hpp"

#include "managed/log_lines.hpp"
#include "managed/managed_call.hpp"
#include "managed/managed_client/results.hpp"
#include "managed/read_job.hpp"
#include "managed/signals.hpp"
#include "redis/server_time.hpp"
#include "text/bounded_time.hpp"
#include "text/numbers.hpp"

#include <algorithm>
#include <unordered_map>

/// Records and pages of a managed queue's jobs.
namespace coworker::detail {

namespace {

/// Records that are read together have at most so many bytes of data, unless one has more.
constexpr std::size_t records_at_once = 4 * 1024 * 1024, largest_record = 20 * 1024 * 1024;
constexpr std::size_t most_records = 50;

/// Begins a cursor for jobs that limits hold back.
constexpr char held_back_mark = 'p';

job_state to_state(managed_state state) noexcept
{
    switch (state) {
    case managed_state::scheduled:
        return job_state::scheduled;
    case managed_state::depends:
        return job_state::depends;
    case managed_state::running:
        return job_state::running;
    case managed_state::stalled:
        return job_state::stalled;
    case managed_state::failed:
        return job_state::failed;
    case managed_state::complete:
        return job_state::complete;
    default:
        return job_state::waiting;
    }
}

void read_history(const managed_job& record, job_info& job)
{
    for (const auto& entry : record.history) {
        if (entry.what == "put")
            job.queued_at = entry.when;
        if (entry.what == "done" && job.state == job_state::complete)
            job.ended_at = entry.when;
        if (entry.what == "popped") {
            ++job.attempts;
            if (job.state == job_state::running || job.state == job_state::stalled)
                job.started_at = entry.when;
        }
    }
}

job_info to_job(managed_job record)
{
    job_info job;
    job.queue = queue_ref::managed(record.queue);
    job.state = to_state(record.state);
    job.key = job.id = record.jid;
    job.kind = record.kind;
    job.data = record.data;
    job.size = record.data.size();
    if (job.state == job_state::running || job.state == job_state::stalled)
        job.worker = record.worker;
    if (record.failure) {
        job.group = record.failure->group;
        job.message = record.failure->message;
        if (job.state == job_state::failed)
            job.ended_at = record.failure->when;
    }
    read_history(record, job);
    job.record = std::make_shared<const managed_job>(std::move(record));
    return job;
}

using jobs_by_id = std::unordered_map<std::string, job_info>;

asio::awaitable<void> read_records(shared_inspection self, managed_call call, jobs_by_id& jobs)
{
    const reply answer = co_await call_managed(*self->redis, std::move(call));
    for (auto& record : read_jobs(answer.back().text())) {
        std::string id = record.jid;
        jobs.insert_or_assign(std::move(id), to_job(std::move(record)));
    }
}

job_info too_large(const std::string& id, std::size_t size, job_state state)
{
    job_info job;
    job.queue = queue_ref::managed({});
    job.state = state;
    job.key = job.id = id;
    job.size = size;
    return job;
}

/// Jobs by id, some at a time, so that no answer is larger than a connection can carry.
asio::awaitable<jobs_by_id> read_in_batches(shared_inspection self, const std::vector<std::string>& ids)
{
    jobs_by_id jobs;
    const auto sizes = co_await sizes_of_data(self, "j:", ids);
    for (std::size_t i = 0; i != ids.size();) {
        managed_call call{self->prefix(), "multiget"};
        std::size_t bytes = 0, in_batch = 0;
        for (; i != ids.size() && in_batch != most_records &&
               (in_batch == 0 || bytes + sizes[i] <= records_at_once);
             ++i) {
            if (sizes[i] > largest_record) {
                jobs.emplace(ids[i], too_large(ids[i], sizes[i], job_state::waiting));
                continue;
            }
            call.add(ids[i]);
            bytes += sizes[i];
            ++in_batch;
        }
        if (in_batch != 0)
            co_await read_records(self, std::move(call), jobs);
    }
    co_return jobs;
}

/// Where the jobs of a queue in a state stand.
struct place_of_jobs
{
    std::string key, least = "-inf", greatest = "+inf";
    bool descending = false;
};

place_of_jobs find_place(const std::string& prefix, const std::string& queue, job_state state, timestamp now)
{
    const auto in = [&](const char* place) { return prefix + "q:" + queue + place; };
    const auto present =
        std::to_string(std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count());
    place_of_jobs place;
    switch (state) {
    case job_state::waiting:
        place.key = in("-work");
        place.descending = true;
        break;
    case job_state::scheduled:
        place.key = in("-scheduled");
        break;
    case job_state::running:
        place.key = in("-locks");
        place.least = "(" + present;
        break;
    case job_state::stalled:
        place.key = in("-locks");
        place.greatest = present;
        break;
    case job_state::depends:
        place.key = in("-depends");
        break;
    case job_state::complete:
        place.key = prefix + "completed";
        place.descending = true;
        break;
    default:
        throw explained_error{errc::invalid_option,
                              "the jobs of a managed queue are waiting, scheduled, running, stalled, "
                              "depends, failed or complete"};
    }
    return place;
}

/// Behind the waiting jobs that nothing holds back come those in lanes: adds them to a page that has room for them.
asio::awaitable<void> add_held_back(shared_inspection self, std::string queue, std::string cursor,
                                    std::size_t count, sorted_part& part)
{
    const auto room = count - part.members.size();
    auto more = co_await read_sorted(self, self->prefix() + "coworker:parked:" + queue, "-inf", "+inf", true,
                                     std::move(cursor), std::max<std::size_t>(room, 1));
    if (room == 0 && !more.members.empty()) {
        part.next.assign(1, held_back_mark);
        co_return;
    }
    part.members.insert(part.members.end(), more.members.begin(), more.members.end());
    if (!more.next.empty())
        part.next = held_back_mark + more.next;
}

} // namespace

asio::awaitable<std::vector<std::size_t>> sizes_of_data(shared_inspection self, std::string kind,
                                                        const std::vector<std::string>& ids)
{
    std::vector<std::size_t> sizes;
    if (ids.empty())
        co_return sizes;
    boost::redis::request ask;
    for (const auto& id : ids)
        ask.push("HSTRLEN", self->prefix() + kind + id, "data");
    const reply answers = co_await answers_of(*self->redis, ask);
    for (std::size_t i = 0; i != ids.size(); ++i)
        sizes.push_back(static_cast<std::size_t>(answers[i].integer()));
    co_return sizes;
}

asio::awaitable<std::vector<job_info>> read_managed_jobs(shared_inspection self, std::vector<std::string> ids,
                                                         std::optional<job_state> state)
{
    std::vector<job_info> jobs;
    if (ids.empty())
        co_return jobs;
    auto found = co_await read_in_batches(self, ids);
    for (const auto& id : ids)
        if (const auto job = found.find(id); job != found.end()) {
            // The record of a job does not tell all: one whose lock has run out says that it runs.
            if (state)
                job->second.state = *state;
            jobs.push_back(std::move(job->second));
            found.erase(job);
        }
    co_return jobs;
}

asio::awaitable<job_page> show_managed_jobs(shared_inspection self, std::string queue, job_state state,
                                            std::string cursor, std::size_t count)
{
    count = std::clamp<std::size_t>(count, 1, 1000);
    if (state == job_state::failed || (state == job_state::complete && !queue.empty())) {
        constexpr std::size_t looked_at = 1000;
        job_filter which;
        which.state = state;
        co_return co_await find_managed_jobs(self, std::move(queue), std::move(which), std::move(cursor),
                                             looked_at, count);
    }
    const auto now = co_await server_time(*self->redis);
    const auto place = find_place(self->prefix(), queue, state, now);
    const bool held_back = state == job_state::waiting && cursor.starts_with(held_back_mark);
    sorted_part part;
    if (!held_back)
        part = co_await read_sorted(self, place.key, place.least, place.greatest, place.descending, cursor,
                                    count);
    if (state == job_state::waiting && part.next.empty()) {
        auto from = held_back ? cursor.substr(1) : std::string{};
        co_await add_held_back(self, queue, std::move(from), count, part);
    }
    job_page page;
    page.next = std::move(part.next);
    std::unordered_map<std::string, double> due;
    if (state == job_state::scheduled)
        for (std::size_t i = 0; i != part.members.size(); ++i)
            due.emplace(part.members[i], part.scores[i]);
    page.jobs = co_await read_managed_jobs(self, std::move(part.members), state);
    for (auto& job : page.jobs)
        if (const auto when = due.find(job.id); when != due.end())
            job.due_at = bounded_time(when->second);
    co_return page;
}

asio::awaitable<std::optional<timestamp>> read_time_in(shared_inspection self, std::string set,
                                                       std::string id)
{
    boost::redis::request request;
    request.push("ZSCORE", self->prefix() + "q:" + set, id);
    const reply answers = co_await answers_of(*self->redis, request);
    if (answers[0].is_null())
        co_return std::nullopt;
    co_return bounded_time(to_number<double>(answers[0].text()).value_or(0));
}

/// What its runs have stored for later ones.
asio::awaitable<void> read_stored(shared_inspection self, job_info& job)
{
    boost::redis::request ask;
    ask.push("HMGET", self->prefix() + "j:" + job.id, "checkpoint", "steps");
    const reply answers = co_await answers_of(*self->redis, ask);
    const auto fields = answers[0];
    if (fields.size() != 2)
        co_return;
    job.checkpoint = fields[0];
    if (fields[1].empty())
        co_return;
    managed_call call{self->prefix(), "step_look"};
    call.add(job.id);
    const reply steps = co_await call_managed(*self->redis, std::move(call));
    const auto found = steps.back();
    for (std::size_t i = 0; i + 1 < found.size(); i += 2)
        job.steps.emplace(found[i], found[i + 1]);
}

asio::awaitable<std::vector<job_log_line>> read_log_of(shared_inspection self, std::string id)
{
    boost::redis::request request;
    request.push("HGET", self->prefix() + "j:" + id, "log");
    const reply answers = co_await answers_of(*self->redis, request);
    co_return answers[0].is_null() ? std::vector<job_log_line>{} : read_log(answers[0].text());
}

asio::awaitable<result<job_info>> find_managed_job(shared_inspection self, std::string queue, std::string id)
{
    std::vector<std::string> ids{std::move(id)};
    auto jobs = co_await read_managed_jobs(self, std::move(ids), std::nullopt);
    if (jobs.empty() || (!queue.empty() && jobs.front().queue.name() != queue))
        co_return errc::job_not_found;
    auto& job = jobs.front();
    if (auto status = co_await read_status(*self->redis, self->prefix(), job.id)) {
        job.result = std::move(status->value);
        job.progress = std::move(status->progress);
    }
    if (job.state == job_state::scheduled)
        job.due_at = co_await read_time_in(self, job.queue.name() + "-scheduled", job.id);
    job.log = co_await read_log_of(self, job.id);
    job.signals = co_await read_signals(*self->redis, self->prefix(), job.id);
    co_await read_stored(self, job);
    job.options = co_await read_job_options(self, job.queue.name(), job.id);
    co_return std::move(job);
}

} // namespace coworker::detail
