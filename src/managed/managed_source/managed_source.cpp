// SPDX-License-Identifier: MIT
#include "managed/managed_source/managed_source.hpp"

#include "bounds.hpp"
#include "counted.hpp"
#include "coworker/managed_queue.hpp"
#include "managed/acknowledgement_words.hpp"
#include "managed/deliverable_size.hpp"
#include "managed/json_fields.hpp"
#include "managed/own_options.hpp"
#include "managed/schedules_of_prefix.hpp"
#include "managed/shown_kind.hpp"
#include "redis/effect_words.hpp"
#include "redis/key_types.hpp"
#include "redis/lead.hpp"
#include "redis/process_record.hpp"
#include "text/numbers.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>

namespace coworker::detail {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t words_per_job = 10; // in the answer of ack_and_fetch.lua
constexpr std::size_t short_part = 2;     // of a short one: what stands before a job's words
constexpr std::size_t failed_part = 7;    // in it: whose effects could not be carried out
constexpr std::size_t aside_part = 8;     // in it: the kind of each job that was set aside
constexpr std::size_t crashes_part = 9;   // in it: which jobs' workers have died, and how often

/// How long jobs are taken by one call at a time after the answer to one did not come.
constexpr std::chrono::seconds careful_time{60};

/// How many retries; others may have stored anything.
int to_count(std::int64_t stored)
{
    constexpr std::int64_t most = 1'000'000'000;
    return static_cast<int>(std::clamp<std::int64_t>(stored, -1, most));
}

/// From the ten words: jid klass data priority retries remaining expires tags failure spawned_from_jid.
/// `own`: its options that qless does not know.
fetched_job make_job(const reply::answer& words, std::size_t first, std::string_view time,
                     std::string_view own)
{
    const auto jid = words[first], data = words[first + 2];
    fetched_job job;
    job.body.reserve(jid.size() + data.size() + time.size());
    job.body.append(jid).append(data).append(time);
    job.id_range = {0, jid.size()};
    job.text_range = {jid.size(), data.size()};
    auto details = std::make_shared<managed_details>();
    job.kind = words[first + 1];
    details->kind = job.kind;
    details->priority = to_number<double>(words[first + 3]).value_or(0);
    details->retries = to_count(words.integer(first + 4));
    details->remaining = to_count(words.integer(first + 5));
    details->tags = stored_texts(words[first + 7]);
    details->failure = words[first + 8] == "{}" ? std::string_view{} : words[first + 8];
    details->spawned_from = words[first + 9];
    if (!own.empty())
        read_own_options(own, *details);
    job.has_steps = own.find(R"("steps":true)") != own.npos; // as parts/steps.lua marks it
    const auto bounded = [&](std::size_t word) { // the difference also of numbers beyond what is told
        constexpr std::int64_t most = 1'000'000'000'000'000;
        return std::clamp(words.integer(first + word), -most, most);
    };
    const auto used = bounded(4) - bounded(5);
    job.attempt = static_cast<unsigned>(std::max(to_count(used), 0)) + 1;
    job.retries_left = static_cast<unsigned>(std::max(details->remaining, 0));
    job.details = std::move(details);
    return job;
}

/// The options of coworker's own of each job, empty where there are none. A last part of the answer has numbers of
/// jobs, each with its options, if any job has.
std::vector<std::string_view> own_options_of(const reply::answer& answer, std::size_t jobs)
{
    constexpr std::size_t last_part = 6;
    std::vector<std::string_view> each(jobs);
    if (answer.first->aggregate_size <= last_part)
        return each;
    const auto options = reply::part(answer, last_part);
    for (std::size_t i = 0; i + 1 < options.size(); i += 2)
        each[options.position(i, jobs)] = options[i + 1];
    return each;
}

/// How long a lock lasts. One that ends at once would be no lock: it is renewed as if it lasted a little.
std::chrono::milliseconds to_lease_time(std::string_view seconds)
{
    constexpr double shortest = 0.1, longest = 1e9;
    const auto bounded = std::clamp(to_number<double>(seconds).value_or(0), shortest, longest);
    return std::chrono::milliseconds{static_cast<std::int64_t>(bounded * 1000)};
}

std::vector<std::string> with(std::vector<std::string> keys, const std::string& another)
{
    keys.push_back(another);
    return keys;
}

} // namespace

managed_source::managed_source(std::shared_ptr<detail::connection> redis, std::string name,
                               const managed_options& options, const std::string& worker_elsewhere)
    : redis_{std::move(redis)}, name_{std::move(name)}, prefix_{options.prefix}, largest_{deliverable_size(
                                                                                     options)},
      is_lent_{!worker_elsewhere.empty()}, how_long_{is_lent_ ? patience::command_timeout
                                                              : patience::unlimited},
      worker_{std::make_shared<const std::string>(is_lent_ ? worker_elsewhere : redis_->name())},
      watched_keys_{key("q:" + name_ + "-work"),
                    key("q:" + name_ + "-scheduled"),
                    key("q:" + name_ + "-recur"),
                    key("paused_queues"),
                    key("config"),
                    key("coworker:open:" + name_)},
      locks_key_{key("q:" + name_ + "-locks")}, jobs_watch_{redis_->watches(), redis_->get_executor(),
                                                            with(watched_keys_, locks_key_)},
      slot_watch_{*redis_, key("queues")}, workers_watch_{redis_->watches(),
                                                          redis_->get_executor(),
                                                          {key("workers"), key("coworker:ended-parents")}},
      losses_watch_{redis_->channels(),
                    {key("w:" + *worker_)},
                    [this](std::string_view, std::string_view message) { note_loss(message); }},
      loss_noted_{redis_->get_executor()}, leader_{key("coworker:monitor")},
      leader_watch_{redis_->watches(), redis_->get_executor(), {leader_}}, schedules_{where_schedules_are(
                                                                               redis_, prefix_)}
{}

/// As parts/kinds.lua reads it. A version but the first stands behind its kind and a zero byte.
void managed_source::handle_only(const std::vector<handled_kind>& kinds)
{
    kinds_ = "\n";
    for (const auto& each : kinds) {
        auto word = each.kind;
        if (each.version != 1)
            word.append(1, '\0').append(std::to_string(each.version));
        *kinds_ += std::to_string(word.size()) + ':' + word + '\n';
    }
}

script_arguments managed_source::begin() const
{
    script_arguments arguments{prefix_};
    arguments.add("server");
    return arguments;
}

asio::awaitable<void> managed_source::open()
{
    expected_types expected;
    for (const auto* part : {"-work", "-locks", "-scheduled", "-depends", "-recur"})
        expected.emplace_back(key("q:" + name_ + part), "zset");
    expected.emplace_back(key("queues"), "zset");
    expected.emplace_back(key("workers"), "zset");
    expected.emplace_back(key("paused_queues"), "set");
    expected.emplace_back(key("config"), "hash");
    co_await check_key_types(*redis_, std::move(expected));
    may_be_known_ = true;
    std::optional<std::string> refusal;
    try {
        co_await redis_->listen(losses_watch_, patience::unlimited);
    } catch (const system_error& error) {
        if (error.code() != errc::command_refused)
            throw;
        refusal = error.what();
    }
    if (refusal)
        redis_->warn("lost locks are noticed with the next heartbeat only: " + *refusal);
    co_await ack_and_fetch({}, 0); // tells how long locks last
    if (!is_lent_)
        co_await sign_in();
    co_await note_process(*redis_);
}

/// Tells that this worker is there. A fetch does so, too, but behind another queue the first one may come much later,
/// and who has not been seen for a day (`max-worker-age`) is forgotten.
asio::awaitable<void> managed_source::sign_in()
{
    auto arguments = begin();
    arguments.add(*worker_);
    arguments.add(name_);
    co_await redis_->call(find_script("managed/sign_in"), arguments, patience::unlimited);
    signed_in_ = clock::now();
}

asio::awaitable<job_source::fetch_result> managed_source::ack_and_fetch(std::span<const acknowledgement> acks,
                                                                        std::size_t count)
{
    // An answer that did not come may have been too large beside another one.
    if (taking_ > 0 && clock::now() < careful_until_)
        count = 0;
    const counted taking{taking_, count != 0};
    auto arguments = begin();
    arguments.reserve(12 + 5 * acks.size());
    arguments.add(name_);
    arguments.add(*worker_);
    arguments.add_number(static_cast<std::int64_t>(count));
    arguments.add("most");
    arguments.add_number(static_cast<std::int64_t>(largest_));
    if (kinds_ && count != 0) {
        arguments.add("kinds");
        arguments.add(*kinds_);
    }
    acknowledgement_words words{arguments};
    words.add(acks);

    static const script& ack_and_fetch_script = find_script("managed/ack_and_fetch");
    reply answers;
    try {
        answers = co_await redis_->call(ack_and_fetch_script, arguments, how_long_);
    } catch (const system_error& error) {
        if (error.code() == errc::in_doubt && count != 0)
            careful_until_ = clock::now() + careful_time;
        throw;
    }
    const auto answer = answers.back();
    fetch_result result;
    const auto add = [&](fetched_job job, std::chrono::milliseconds lease_time) {
        job.lease = worker_;
        job.lease_time = lease_time;
        result.fetched.push_back(std::move(job));
    };
    if (const auto size = answer.first->aggregate_size; size == 1 || size == short_part + words_per_job) {
        const auto lease_time = to_lease_time(answer[0]);
        if (size != 1)
            add(make_job(answer, short_part, answer[1], {}), lease_time);
        lease_time_ = lease_time;
        co_return result;
    }
    const auto lost = reply::part(answer, 0);
    const auto taken = reply::part(answer, 4);
    const auto lease_time = to_lease_time(reply::part(answer, 2).text());

    for (std::size_t i = 0; i != lost.size(); ++i)
        result.lost.push_back(lost.position(i, acks.size()));
    if (taken.size() % words_per_job != 0)
        throw_unexpected_answer("a job that is not complete");
    result.fetched.reserve(taken.size() / words_per_job);
    const auto time = taken.size() != 0 ? reply::part(answer, 5).text() : std::string_view{};
    const auto own = own_options_of(answer, taken.size() / words_per_job);
    for (std::size_t i = 0; i + words_per_job <= taken.size(); i += words_per_job)
        add(make_job(taken, i, time, own[i / words_per_job]), lease_time);
    if (answer.first->aggregate_size > failed_part) {
        const auto failed = reply::part(answer, failed_part);
        for (std::size_t i = 0; i + 1 < failed.size(); i += 2)
            result.failed.push_back({failed.position(i, acks.size()), std::string{failed[i + 1]}});
    }
    if (answer.first->aggregate_size > aside_part) {
        const auto aside = reply::part(answer, aside_part);
        for (std::size_t i = 0; i != aside.size(); ++i)
            result.unhandled.push_back(shown_kind(aside[i]));
    }
    if (answer.first->aggregate_size > crashes_part) {
        const auto crashes = reply::part(answer, crashes_part);
        for (std::size_t i = 0; i + 1 < crashes.size(); i += 2)
            result.fetched[crashes.position(i, result.fetched.size())].crashes =
                static_cast<unsigned>(std::clamp<std::int64_t>(crashes.integer(i + 1), 0, 1'000'000));
    }
    lease_time_ = lease_time; // not before all of the answer has been read
    co_return result;
}

void managed_source::check_effect(const effect& what) const
{
    check_effect_of(redis_, what);
    if (what.pushed && !what.prefix.empty() && what.prefix != prefix_)
        throw explained_error{errc::invalid_option, "the queue of the job that is pushed has another prefix"};
    if (!what.pushed && what.words[0] != "PUBLISH" && what.words[1].starts_with(prefix_))
        throw explained_error{errc::invalid_option,
                              "effects may not change keys that begin with '" + prefix_ + "'"};
}

asio::awaitable<std::vector<std::size_t>> managed_source::renew(std::span<fetched_job* const> jobs)
{
    auto arguments = begin();
    arguments.add(name_);
    arguments.add(*worker_);
    for (const auto* job : jobs) {
        arguments.add(job->id());
        if (is_lent_) // several runs of a job may be known there
            arguments.add(time_taken(*job));
    }
    const auto& renew_script = find_script(is_lent_ ? "managed/renew_runs" : "managed/renew");
    const reply answers = co_await redis_->call(renew_script, arguments, how_long_);
    const auto answer = answers.back();
    lease_time_ = to_lease_time(answer[0]);
    for (auto* job : jobs)
        job->lease_time = lease_time_;
    std::vector<std::size_t> lost;
    for (std::size_t i = 1; i < answer.size(); ++i)
        lost.push_back(answer.position(i, jobs.size()));
    co_return lost;
}

asio::awaitable<void> managed_source::reconcile(std::span<const fetched_job* const> held)
{
    auto arguments = begin();
    arguments.add(name_);
    arguments.add(*worker_);
    for (const auto* job : held) {
        arguments.add(job->id());
        arguments.add(time_taken(*job));
    }
    for (bool more = true; more;) {
        const reply answers =
            co_await redis_->call(find_script("managed/reconcile"), arguments, patience::unlimited);
        more = answers.back().integer(1) != 0;
    }
}

// --- waiting -------------------------------------------------------------------------

asio::awaitable<reply> managed_source::ask_whether_to_take(bool watch_locks)
{
    script_arguments arguments{prefix_};
    for (const auto& watched : watched_keys_)
        arguments.add_key(watched);
    if (watch_locks)
        arguments.add_key(locks_key_);
    if (const auto* const mark = slot_watch_.mark())
        arguments.add_key(*mark);
    arguments.add("server");
    arguments.add(name_);
    if (kinds_)
        arguments.add(*kinds_);
    co_return co_await redis_->call_tracked(find_script("managed/wait"), arguments);
}

asio::awaitable<job_source::wake_up> managed_source::wait_for_jobs()
{
    bool fallback_poll = false, watch_locks = false;
    for (;;) {
        jobs_watch_.arm();
        slot_watch_.arm();
        const reply answers = co_await ask_whether_to_take(watch_locks);
        const auto answer = answers.back();
        const bool paused = answer.integer(2) != 0, full = answer.integer(3) != 0;
        if (answer.integer(0) > 0 && !paused) {
            // A notification that has waited in the socket while this process stood still has come before the answer.
            const bool was_told = fallback_poll && co_await jobs_watch_.wait_until(clock::now());
            co_return fallback_poll && !was_told ? wake_up::fallback_poll : wake_up::ready;
        }
        // A full queue is left by a change of its locks, which are not watched otherwise.
        if (full && !std::exchange(watch_locks, full))
            continue;
        watch_locks = full;

        if (!is_lent_ && clock::now() - signed_in_ > 1h)
            co_await sign_in();
        const auto poll = polls_.next(*redis_, redis_->options().poll_interval);
        auto until = poll;
        if (const auto due = to_number<double>(answer[1]).value_or(0); due >= 0 && due < 3600 && !paused)
            until = std::min(
                until, clock::now() + 1ms +
                           std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>{due}));
        const bool changed = co_await slot_watch_.wait_until(jobs_watch_, until);
        const bool is_doubtful = slot_watch_.is_doubtful() && !changed;
        fallback_poll = !changed && !is_doubtful && until == poll && redis_->tracks();
        // The fetch finds out what it was: one round trip less than to ask before. While nothing may be taken, most
        // changes are not what the worker waits for.
        if ((changed || until != poll) && !is_doubtful && !paused && !full)
            co_return wake_up::ready;
    }
}

void managed_source::note_loss(std::string_view message)
{
    boost::json::parse_options any_bytes;
    any_bytes.allow_invalid_utf8 = true; // in a jid
    error_code ec;
    const auto value = boost::json::parse(message, ec, {}, any_bytes);
    const auto* object = ec ? nullptr : value.if_object();
    const auto* jid = object != nullptr ? object->if_contains("jid") : nullptr;
    if (jid == nullptr || !jid->is_string())
        return;
    losses_.emplace_back(jid->get_string());
    loss_noted_.notify();
}

asio::awaitable<std::vector<std::string>> managed_source::wait_for_losses()
{
    while (losses_.empty())
        co_await loss_noted_.wait();
    co_return std::exchange(losses_, {});
}

asio::awaitable<void> managed_source::close()
{
    if (!may_be_known_ && !leads_) // nothing to sign off from, and perhaps no server to wait for
        co_return;
    std::exception_ptr error;
    try {
        co_await redis_->unlisten(losses_watch_);
    } catch (const system_error&) {
        error = std::current_exception(); // signing off is what matters
    }
    if (leads_ && !error) // another one begins at once
        co_await give_up_lead(*redis_, leader_, leader_name());
    auto arguments = begin();
    arguments.add(*worker_);
    arguments.add(name_);
    co_await redis_->call(find_script("managed/sign_off"), arguments);
    try {
        co_await settle_parents(
            patience::command_timeout); // qless' workers, which may go on alone, could not do it
    } catch (const system_error&) {
        error = std::current_exception();
    }
    if (leads_)
        co_await note_minute(patience::command_timeout);
    co_await forget_process(*redis_); // last: it is for people only
    if (error)
        std::rethrow_exception(error);
}

} // namespace coworker::detail

namespace coworker {

std::unique_ptr<job_source> managed_queue::make_source() const
{
    return std::make_unique<detail::managed_source>(redis_, name_, options_);
}

} // namespace coworker
