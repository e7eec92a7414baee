// SPDX-License-Identifier: MIT
#include "testing/memory_store.hpp"

#include "coworker/managed_details.hpp"
#include "managed/own_options.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <utility>

namespace coworker {

struct testing::manual_clock::state
{
    timestamp now;
    std::list<detail::memory_store*> queues;
};

namespace testing {

manual_clock::manual_clock() : manual_clock{timestamp{std::chrono::sys_days{std::chrono::year{2030} / 1 / 1}}}
{}

manual_clock::manual_clock(timestamp begin) : state_{std::make_shared<state>(state{begin, {}})} {}

timestamp manual_clock::now() const noexcept
{
    return state_->now;
}

void manual_clock::advance(std::chrono::microseconds by)
{
    state_->now += by;
    for (auto* queue : state_->queues)
        queue->notify();
}

} // namespace testing

namespace detail {
namespace {

/// What is due later goes behind what is due at the same time.
bool is_due_before(timestamp when, const memory_store::entry& other)
{
    return when < other.job.due;
}

constexpr unsigned default_retries = 5; ///< as `managed_push_options::retries` says

std::shared_ptr<const managed_details> details_of(const new_managed_job& job, timestamp now)
{
    const auto& options = job.options;
    auto details = std::make_shared<managed_details>();
    // "-": what stands there in Redis is when the job expires
    read_own_options("- " + own_options_text(options), *details);
    details->kind = job.kind;
    details->priority = options.priority.value_or(0);
    details->retries = details->remaining = static_cast<int>(options.retries.value_or(default_retries));
    details->tags.assign(options.tags.begin(), options.tags.end());
    if (options.expiry)
        details->expires_at = now + *options.expiry;
    return details;
}

} // namespace

memory_store::memory_store(std::string name, manual_clock time)
    : name_{std::move(name)}, time_{std::move(time)}
{
    time_.state_->queues.push_back(this);
}

memory_store::~memory_store()
{
    time_.state_->queues.remove(this);
}

// --- pushing -------------------------------------------------------------------------

std::string memory_store::push(entry what)
{
    if (json_error(what.job.job.text))
        throw system_error{errc::not_serializable};
    if (what.job.id.empty())
        what.job.id = make_id();
    if (counts_attempts_ && !what.retries_left)
        what.retries_left = default_retries;
    what.number = ++last_number_;
    what.job.pushed = time_.now();
    pushed_.push_back(what.job);
    auto id = what.job.id;
    if (what.job.due > time_.now())
        schedule(std::move(what));
    else
        let_wait(std::move(what), side::behind);
    notify();
    return id;
}

std::string memory_store::push(const raw_json& job, const push_options& options)
{
    stored_job what{.id = options.id ? options.id->str() : std::string{}, .job = job};
    const auto time = options.unique_for;
    if (time.count() < 0 || (time.count() != 0 && !options.id))
        throw explained_error{errc::invalid_option, "unique_for needs an id, and is not negative"};
    if (const auto known = remembered_.find(what.id);
        time.count() != 0 && known != remembered_.end() && known->second > time_.now())
        return what.id;
    what.due = options.at ? *options.at : time_.now() + options.delay;
    auto id = push(entry{.job = std::move(what)});
    if (time.count() != 0)
        remembered_[id] = time_.now() + time;
    return id;
}

std::string memory_store::push(const raw_json& job, const job_conditions& conditions)
{
    stored_job what{.id = conditions.id,
                    .job = job,
                    .kind = conditions.kind,
                    .attempt = std::max(conditions.attempt, 1u),
                    .checkpoint = conditions.checkpoint};
    what.steps = conditions.steps.items();
    for (const auto& [name, value] : conditions.signals.items())
        what.signals[name] = {value};
    what.due = time_.now();
    return push(entry{.job = std::move(what), .details = conditions.details});
}

std::string memory_store::push(const new_managed_job& job)
{
    const auto& options = job.options;
    pushed_managed_.push_back(job);
    const auto has_its_jid = [&](const entry& other) { return other.job.id == options.jid->str(); };
    std::erase_if(waiting_, has_its_jid);
    std::erase_if(scheduled_, has_its_jid);
    return push(entry{
        .job = {.id = *options.jid, .job = {job.data}, .kind = job.kind, .due = time_.now() + options.delay},
        .details = details_of(job, time_.now()),
        .priority = options.priority.value_or(0),
        .retries_left = options.retries.value_or(default_retries)});
}

void memory_store::schedule(entry what)
{
    const auto place = std::upper_bound(scheduled_.begin(), scheduled_.end(), what.job.due, is_due_before);
    scheduled_.insert(place, std::move(what));
}

/// Lets jobs wait whose time has come.
void memory_store::promote()
{
    auto due = scheduled_.begin();
    for (; due != scheduled_.end() && due->job.due <= time_.now(); ++due)
        let_wait(std::move(*due), side::behind);
    scheduled_.erase(scheduled_.begin(), due);
}

void memory_store::let_wait(entry what, side which)
{
    const auto goes_ahead = [&](const entry& other) {
        return which == side::behind ? other.priority >= what.priority : other.priority > what.priority;
    };
    what.sleeps_for.reset();
    const auto at = std::ranges::partition_point(waiting_, goes_ahead);
    waiting_.insert(at, std::move(what));
}

bool memory_store::may_run_again(entry& what)
{
    if (!what.retries_left)
        return true;
    if (*what.retries_left == 0)
        return false;
    --*what.retries_left;
    if (const auto* managed = dynamic_cast<const managed_details*>(what.details.get())) {
        auto changed = std::make_shared<managed_details>(*managed);
        changed->remaining = static_cast<int>(*what.retries_left);
        what.details = std::move(changed);
    }
    return true;
}

// --- workers -------------------------------------------------------------------------

std::uint64_t memory_store::add_worker()
{
    workers_.emplace(++last_worker_, std::nullopt);
    return last_worker_;
}

void memory_store::remove_worker(std::uint64_t worker)
{
    workers_.erase(worker);
    notify();
}

void memory_store::worker_died(std::uint64_t worker)
{
    if (const auto place = workers_.find(worker); place != workers_.end())
        place->second = time_.now();
    notify();
}

// --- leases --------------------------------------------------------------------------

std::shared_ptr<const std::string> memory_store::make_token(std::uint64_t worker)
{
    return std::make_shared<const std::string>("worker " + std::to_string(worker) + ", lease " +
                                               std::to_string(++last_token_));
}

std::map<std::uint64_t, memory_store::lease>::iterator
memory_store::find(std::uint64_t number, const std::string& token, bool in_doubt, std::uint64_t worker)
{
    const auto place = leases_.find(number);
    if (place == leases_.end())
        return place;
    const bool holds = *place->second.token == token || (in_doubt && place->second.worker == worker);
    return holds ? place : leases_.end();
}

std::vector<const memory_store::lease*> memory_store::take(std::uint64_t worker, std::size_t count,
                                                           duration length)
{
    promote();
    count = std::min({count, waiting_.size(), most_takes_});
    most_takes_ -= count;
    const auto token = make_token(worker);
    std::vector<const lease*> taken;
    for (; count != 0; --count) {
        auto number = waiting_.front().number;
        auto& place = leases_[number];
        place = lease{std::move(waiting_.front()), worker, token, time_.now() + length};
        waiting_.pop_front();
        taken.push_back(&place);
    }
    if (!taken.empty())
        notify();
    return taken;
}

bool memory_store::acknowledge(std::uint64_t number, const std::string& token, bool in_doubt,
                               std::uint64_t worker, const outcome& result, const job_effects* effects)
{
    const auto place = find(number, token, in_doubt, worker);
    if (place == leases_.end())
        return false;
    lease held{std::move(place->second)};
    leases_.erase(place);
    auto& job = held.what.job;
    const bool gives_up = result.what() == outcome::kind::retry && !may_run_again(held.what);
    const auto stored = gives_up ? failure(result.reason()) : result;
    ended_.push_back({job.id, job.kind, job.attempt, stored, {}});
    if (effects != nullptr)
        ended_.back().effects = effects->all();
    job.reason = stored.reason();
    switch (stored.what()) {
    case outcome::kind::success:
    case outcome::kind::forward:
        break;
    case outcome::kind::failure:
        failed_.push_back(std::move(job));
        break;
    case outcome::kind::broken:
        broken_.push_back(std::move(job));
        break;
    case outcome::kind::release:
        if (const auto* more = stored.managed(); more != nullptr && more->wait)
            suspend(std::move(held.what), *more->wait);
        else
            put_back(std::move(held), false);
        break;
    case outcome::kind::retry:
        ++job.attempt;
        job.due = time_.now() + stored.delay().value_or(std::chrono::milliseconds{0});
        if (job.due > time_.now())
            schedule(std::move(held.what));
        else
            let_wait(std::move(held.what), side::behind);
        break;
    }
    const auto ended = ended_.back().id;
    wake([&](const entry& other) {
        return other.sleeps_for->what == wait_kind::job && other.sleeps_for->name.str() == ended &&
               end_of(ended);
    });
    if (effects != nullptr)
        for (const auto& each : effects->all())
            if (each.in_memory)
                each.in_memory();
    notify();
    return true;
}

std::shared_ptr<const std::string> memory_store::renew(std::uint64_t number, const std::string& token,
                                                       bool in_doubt, std::uint64_t worker, duration length)
{
    const auto place = find(number, token, in_doubt, worker);
    if (place == leases_.end())
        return nullptr;
    place->second.token = make_token(worker);
    place->second.ends = time_.now() + length;
    return place->second.token;
}

stored_job* memory_store::held_job(std::uint64_t number, const std::string& token, bool in_doubt,
                                   std::uint64_t worker)
{
    const auto place = find(number, token, in_doubt, worker);
    return place != leases_.end() ? &place->second.what.job : nullptr;
}

/// In front of the others of its priority.
void memory_store::put_back(lease&& held, bool counts)
{
    if (counts && !may_run_again(held.what)) {
        held.what.job.reason = "its lease ended, and it had no retries left";
        failed_.push_back(std::move(held.what.job));
        return;
    }
    held.what.job.attempt += counts ? 1 : 0;
    let_wait(std::move(held.what), side::in_front);
}

void memory_store::reconcile(std::uint64_t worker, const std::set<std::uint64_t>& held)
{
    for (auto place = leases_.end(); place != leases_.begin();) { // the last first, as each goes in front
        --place;
        if (place->second.worker != worker || held.contains(place->first))
            continue;
        put_back(std::move(place->second), false);
        place = leases_.erase(place);
    }
    notify();
}

std::size_t memory_store::recover(duration grace)
{
    const auto is_gone = [&](std::uint64_t worker) {
        const auto place = workers_.find(worker);
        return place == workers_.end() || (place->second && time_.now() - *place->second >= grace);
    };
    std::size_t recovered = 0;
    for (auto place = leases_.end(); place != leases_.begin();) {
        --place;
        const bool has_ended = place->second.ends <= time_.now();
        if (!has_ended && !(grace.count() > 0 && is_gone(place->second.worker)))
            continue;
        put_back(std::move(place->second), true);
        place = leases_.erase(place);
        ++recovered;
    }
    if (recovered != 0)
        notify();
    return recovered;
}

void memory_store::take_away_leases()
{
    for (auto place = leases_.end(); place != leases_.begin();) {
        --place;
        put_back(std::move(place->second), true);
        place = leases_.erase(place);
    }
    notify();
}

// --- looking -------------------------------------------------------------------------

const std::deque<memory_store::entry>& memory_store::waiting()
{
    promote();
    return waiting_;
}

bool memory_store::is_drained()
{
    return (waiting().empty() || most_takes_ == 0) && leases_.empty();
}

asio::awaitable<void> memory_store::changed()
{
    signal one{co_await asio::this_coro::executor};
    struct listening
    {
        listening(std::shared_ptr<memory_store> to, signal& with) : store{std::move(to)}, who{&with}
        {
            store->listeners_.push_back(who);
        }
        ~listening() { store->listeners_.remove(who); }
        listening(const listening&) = delete;
        listening& operator=(const listening&) = delete;
        std::shared_ptr<memory_store> store;
        signal* who;
    };
    const listening guard{shared_from_this(), one};
    co_await one.wait();
}

void memory_store::notify()
{
    for (auto* each : listeners_)
        each->notify();
}

} // namespace detail
} // namespace coworker
