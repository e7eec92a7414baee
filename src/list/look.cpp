#include "list/list_queue_state.hpp"

#include "list/payload.hpp"
#include "list/sizes.hpp"
#include "list/timestamp.hpp"

/// What can be seen of a list queue.
namespace coworker {

using namespace detail;
using boost::redis::request;

namespace {

list_job describe(std::string_view payload)
{
    list_job job{std::string{payload}, {}, {}};
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

/// The cursor and the elements of an answer to HSCAN, whose nodes are: array, cursor, array, elements.
struct scan_answer
{
    std::uint64_t next;
    std::span<const reply_node> elements;

    explicit scan_answer(const reply::answer& answer)
        : next{static_cast<std::uint64_t>(std::strtoull(std::string{answer[0]}.c_str(), nullptr, 10))},
          elements{answer.nodes(2)}
    {}
};

} // namespace

asio::awaitable<list_queue_sizes> raw_list_queue::state::sizes(shared self)
{
    std::vector<std::string> name{self->name};
    const auto sizes = co_await look_at_sizes(*self->redis, std::move(name));
    co_return sizes.front();
}

asio::awaitable<std::vector<list_job>> raw_list_queue::state::waiting(shared self, std::size_t offset,
                                                                      std::size_t count)
{
    std::vector<list_job> jobs;
    if (count == 0)
        co_return jobs;
    // The next to run stands at the tail.
    const auto first = bounded(offset);
    request range;
    range.push("LRANGE", self->keys.jobs, -first - bounded(count), -first - 1);
    const reply answers = co_await ask(*self->redis, range);
    const auto payloads = answers[0];
    for (auto i = payloads.size(); i-- != 0;)
        jobs.push_back(describe(payloads[i]));
    co_return jobs;
}

asio::awaitable<std::vector<list_job_scheduled>>
raw_list_queue::state::scheduled(shared self, std::size_t offset, std::size_t count)
{
    std::vector<list_job_scheduled> jobs;
    if (count == 0)
        co_return jobs;
    request range;
    range.push("ZRANGE", self->keys.scheduled, bounded(offset), bounded(offset) + bounded(count) - 1,
               "WITHSCORES");
    const reply answers = co_await ask(*self->redis, range);
    // RESP3: an array of pairs, so the nodes are: array, member, score, array, …
    const auto nodes = answers[0].nodes();
    for (std::size_t i = 0; i + 2 < nodes.size(); i += 3) {
        const auto member = nodes[i + 1].value;
        list_job_scheduled job{describe(member.substr(member.find(':') + 1)), {}, std::string{member}};
        job.due = timestamp{std::chrono::milliseconds{
            static_cast<std::int64_t>(std::strtod(std::string{nodes[i + 2].value}.c_str(), nullptr))}};
        jobs.push_back(std::move(job));
    }
    co_return jobs;
}

asio::awaitable<std::vector<list_job_failed>> raw_list_queue::state::failed(shared self, std::size_t offset,
                                                                            std::size_t count)
{
    std::vector<list_job_failed> jobs;
    if (count == 0)
        co_return jobs;
    request range;
    range.push("LRANGE", self->keys.failed, bounded(offset), bounded(offset) + bounded(count) - 1);
    const reply answers = co_await ask(*self->redis, range);
    const auto payloads = answers[0];
    if (payloads.size() == 0)
        co_return jobs;

    std::vector<std::string_view> fields;
    for (std::size_t i = 0; i != payloads.size(); ++i)
        fields.push_back(payloads[i]);
    request details;
    details.push_range("HMGET", self->keys.failures, fields);
    const reply records = co_await ask(*self->redis, details);
    for (std::size_t i = 0; i != fields.size(); ++i) {
        list_job_failed job{describe(fields[i]), {}, {}, 0};
        describe_failure(records[0][i], job);
        jobs.push_back(std::move(job));
    }
    co_return jobs;
}

asio::awaitable<scan_page<list_job_in_progress>>
raw_list_queue::state::in_progress(shared self, std::uint64_t cursor, std::size_t count)
{
    request scan;
    scan.push("HSCAN", self->keys.progress, cursor, "COUNT", bounded(std::max<std::size_t>(count, 1)));
    scan.push("HGETALL", self->keys.workers);
    const reply answers = co_await ask(*self->redis, scan);
    const auto workers = answers[1];
    const auto holder = [&](std::uint32_t number) -> std::string_view {
        for (std::size_t i = 0; i + 1 < workers.size(); i += 2)
            if (workers.integer(i) == number)
                return workers[i + 1];
        return {};
    };

    const scan_answer found{answers[0]};
    scan_page<list_job_in_progress> page{{}, found.next};
    for (std::size_t i = 0; i + 1 < found.elements.size(); i += 2) {
        if (found.elements[i].value == "false") // hworker's trace of an empty queue
            continue;
        list_job_in_progress job{describe(found.elements[i].value), std::nullopt, {}};
        if (const auto start = parse_start_time(found.elements[i + 1].value)) {
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
    request scan;
    scan.push("HSCAN", self->keys.broken, cursor, "COUNT", bounded(std::max<std::size_t>(count, 1)));
    const reply answers = co_await ask(*self->redis, scan);
    const scan_answer found{answers[0]};
    scan_page<list_job_broken> page{{}, found.next};
    for (std::size_t i = 0; i + 1 < found.elements.size(); i += 2) {
        list_job_broken job{describe(found.elements[i].value), std::nullopt};
        if (const auto time = parse_start_time(found.elements[i + 1].value))
            job.found_at = time->started;
        page.items.push_back(std::move(job));
    }
    co_return page;
}

} // namespace coworker
