#include "list/list_source.hpp"

#include "limits.hpp"
#include "list/payload.hpp"
#include "list/timestamp.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>
#include <functional>

namespace coworker::detail {

using boost::redis::request;
using namespace std::chrono_literals;

namespace {

/// Between rounds of the monitor, and how long a missing worker may take to come back. Together they
/// let a killed worker's jobs run again after about two seconds; a reconnection takes at most one.
constexpr auto monitor_pause = 500ms;
constexpr auto worker_grace = 1500ms;
/// A monitor that stops is replaced after this long.
constexpr auto monitor_term = 1200ms;

constexpr auto safety_poll_interval = 30s;

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

/// Writes settlements as exchange.lua wants them: successes in groups of the same lease, then the rest.
/// Returns which settlement each position of the script's numbering is.
std::vector<std::size_t> add_settlements(std::span<const settlement> settled, script_arguments& arguments)
{
    std::vector<std::size_t> order(settled.size());
    for (std::size_t i = 0; i != order.size(); ++i)
        order[i] = i;
    const auto is_success = [&](std::size_t i) {
        return settled[i].result->what() == outcome::kind::success;
    };
    const auto rest = std::stable_partition(order.begin(), order.end(), is_success);
    const auto lease = [&](std::size_t i) -> const std::string& { return *settled[i].job->lease; };
    // Usually in order already: jobs that were taken together mostly end together.
    std::stable_sort(order.begin(), rest, [&](std::size_t a, std::size_t b) { return lease(a) < lease(b); });

    std::size_t groups = 0;
    for (auto i = order.begin(); i != rest; ++i)
        groups += i == order.begin() || lease(*i) != lease(*(i - 1));
    arguments.add_number(static_cast<std::int64_t>(groups));
    for (auto begin = order.begin(); begin != rest;) {
        const auto end = std::find_if(begin, rest, [&](std::size_t i) { return lease(i) != lease(*begin); });
        arguments.add(lease(*begin));
        arguments.add_number(end - begin);
        for (; begin != end; ++begin)
            arguments.add(settled[*begin].job->body);
    }
    // Each job given back goes in front of the one before it, so the first taken has to come last.
    const auto is_given_back = [&](std::size_t i) {
        return settled[i].result->what() == outcome::kind::give_back;
    };
    std::reverse(std::stable_partition(rest, order.end(), std::not_fn(is_given_back)), order.end());
    for (auto i = rest; i != order.end(); ++i) {
        const auto& [job, result] = settled[*i];
        arguments.add(job->body);
        arguments.add(*job->lease);
        arguments.add(kind_name(result->what()));
        arguments.add_number(job->attempt);
        arguments.add_number(result->delay().value_or(0ms).count());
        arguments.add(result->reason());
    }
    return order;
}

} // namespace

list_source::list_source(std::shared_ptr<client> redis, std::string name, list_queue_options options)
    : redis_{std::move(redis)}, name_{std::move(name)}, options_{options}, keys_{name_},
      jobs_watch_{redis_, {keys_.jobs, keys_.scheduled, keys_.paused}}, leases_watch_{
                                                                            redis_,
                                                                            {keys_.progress, keys_.twins}}
{}

asio::awaitable<void> list_source::open()
{
    const std::pair<const std::string*, std::string_view> expected[] = {
        {&keys_.jobs, "list"},     {&keys_.progress, "hash"},  {&keys_.broken, "hash"},
        {&keys_.failed, "list"},   {&keys_.scheduled, "zset"}, {&keys_.attempts, "hash"},
        {&keys_.twins, "hash"},    {&keys_.failures, "hash"},  {&keys_.paused, "string"},
        {&keys_.counters, "hash"}, {&keys_.workers, "hash"},   {&keys_.gone, "hash"},
        {&keys_.monitor, "string"}};
    request types;
    for (const auto& [key, type] : expected)
        types.push("TYPE", *key);
    reply answers;
    co_await redis_->exec(types, answers, patience::unlimited);
    answers.throw_if_error();
    for (std::size_t i = 0; i != std::size(expected); ++i) {
        const auto type = answers[i].text();
        if (type != "none" && type != expected[i].second)
            throw system_error{errc::wrong_key_type, "key '" + *expected[i].first + "' is a " +
                                                         std::string{type} + ", not a " +
                                                         std::string{expected[i].second}};
    }
}

asio::awaitable<job_source::exchange_result> list_source::exchange(std::span<const settlement> settled,
                                                                   std::size_t count)
{
    script_arguments arguments{keys_.jobs,   keys_.progress, keys_.scheduled, keys_.attempts,
                               keys_.twins,  keys_.paused,   keys_.workers,   keys_.counters,
                               keys_.failed, keys_.failures, keys_.broken};
    arguments.reserve(24 + 2 * settled.size());
    arguments.add_number(static_cast<std::int64_t>(count));
    arguments.add_number(worker_);
    arguments.add(redis_->name());
    arguments.add_number(static_cast<std::int64_t>(options_.failed_limit));
    arguments.add_number(static_cast<std::int64_t>(options_.broken_limit));
    const auto order = add_settlements(settled, arguments);

    static const script& exchange_script = find_script("list/exchange");
    const reply answers = co_await redis_->call(exchange_script, arguments, patience::unlimited);
    const auto answer = answers.back();
    const auto start = std::make_shared<const std::string>(answer[0]);
    worker_ = answer.integer(1);
    const auto lost = reply::part(answer, 3);
    const auto taken = reply::part(answer, 4);
    const auto attempts = reply::part(answer, 5);

    exchange_result result;
    result.paused = answer.integer(2) != 0;
    for (std::size_t i = 0; i != lost.size(); ++i)
        result.lost.push_back(order[static_cast<std::size_t>(lost.integer(i)) - 1]);
    result.taken.reserve(taken.size());
    for (std::size_t i = taken.size(); i-- != 0;) // the next to run stands last
        result.taken.push_back(make_job(
            taken[i], start, attempts.size() == 0 ? 1 : 1 + static_cast<unsigned>(attempts.integer(i))));
    co_return result;
}

asio::awaitable<std::vector<std::size_t>> list_source::renew(std::span<taken_job* const> jobs)
{
    std::vector<std::size_t> lost;
    for (std::size_t begin = 0; begin < jobs.size(); begin += max_batch) {
        const auto part = jobs.subspan(begin, std::min(max_batch, jobs.size() - begin));
        script_arguments arguments{keys_.progress};
        arguments.add_number(worker_);
        for (const auto* job : part) {
            arguments.add(job->body);
            arguments.add(*job->lease);
            arguments.add(job->unsure ? "1" : "0");
        }
        // Until the answer is here, the jobs may have either token.
        for (auto* job : part)
            job->unsure = true;
        const reply answers =
            co_await redis_->call(find_script("list/renew"), arguments, patience::unlimited);
        const auto answer = answers.back();
        const auto lease = std::make_shared<const std::string>(answer[0]);
        for (auto* job : part) {
            job->lease = lease;
            job->unsure = false;
        }
        for (std::size_t i = 1; i != answer.size(); ++i)
            lost.push_back(begin + static_cast<std::size_t>(answer.integer(i)) - 1);
    }
    co_return lost;
}

// --- waiting -------------------------------------------------------------------------

list_source::clock::time_point list_source::next_safety_poll()
{
    // Spread out, so that many workers do not ask at the same moment.
    std::uniform_int_distribution<int> percent{80, 120};
    return clock::now() + safety_poll_interval * percent(random_) / 100;
}

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

        const auto poll =
            redis_->tracks() ? next_safety_poll() : clock::now() + redis_->options().poll_interval;
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
        co_await leases_watch_.wait_until(redis_->tracks() ? next_safety_poll()
                                                           : clock::now() + monitor_pause);
    }
}

// --- monitor -------------------------------------------------------------------------

asio::awaitable<job_source::recovery> list_source::recover(std::chrono::milliseconds lease)
{
    recovery result;
    result.pause = monitor_pause;
    script_arguments lead{keys_.monitor};
    lead.add(redis_->name());
    lead.add_number(std::chrono::milliseconds{monitor_term}.count());
    const auto busy =
        (co_await redis_->call(find_script("list/lead"), lead, patience::unlimited)).back().integer();
    if (busy > 0) {
        result.pause = std::chrono::milliseconds{busy};
    } else {
        const survey found = co_await survey_workers();
        co_await note_absence(found);
        const auto judge = [&](std::string_view payload, std::string_view start) {
            return judge_lease(payload, start, found.now, lease, found.absent.dead);
        };
        result.recovered = co_await sweep(format_start_time(found.now - lease, 0), found.absent.dead, judge);
        result.reason = found.absent.dead.empty() ? "their leases had ended" : "their worker is gone";
        co_await forget_workers(found.absent.dead);
        co_await tidy();
    }
    const reply answers = co_await redis_->call(
        find_script("list/watch_leases"), script_arguments{keys_.progress, keys_.twins}, patience::unlimited);
    result.idle = answers.back().integer() == 0;
    co_return result;
}

asio::awaitable<list_source::survey> list_source::survey_workers()
{
    // The registry is read before the list of connections: who is in the first must be in the second.
    request look;
    look.push("HGETALL", keys_.workers);
    look.push("HGETALL", keys_.gone);
    look.push("TIME");
    look.push("CLIENT", "LIST");
    reply answers;
    co_await redis_->exec(look, answers, patience::unlimited);
    survey found;
    if (answers[3].is_error()) { // not permitted: the leases' ends alone must do
        found.now = timestamp{std::chrono::seconds{answers[2].integer(0)}};
        co_return found;
    }
    answers.throw_if_error();
    worker_registry workers;
    const auto registered = answers[0];
    for (std::size_t i = 0; i + 1 < registered.size(); i += 2)
        workers.emplace(static_cast<std::uint32_t>(registered.integer(i)), registered[i + 1]);
    std::map<std::uint32_t, std::int64_t> gone_since;
    const auto gone = answers[1];
    for (std::size_t i = 0; i + 1 < gone.size(); i += 2)
        gone_since.emplace(static_cast<std::uint32_t>(gone.integer(i)), gone.integer(i + 1));
    found.now = timestamp{std::chrono::seconds{answers[2].integer(0)} +
                          std::chrono::microseconds{answers[2].integer(1)}};
    found.absent =
        find_absent(workers, gone_since, connection_names(answers[3].text()), found.now, worker_grace);
    co_return found;
}

asio::awaitable<void> list_source::note_absence(const survey& found)
{
    const auto& absent = found.absent;
    request note;
    const auto now = std::chrono::floor<std::chrono::milliseconds>(found.now.time_since_epoch()).count();
    for (const auto number : absent.newly_gone)
        note.push("HSETNX", keys_.gone, number, now);
    for (const auto number : absent.back)
        note.push("HDEL", keys_.gone, number);
    for (const auto number : absent.forgotten)
        note.push("HDEL", keys_.gone, number);
    if (note.get_commands() == 0)
        co_return;
    reply answers;
    co_await redis_->exec(note, answers, patience::unlimited);
    answers.throw_if_error();
}

template<class Judge>
asio::awaitable<std::size_t> list_source::sweep(std::string threshold, std::set<std::uint32_t> workers,
                                                Judge judge)
{
    std::vector<std::string> numbers; // as they stand in start times
    for (const auto number : workers) {
        const auto digits = std::to_string(number);
        numbers.push_back(std::string(6 - digits.size(), '0') + digits);
    }
    std::string cursor = "0";
    std::size_t returned = 0;
    do {
        script_arguments look{keys_.progress};
        look.add(cursor);
        look.add_number(max_batch);
        look.add(threshold);
        for (const auto& number : numbers)
            look.add(number);
        const reply answers = co_await redis_->call(find_script("list/suspects"), look, patience::unlimited);
        const auto answer = answers.back();
        cursor = answer[0];

        script_arguments act{keys_.jobs, keys_.progress, keys_.attempts, keys_.twins, keys_.counters};
        for (std::size_t i = 1; i + 1 < answer.size(); i += 2) {
            const auto action = judge(answer[i], answer[i + 1]);
            if (action == lease_action::keep)
                continue;
            act.add(answer[i]);
            act.add(answer[i + 1]);
            act.add(to_string(action));
        }
        if (act.words().size() > act.key_count()) {
            const reply done = co_await redis_->call(find_script("list/recover"), act, patience::unlimited);
            returned += static_cast<std::size_t>(done.back().integer());
        }
    } while (cursor != "0");
    co_return returned;
}

asio::awaitable<void> list_source::reconcile(std::span<const taken_job* const> held)
{
    // If the unanswered call was the first, it has registered a number that is not known here yet.
    request look;
    look.push("HGETALL", keys_.workers);
    reply answers;
    co_await redis_->exec(look, answers, patience::unlimited);
    answers.throw_if_error();
    std::set<std::uint32_t> own;
    const auto workers = answers[0];
    for (std::size_t i = 0; i + 1 < workers.size(); i += 2)
        if (workers[i + 1] == redis_->name())
            own.insert(static_cast<std::uint32_t>(workers.integer(i)));
    if (own.empty())
        co_return;
    if (worker_ == 0)
        worker_ = *own.begin();
    co_await sweep("", own, [&](std::string_view payload, std::string_view start) {
        const auto parsed = parse_start_time(start);
        if (!parsed || !own.contains(parsed->worker))
            return lease_action::keep;
        const bool is_held =
            std::any_of(held.begin(), held.end(), [&](const taken_job* job) { return job->body == payload; });
        return is_held ? lease_action::keep : lease_action::release;
    });
}

asio::awaitable<void> list_source::forget_workers(const std::set<std::uint32_t>& dead)
{
    if (dead.empty())
        co_return;
    request forget;
    for (const auto number : dead) {
        forget.push("HDEL", keys_.workers, number);
        forget.push("HDEL", keys_.gone, number);
    }
    reply answers;
    co_await redis_->exec(forget, answers, patience::unlimited);
    answers.throw_if_error();
}

asio::awaitable<std::int64_t> list_source::tidy()
{
    const reply answers = co_await redis_->call(
        find_script("list/tidy"),
        script_arguments{keys_.jobs, keys_.progress, keys_.scheduled, keys_.attempts, keys_.twins},
        patience::unlimited);
    co_return answers.back().integer();
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
