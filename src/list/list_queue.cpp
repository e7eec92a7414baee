#include "coworker/list_queue.hpp"

#include "limits.hpp"
#include "list/keys.hpp"
#include "list/list_source.hpp"
#include "list/payload.hpp"
#include "list/timestamp.hpp"
#include "redis/client.hpp"

#include <boost/redis/request.hpp>
#include <boost/uuid/time_generator_v7.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace coworker {

using namespace detail;
using boost::redis::request;

struct raw_list_queue::state
{
    explicit state(const std::string& name) : keys{name} {}

    list_keys keys;
    boost::uuids::time_generator_v7 new_id;

    std::string make_id()
    {
        char text[36];
        boost::uuids::to_chars(new_id(), text, text + sizeof text);
        return {text, sizeof text};
    }
};

raw_list_queue::raw_list_queue(coworker::session& session, std::string name, list_queue_options options)
    : session_{&session}, name_{std::move(name)}, options_{options}, state_{std::make_unique<state>(name_)}
{
    if (name_.empty() || name_.size() > 512)
        throw system_error{errc::invalid_queue_name, "'" + name_.substr(0, 64) + "'"};
    if (options_.failed_limit == 0 || options_.broken_limit == 0)
        throw system_error{errc::invalid_option, "failed_limit and broken_limit are at least 1"};
}

raw_list_queue::~raw_list_queue() = default;

std::unique_ptr<job_source> raw_list_queue::make_source()
{
    return std::make_unique<list_source>(session_->client().shared_from_this(), name_, options_);
}

// --- push ----------------------------------------------------------------------------

namespace {

void check_size(const std::string& job, const list_queue_options& options)
{
    if (options.max_job_size != 0 && job.size() > options.max_job_size)
        throw system_error{errc::job_too_large, std::to_string(job.size()) + " bytes, allowed are " +
                                                    std::to_string(options.max_job_size)};
}

void check_options(const push_options& options, bool one_job)
{
    if (options.id && !one_job)
        throw system_error{errc::invalid_option, "one id cannot be given to many jobs"};
    if (options.id && !is_valid_id(*options.id))
        throw system_error{errc::invalid_job_id, "'" + options.id->substr(0, 64) + "'"};
    if (options.at && options.delay.count() != 0)
        throw system_error{errc::invalid_option, "give a delay or a time, not both"};
}

std::int64_t to_milliseconds(timestamp when)
{
    return std::chrono::ceil<std::chrono::milliseconds>(when.time_since_epoch()).count();
}

/// Payloads that go to Redis in one round trip: thousands, but not more than a few megabytes.
class push_chunk
{
public:
    bool is_full() const noexcept { return payloads_.size() >= 8192 || bytes_ >= 4 * 1024 * 1024; }

    void add(std::string payload)
    {
        bytes_ += payload.size();
        payloads_.push_back(std::move(payload));
    }

    asio::awaitable<void> push_now(client& redis, const std::string& jobs)
    {
        // Short commands keep Redis' other clients from waiting.
        constexpr std::size_t per_command = 256;
        request push;
        push.reserve(bytes_ + payloads_.size() * 16);
        for (std::size_t begin = 0; begin < payloads_.size(); begin += per_command) {
            const auto end = std::min(begin + per_command, payloads_.size());
            push.push_range("LPUSH", jobs, payloads_.begin() + static_cast<std::ptrdiff_t>(begin),
                            payloads_.begin() + static_cast<std::ptrdiff_t>(end));
        }
        reply answers;
        co_await redis.exec(push, answers);
        answers.throw_if_error();
    }

    asio::awaitable<void> push_later(client& redis, const list_keys& keys, const push_options& options)
    {
        for (std::size_t begin = 0; begin < payloads_.size(); begin += max_batch) {
            script_arguments arguments{keys.scheduled, keys.counters};
            arguments.add(options.at ? "at" : "in");
            arguments.add_number(options.at ? to_milliseconds(*options.at) : options.delay.count());
            for (auto i = begin; i != std::min(begin + max_batch, payloads_.size()); ++i)
                arguments.add(payloads_[i]);
            co_await redis.call(find_script("list/push_later"), arguments);
        }
    }

private:
    std::vector<std::string> payloads_;
    std::size_t bytes_ = 0;
};

asio::awaitable<void> send(client& redis, const list_keys& keys, const push_options& options,
                           push_chunk chunk)
{
    if (options.at || options.delay.count() > 0)
        co_await chunk.push_later(redis, keys, options);
    else
        co_await chunk.push_now(redis, keys.jobs);
}

} // namespace

asio::awaitable<std::string> raw_list_queue::push_json(raw_json job, push_options options)
{
    return push_encoded(encode(job).value(), std::move(options));
}

asio::awaitable<std::vector<std::string>> raw_list_queue::push_json(std::vector<raw_json> jobs,
                                                                    push_options options)
{
    std::vector<std::string> texts;
    texts.reserve(jobs.size());
    for (auto& job : jobs) {
        (void)encode(job).value();
        texts.push_back(std::move(job.text));
    }
    return push_encoded(std::move(texts), std::move(options));
}

asio::awaitable<std::string> raw_list_queue::push_encoded(std::string job, push_options options)
{
    check_options(options, true);
    check_size(job, options_);
    std::string id = options.id ? *options.id : state_->make_id();
    push_chunk chunk;
    chunk.add(make_payload(id, job));
    co_await send(session_->client(), state_->keys, options, std::move(chunk));
    co_return id;
}

asio::awaitable<std::vector<std::string>> raw_list_queue::push_encoded(std::vector<std::string> jobs,
                                                                       push_options options)
{
    check_options(options, false);
    for (const auto& job : jobs)
        check_size(job, options_);
    std::vector<std::string> ids;
    ids.reserve(jobs.size());
    for (auto job = jobs.begin(); job != jobs.end();) {
        push_chunk chunk;
        for (; job != jobs.end() && !chunk.is_full(); ++job) {
            ids.push_back(state_->make_id());
            chunk.add(make_payload(ids.back(), *job));
        }
        co_await send(session_->client(), state_->keys, options, std::move(chunk));
    }
    co_return ids;
}

// --- look ----------------------------------------------------------------------------

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

timestamp from_time_command(const reply::answer& answer)
{
    return timestamp{std::chrono::seconds{answer.integer(0)} + std::chrono::microseconds{answer.integer(1)}};
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

asio::awaitable<reply> ask(client& redis, const request& what)
{
    reply answers;
    co_await redis.exec(what, answers);
    answers.throw_if_error();
    co_return answers;
}

/// The cursor and the elements of an answer to HSCAN, whose nodes are: array, cursor, array, elements.
struct scan_answer
{
    std::uint64_t next;
    std::span<const reply_node> elements;

    explicit scan_answer(const reply::answer& answer)
        : next{static_cast<std::uint64_t>(std::strtoull(std::string{answer[0]}.c_str(), nullptr, 10))},
          elements{answer.first + 3, answer.last}
    {}
};

} // namespace

asio::awaitable<list_queue_sizes> raw_list_queue::sizes()
{
    const auto& keys = state_->keys;
    request ask_all;
    ask_all.push("LLEN", keys.jobs);
    ask_all.push("HLEN", keys.twins);
    ask_all.push("HLEN", keys.progress);
    ask_all.push("HEXISTS", keys.progress, "false");
    ask_all.push("ZCARD", keys.scheduled);
    ask_all.push("LLEN", keys.failed);
    ask_all.push("HLEN", keys.broken);
    ask_all.push("EXISTS", keys.paused);
    ask_all.push("HMGET", keys.counters, "success", "retry", "failure", "broken", "recovered");
    ask_all.push("LINDEX", keys.jobs, -1);
    ask_all.push("TIME");
    const reply answers = co_await ask(session_->client(), ask_all);
    const auto number = [&](std::size_t i) { return static_cast<std::uint64_t>(answers[i].integer()); };
    const auto counters = answers[8];
    const auto total = [&](std::size_t i) { return static_cast<std::uint64_t>(counters.integer(i)); };

    list_queue_sizes result{.waiting = number(0) + number(1),
                            .in_progress = number(2) - number(3),
                            .scheduled = number(4),
                            .failed = number(5),
                            .broken = number(6),
                            .paused = number(7) != 0,
                            .oldest_waiting_age = std::nullopt,
                            .total_succeeded = total(0),
                            .total_retried = total(1),
                            .total_failed = total(2),
                            .total_broken = total(3),
                            .total_recovered = total(4)};
    if (!answers[9].is_null())
        if (const auto queued = queued_at(describe(answers[9].text()).id)) {
            const auto age = from_time_command(answers[10]) - *queued;
            result.oldest_waiting_age =
                std::max(std::chrono::floor<std::chrono::milliseconds>(age), std::chrono::milliseconds{0});
        }
    co_return result;
}

asio::awaitable<std::vector<list_job>> raw_list_queue::waiting(std::size_t offset, std::size_t count)
{
    std::vector<list_job> jobs;
    if (count == 0)
        co_return jobs;
    // The next to run stands at the tail.
    const auto first = static_cast<std::int64_t>(offset);
    request range;
    range.push("LRANGE", state_->keys.jobs, -first - static_cast<std::int64_t>(count), -first - 1);
    const reply answers = co_await ask(session_->client(), range);
    const auto payloads = answers[0];
    for (auto i = payloads.size(); i-- != 0;)
        jobs.push_back(describe(payloads[i]));
    co_return jobs;
}

asio::awaitable<std::vector<list_job_scheduled>> raw_list_queue::scheduled(std::size_t offset,
                                                                           std::size_t count)
{
    std::vector<list_job_scheduled> jobs;
    if (count == 0)
        co_return jobs;
    request range;
    range.push("ZRANGE", state_->keys.scheduled, offset, offset + count - 1, "WITHSCORES");
    const reply answers = co_await ask(session_->client(), range);
    // RESP3: an array of pairs, so the nodes are: array, member, score, array, …
    const std::span<const reply_node> nodes{answers[0].first + 1, answers[0].last};
    for (std::size_t i = 0; i + 2 < nodes.size(); i += 3) {
        const auto member = nodes[i + 1].value;
        list_job_scheduled job{describe(member.substr(member.find(':') + 1)), {}, std::string{member}};
        job.due = timestamp{std::chrono::milliseconds{
            static_cast<std::int64_t>(std::strtod(std::string{nodes[i + 2].value}.c_str(), nullptr))}};
        jobs.push_back(std::move(job));
    }
    co_return jobs;
}

asio::awaitable<std::vector<list_job_failed>> raw_list_queue::failed(std::size_t offset, std::size_t count)
{
    std::vector<list_job_failed> jobs;
    if (count == 0)
        co_return jobs;
    request range;
    range.push("LRANGE", state_->keys.failed, offset, offset + count - 1);
    const reply answers = co_await ask(session_->client(), range);
    const auto payloads = answers[0];
    if (payloads.size() == 0)
        co_return jobs;

    std::vector<std::string_view> fields;
    for (std::size_t i = 0; i != payloads.size(); ++i)
        fields.push_back(payloads[i]);
    request details;
    details.push_range("HMGET", state_->keys.failures, fields);
    const reply records = co_await ask(session_->client(), details);
    for (std::size_t i = 0; i != fields.size(); ++i) {
        list_job_failed job{describe(fields[i]), {}, {}, 0};
        describe_failure(records[0][i], job);
        jobs.push_back(std::move(job));
    }
    co_return jobs;
}

asio::awaitable<scan_page<list_job_in_progress>> raw_list_queue::in_progress(std::uint64_t cursor,
                                                                             std::size_t count)
{
    request scan;
    scan.push("HSCAN", state_->keys.progress, cursor, "COUNT", std::max<std::size_t>(count, 1));
    scan.push("HGETALL", state_->keys.workers);
    const reply answers = co_await ask(session_->client(), scan);
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

asio::awaitable<scan_page<list_job_broken>> raw_list_queue::broken(std::uint64_t cursor, std::size_t count)
{
    request scan;
    scan.push("HSCAN", state_->keys.broken, cursor, "COUNT", std::max<std::size_t>(count, 1));
    const reply answers = co_await ask(session_->client(), scan);
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

// --- act -----------------------------------------------------------------------------

namespace {

result<void> found_or_not(std::int64_t count)
{
    if (count == 0)
        return errc::job_not_found;
    return {};
}

} // namespace

asio::awaitable<result<void>> raw_list_queue::retry_failed(std::string payload)
{
    const auto& keys = state_->keys;
    script_arguments arguments{keys.failed, keys.failures, keys.jobs};
    arguments.add_number(0);
    arguments.add(payload);
    const reply answer = co_await session_->client().call(find_script("list/retry_failed"), arguments);
    co_return found_or_not(answer.back().integer());
}

asio::awaitable<std::size_t> raw_list_queue::retry_all_failed()
{
    const auto& keys = state_->keys;
    std::size_t total = 0;
    for (std::int64_t moved = 1; moved != 0; total += static_cast<std::size_t>(moved)) {
        script_arguments arguments{keys.failed, keys.failures, keys.jobs};
        arguments.add_number(max_batch);
        moved =
            (co_await session_->client().call(find_script("list/retry_failed"), arguments)).back().integer();
    }
    co_return total;
}

asio::awaitable<result<void>> raw_list_queue::delete_failed(std::string payload)
{
    script_arguments arguments{state_->keys.failed, state_->keys.failures};
    arguments.add(payload);
    const reply answer = co_await session_->client().call(find_script("list/delete_failed"), arguments);
    co_return found_or_not(answer.back().integer());
}

asio::awaitable<std::size_t> raw_list_queue::delete_all_failed()
{
    request remove;
    remove.push("MULTI");
    remove.push("LLEN", state_->keys.failed);
    remove.push("UNLINK", state_->keys.failed, state_->keys.failures);
    remove.push("EXEC");
    const reply answers = co_await ask(session_->client(), remove);
    co_return static_cast<std::size_t>(answers.back().integer(0));
}

asio::awaitable<result<void>> raw_list_queue::retry_broken(std::string payload)
{
    script_arguments arguments{state_->keys.broken, state_->keys.jobs};
    arguments.add_number(0);
    arguments.add(payload);
    const reply answer = co_await session_->client().call(find_script("list/retry_broken"), arguments);
    co_return found_or_not(answer.back().integer());
}

asio::awaitable<std::size_t> raw_list_queue::retry_all_broken()
{
    std::size_t total = 0;
    for (std::int64_t moved = 1; moved != 0; total += static_cast<std::size_t>(moved)) {
        script_arguments arguments{state_->keys.broken, state_->keys.jobs};
        arguments.add_number(max_batch);
        moved =
            (co_await session_->client().call(find_script("list/retry_broken"), arguments)).back().integer();
    }
    co_return total;
}

asio::awaitable<result<void>> raw_list_queue::delete_broken(std::string payload)
{
    request remove;
    remove.push("HDEL", state_->keys.broken, payload);
    co_return found_or_not((co_await ask(session_->client(), remove))[0].integer());
}

asio::awaitable<std::size_t> raw_list_queue::delete_all_broken()
{
    request remove;
    remove.push("MULTI");
    remove.push("HLEN", state_->keys.broken);
    remove.push("UNLINK", state_->keys.broken);
    remove.push("EXEC");
    const reply answers = co_await ask(session_->client(), remove);
    co_return static_cast<std::size_t>(answers.back().integer(0));
}

asio::awaitable<result<void>> raw_list_queue::delete_waiting(std::string payload)
{
    request remove;
    remove.push("LREM", state_->keys.jobs, -1, payload);
    co_return found_or_not((co_await ask(session_->client(), remove))[0].integer());
}

asio::awaitable<result<void>> raw_list_queue::delete_scheduled(std::string member)
{
    request remove;
    remove.push("ZREM", state_->keys.scheduled, member);
    co_return found_or_not((co_await ask(session_->client(), remove))[0].integer());
}

asio::awaitable<void> raw_list_queue::pause()
{
    request set;
    set.push("SET", state_->keys.paused, 1);
    co_await ask(session_->client(), set);
}

asio::awaitable<void> raw_list_queue::resume()
{
    request remove;
    remove.push("DEL", state_->keys.paused);
    co_await ask(session_->client(), remove);
}

asio::awaitable<void> raw_list_queue::destroy()
{
    const auto& keys = state_->keys;
    request remove;
    remove.push("UNLINK", keys.jobs, keys.progress, keys.broken, keys.failed, keys.scheduled, keys.attempts,
                keys.twins, keys.failures, keys.paused, keys.counters, keys.workers, keys.gone, keys.monitor);
    co_await ask(session_->client(), remove);
}

} // namespace coworker
