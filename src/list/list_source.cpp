#include "list/list_source.hpp"

#include "limits.hpp"
#include "list/payload.hpp"
#include "list/timestamp.hpp"
#include "redis/key_types.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>

namespace coworker::detail {

using boost::redis::request;
using namespace std::chrono_literals;

namespace {

std::string_view kind_name(outcome::kind kind) noexcept
{
    switch (kind) {
    case outcome::kind::success:
        return "success";
    case outcome::kind::retry:
        return "retry";
    case outcome::kind::failure:
        return "failure";
    case outcome::kind::give_back:
        return "give_back";
    case outcome::kind::broken:
        return "broken";
    case outcome::kind::advance: // the worker does not let it come here
        break;
    }
    return "failure";
}

taken_job make_job(std::string_view payload, std::shared_ptr<const std::string> lease, unsigned attempt)
{
    taken_job job;
    job.body = payload;
    job.lease = std::move(lease);
    job.attempt = attempt;
    const auto range = [&](std::string_view part) {
        return taken_job::range{static_cast<std::size_t>(part.data() - job.body.data()), part.size()};
    };
    if (auto parts = split_payload(job.body)) {
        job.text_range = range(parts->job);
        if (!parts->plain_id.empty())
            job.id_range = range(parts->plain_id);
        else
            job.long_id = std::move(parts->id);
    } else {
        job.decodable = false;
    }
    return job;
}

/// The order in which exchange.lua wants settlements: successes first, those of one lease together; then the
/// others; and jobs given back last and backwards, since each goes in front of the one before it.
struct settlement_order
{
    explicit settlement_order(std::span<const settlement> settled)
    {
        std::vector<std::size_t> others, given_back;
        for (std::size_t i = 0; i != settled.size(); ++i) {
            const auto what = settled[i].result->what();
            (what == outcome::kind::success     ? order
             : what == outcome::kind::give_back ? given_back
                                                : others)
                .push_back(i);
        }
        successes = order.size();
        // Usually in order already: jobs that were taken together mostly end together.
        const auto lease = [&](std::size_t i) -> const std::string& { return *settled[i].job->lease; };
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return lease(a) < lease(b); });
        order.insert(order.end(), others.begin(), others.end());
        order.insert(order.end(), given_back.rbegin(), given_back.rend());
    }

    std::vector<std::size_t> order; ///< indexes into the settlements
    std::size_t successes = 0;      ///< how many of them, at the front
};

void add_successes(std::span<const settlement> settled, std::span<const std::size_t> order,
                   script_arguments& arguments)
{
    const auto lease = [&](std::size_t i) -> const std::string& { return *settled[order[i]].job->lease; };
    std::vector<std::size_t> begins; // of each group
    for (std::size_t i = 0; i != order.size(); ++i)
        if (i == 0 || lease(i) != lease(i - 1))
            begins.push_back(i);
    arguments.add_number(static_cast<std::int64_t>(begins.size()));
    begins.push_back(order.size());
    for (std::size_t group = 0; group + 1 != begins.size(); ++group) {
        arguments.add(lease(begins[group]));
        arguments.add_number(static_cast<std::int64_t>(begins[group + 1] - begins[group]));
        for (auto i = begins[group]; i != begins[group + 1]; ++i)
            arguments.add(settled[order[i]].job->body);
    }
}

void add_others(std::span<const settlement> settled, std::span<const std::size_t> order,
                script_arguments& arguments)
{
    for (const auto i : order) {
        const auto& [job, result] = settled[i];
        arguments.add(job->body);
        arguments.add(*job->lease);
        arguments.add(kind_name(result->what()));
        arguments.add_number(job->attempt);
        arguments.add_number(result->delay().value_or(0ms).count());
        arguments.add(result->reason());
    }
}

} // namespace

list_source::list_source(std::shared_ptr<client> redis, std::string name, list_queue_options options)
    : redis_{std::move(redis)}, name_{std::move(name)}, options_{options}, keys_{name_},
      jobs_watch_{redis_->watches(), redis_->get_executor(), {keys_.jobs, keys_.scheduled, keys_.paused}},
      leases_watch_{redis_->watches(), redis_->get_executor(), {keys_.progress, keys_.twins}}
{}

asio::awaitable<void> list_source::open()
{
    expected_types expected;
    expected.emplace_back(keys_.jobs, "list");
    expected.emplace_back(keys_.progress, "hash");
    expected.emplace_back(keys_.broken, "hash");
    expected.emplace_back(keys_.failed, "list");
    expected.emplace_back(keys_.scheduled, "zset");
    expected.emplace_back(keys_.attempts, "hash");
    expected.emplace_back(keys_.twins, "hash");
    expected.emplace_back(keys_.failures, "hash");
    expected.emplace_back(keys_.paused, "string");
    expected.emplace_back(keys_.counters, "hash");
    expected.emplace_back(keys_.workers, "hash");
    expected.emplace_back(keys_.gone, "hash");
    expected.emplace_back(keys_.monitor, "string");
    expected.emplace_back(keys_.ready, "zset");
    co_await check_key_types(*redis_, std::move(expected));
    boost::redis::request make_known;
    make_known.push("SADD", known_queues_key, name());
    reply ignored; // being found by people is not worth to fail for
    co_await redis_->exec(make_known, ignored, patience::unlimited);
}

asio::awaitable<job_source::exchange_result> list_source::exchange(std::span<const settlement> settled,
                                                                   std::size_t count)
{
    script_arguments arguments{keys_.jobs,   keys_.progress, keys_.scheduled, keys_.attempts,
                               keys_.twins,  keys_.paused,   keys_.workers,   keys_.counters,
                               keys_.failed, keys_.failures, keys_.broken,    keys_.ready};
    arguments.reserve(24 + 2 * settled.size());
    arguments.add_number(static_cast<std::int64_t>(count));
    arguments.add_number(worker_);
    arguments.add(redis_->name());
    arguments.add_number(static_cast<std::int64_t>(options_.failed_limit));
    arguments.add_number(static_cast<std::int64_t>(options_.broken_limit));
    const settlement_order sorted{settled};
    const std::span<const std::size_t> order{sorted.order};
    add_successes(settled, order.first(sorted.successes), arguments);
    add_others(settled, order.subspan(sorted.successes), arguments);

    static const script& exchange_script = find_script("list/exchange");
    const reply answers = co_await redis_->call(exchange_script, arguments, patience::unlimited);
    const auto answer = answers.back();
    const auto start = std::make_shared<const std::string>(answer[0]);
    const auto worker = answer.integer(1);
    const auto lost = reply::part(answer, 3);
    const auto taken = reply::part(answer, 4);
    const auto attempts = reply::part(answer, 5);

    exchange_result result;
    result.paused = answer.integer(2) != 0;
    for (std::size_t i = 0; i != lost.size(); ++i)
        result.lost.push_back(order[lost.position(i, order.size())]);
    result.taken.reserve(taken.size());
    for (std::size_t i = 0; i != taken.size(); ++i)
        result.taken.push_back(make_job(
            taken[i], start, attempts.size() == 0 ? 1 : 1 + static_cast<unsigned>(attempts.integer(i))));
    worker_ = worker; // not before all of the answer has been read
    co_return result;
}

asio::awaitable<std::vector<std::size_t>> list_source::renew(std::span<taken_job* const> jobs)
{
    script_arguments arguments{keys_.progress};
    arguments.add_number(worker_);
    for (const auto* job : jobs) {
        arguments.add(job->body);
        arguments.add(*job->lease);
        arguments.add(job->unsure ? "1" : "0");
    }
    // Until the answer is here, the jobs may have either token.
    for (auto* job : jobs)
        job->unsure = true;
    const reply answers = co_await redis_->call(find_script("list/renew"), arguments, patience::unlimited);
    const auto answer = answers.back();
    const auto lease = std::make_shared<const std::string>(answer[0]);
    std::vector<std::size_t> lost;
    for (std::size_t i = 1; i < answer.size(); ++i)
        lost.push_back(answer.position(i, jobs.size()));
    for (auto* job : jobs) { // not before all of the answer has been read
        job->lease = lease;
        job->unsure = false;
    }
    co_return lost;
}

// --- waiting -------------------------------------------------------------------------

asio::awaitable<job_source::wake_up> list_source::wait_for_jobs()
{
    bool safety_poll = false;
    for (;;) {
        jobs_watch_.arm();
        const reply answers = co_await redis_->call_tracked(
            find_script("list/wait"), script_arguments{keys_.jobs, keys_.scheduled, keys_.paused});
        const auto answer = answers.back();
        const bool paused = answer.integer(2) != 0;
        if (answer.integer(0) > 0 && !paused)
            co_return safety_poll ? wake_up::safety_poll : wake_up::ready;

        const auto poll = polls_.next(*redis_, redis_->options().poll_interval);
        auto until = poll;
        if (const auto due = answer.integer(1); due >= 0 && !paused)
            until = std::min(until, clock::now() + std::chrono::milliseconds{due});
        const bool changed = co_await jobs_watch_.wait_until(until);
        safety_poll = !changed && until == poll && redis_->tracks();
    }
}

asio::awaitable<void> list_source::wait_for_leases()
{
    for (;;) {
        leases_watch_.arm();
        const reply answers = co_await redis_->call_tracked(find_script("list/watch_leases"),
                                                            script_arguments{keys_.progress, keys_.twins});
        if (answers.back().integer() > 0)
            co_return;
        co_await leases_watch_.wait_until(polls_.next(*redis_, monitor_pause));
    }
}

asio::awaitable<void> list_source::close()
{
    if (worker_ == 0)
        co_return;
    request leave;
    leave.push("HDEL", keys_.workers, worker_);
    leave.push("HDEL", keys_.gone, worker_);
    reply answers;
    co_await redis_->exec(leave, answers);
    answers.throw_if_error();
    worker_ = 0;
}

} // namespace coworker::detail
