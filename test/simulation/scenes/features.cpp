// SPDX-License-Identifier: MIT
#include "simulation/scenes/mixed_features.hpp"
#include "simulation/scenes/scenes.hpp"

#include <coworker/inspector.hpp>

#include <boost/asio/this_coro.hpp>

#include <array>
#include <exception>
#include <map>

namespace coworker::test {

namespace {

using namespace std::chrono_literals;

constexpr int jobs_of_batch = 20, jobs_at_once = 10;

/// A managed queue with all features mixed, and what a storm has for it.
class features_scene : public scene
{
public:
    features_scene(simulation& all, scene_options how) : scene{all, std::move(how)}
    {
        managed_queues_ = {"letters", "parcels"};
        account_.limit("narrow", 2);
        account_.limit("wide", 5);
    }

private:
    void begin() override
    {
        behaviour_.longest = 8s;
        auto& faults = all_.network().faults;
        faults.cut = 0.0005;
        faults.hold = 0.001;
        faults.silence = 0.00005;
        start_workers(3);
        misfortune::weights how;
        how.lose_writes = 0; // batches and limits would begin anew
        begin_misfortune(how, 2 * minute);
        all_.start(add_producer("producer",
                                [this](simulated_process& me) { return push_letters(me, jobs_or(160)); }));
        all_.start(add_producer("mover", [this](simulated_process& me) { return move_jobs(me); }));
        all_.start(add("hand", [this](simulated_process& me) { return interfere(me); }));
        all_.start(add_checker());
    }

    nanoseconds storm() const override { return 12 * minute; }
    std::size_t concurrency() const override { return 2; }
    patience_of_standstill standing() const override { return {.places = 2}; }
    std::vector<std::string> may_leave() const override
    {
        return {"ql:coworker:uses:*",
                "ql:coworker:limits",
                "ql:coworker:batches",
                "ql:coworker:ended",
                "ql:coworker:batch:*",
                "ql:tags",
                "ql:t:*"};
    }

    asio::awaitable<void> push_letters(simulated_process& me, int count)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        managed_queue letters{redis, "letters"};
        managed_client limits{redis};
        batches all_batches{redis};
        for (const auto& [name, units] : {std::pair{"narrow", 2U}, {"wide", 5U}}) {
            limit_settings settings;
            settings.max_running = units;
            const std::string limit = name;
            co_await insist(
                me, [&]() -> asio::awaitable<void> { co_await limits.async_set_limit(limit, settings); });
        }
        for (int i = 0; i != count; ++i) {
            const auto batch = "batch-" + std::to_string(i / jobs_of_batch);
            if (i % jobs_of_batch == 0)
                co_await insist(me, [&] { return open(all_batches, batch); });
            co_await push_letter(me, letters, i, batch);
            if (i % jobs_of_batch == jobs_of_batch - 1 || i == count - 1)
                co_await insist(me, [&] { return seal(all_batches, batch); });
            if (i % jobs_at_once == 0) // more than there are places for
                co_await rest(random_.between(0, 2 * storm() * jobs_at_once / count));
        }
    }

    asio::awaitable<void> open(batches& all, const std::string& id)
    {
        batch_options wanted;
        wanted.id = id;
        account_.of("letters", id + "@done").has_effect = true;
        wanted.on_done = to_batch_job("letters", "Letter", numbered_job{});
        wanted.on_done->options.retries = 1000U;
        co_await all.async_open(wanted);
    }

    asio::awaitable<void> seal(batches& all, const std::string& id)
    {
        static_cast<void>((co_await all.async_seal(id)).value());
        account_.acknowledge_push(account_.of("letters", id + "@done"));
    }

    asio::awaitable<void> push_letter(simulated_process& me, managed_queue& letters, int number,
                                      const std::string& batch)
    {
        auto& job = account_.of("letters", "job-" + std::to_string(number));
        job.number = number;
        job.has_effect = number % 2 == 0;
        job.batch = batch;
        auto options = mixed_features(job, random_, keys_);
        expect(job, options);
        options.batch = batch;
        if (job.unique.empty()) {
            co_await insist(me, [&] { return push_to_managed(letters, job, options); });
            if (options.expiry)
                job.not_after = all_.wall_time() + options.expiry->count() * millisecond;
            co_return;
        }
        // A push with a key that lasts as long as its job is not repeated: the job may have ended.
        job.may_go = true;
        try {
            co_await push_to_managed(letters, job, options);
        } catch (const system_error& error) {
            all_.tell(me.name, std::string{"leaves in doubt: "} + error.what());
        }
    }

    /// What follows from its options for the time at which it may begin.
    void expect(job_record& job, const managed_push_options& options)
    {
        const auto length = [](const option_duration& of) { return of.count() * millisecond; };
        job.priority = options.priority.value_or(0);
        if (job.unique.empty()) // of those with a key, another push may set the time
            job.not_before = all_.wall_time() + length(options.delay);
        job.is_plain = length(options.delay) == 0 && options.limits.empty() && !options.group &&
                       !options.order_key && options.depends.empty() && job.unique.empty();
        for (const auto& parent : options.depends)
            if (job.unique.empty() && account_.of("letters", parent).pushed != never)
                job.parents.push_back(parent);
    }

    /// Cancels jobs, pauses the queue for a while, and seldom purges it.
    asio::awaitable<void> interfere(simulated_process& me)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        managed_queue letters{redis, "letters"};
        managed_client jobs{redis};
        bool goes_on = true;
        me.stop = [&] { goes_on = false; };
        while (goes_on) {
            co_await rest(random_.between(0, 40 * second));
            if (random_.chance(0.2)) {
                const bool delays = random_.chance(0.5);
                co_await insist(me, [&]() -> asio::awaitable<void> {
                    if (delays)
                        co_await letters.async_pause_delays();
                    else
                        co_await letters.async_pause();
                });
                account_.acknowledge_pause("letters");
                co_await rest(random_.between(0, 10 * second));
                account_.resume("letters");
                co_await insist(me, [&]() -> asio::awaitable<void> { co_await letters.async_resume(); });
            } else if (random_.chance(0.25)) {
                const auto what = something_to_hold();
                const auto time = std::chrono::seconds{random_.between(1, 8)};
                all_.tell(me.name,
                          "holds " + std::string{what.name} + " for " + std::to_string(time.count()) + " s");
                co_await insist(me, [&]() -> asio::awaitable<void> { co_await jobs.async_hold(what, time); });
                co_await rest(time.count() * second);
            } else if (random_.chance(0.05)) {
                co_await insist(me, [&] { return purge(me, redis); });
            } else if (producers_ != 0) {
                auto& job = account_.of(
                    "letters", "job-" + std::to_string(random_.below(static_cast<std::size_t>(jobs_each()))));
                if (job.pushed != never) {
                    all_.tell(me.name, "cancels " + job.id);
                    co_await insist(me, [&] { return cancel(jobs, job); });
                }
            }
        }
    }

    hold_target something_to_hold()
    {
        const auto number = std::to_string(random_.below(3));
        switch (random_.below(4)) {
        case 0:
            return {.kind = hold_kind::queue, .name = "letters"};
        case 1:
            return {.kind = hold_kind::limit, .name = random_.chance(0.5) ? "narrow" : "wide"};
        case 2:
            return {.kind = hold_kind::order_key, .name = "line-" + number};
        default:
            return {.kind = hold_kind::group, .name = "group-" + number, .queue = "letters"};
        }
    }

    /// What was pushed by then, and is not known to have ended, may be gone without a run. What is pushed later may not.
    asio::awaitable<void> purge(const simulated_process& me, client& redis)
    {
        static constexpr std::array states = {job_state::waiting, job_state::scheduled, job_state::depends,
                                              job_state::stalled, job_state::failed};
        const inspector hand{redis};
        const auto state = states[random_.below(states.size())];
        purge_result done;
        std::exception_ptr failure;
        try {
            done = co_await hand.async_purge(queue_ref::managed("letters"), state);
        } catch (const system_error&) {
            failure = std::current_exception();
        }
        all_.tell(me.name,
                  "purges " + std::string{to_string(state)} + " jobs: " + std::to_string(done.purged));
        for (const auto& [name, known] : account_.jobs())
            if (known.queue == "letters" && known.told == never)
                account_.of("letters", known.id).may_go =
                    account_.of("letters", known.id).is_interfered_with = true;
        if (failure)
            std::rethrow_exception(failure);
    }

    /// Jobs that wait for their time, or run already, go to another queue.
    asio::awaitable<void> move_jobs(simulated_process& me)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        managed_queue letters{redis, "letters"}, parcels{redis, "parcels"};
        for (; moved_ != jobs_each() / 8; ++moved_) {
            const auto id = "mover-" + std::to_string(moved_);
            auto& before = account_.of("letters", id);
            before.may_go = before.is_interfered_with = before.is_moved = true;
            managed_push_options options;
            options.delay = std::chrono::seconds{random_.between(0, 20)};
            co_await insist(me, [&] { return push_to_managed(letters, before, options); });
            co_await rest(random_.between(0, 20 * second));
            managed_job job;
            job.jid = id;
            job.kind = "Letter";
            job.data = encode(numbered_job{}).value();
            co_await move(me, parcels, job);
        }
    }

    /// Once: whoever repeats it moves a job that may have ended meanwhile.
    asio::awaitable<void> move(const simulated_process& me, managed_queue& to, const managed_job& job)
    {
        auto& after = account_.of("parcels", job.jid);
        after.has_effect = true;
        managed_push_options options;
        options.retries = 1000U;
        try {
            static_cast<void>((co_await to.async_requeue(job, options)).value());
            account_.acknowledge_push(after);
            account_.acknowledge_cancellation(account_.of("letters", job.jid));
        } catch (const system_error& error) {
            all_.tell(me.name, std::string{"leaves a move in doubt: "} + error.what());
        }
    }

    /// In the other queue as well, if it has been forwarded by then.
    asio::awaitable<void> cancel(managed_client& jobs, job_record& job)
    {
        std::vector<job_record*> records{&job};
        if (!job.next.empty())
            records.push_back(&account_.of(job.next, job.id));
        for (auto* record : records)
            record->is_interfered_with = true;
        if (!co_await jobs.async_cancel(text_list{job.id}))
            co_return;
        for (auto* record : records)
            account_.acknowledge_cancellation(*record);
    }

    void add_queues(simulated_process& me, client& redis, worker& hand) override
    {
        managed_queue parcels{redis, "parcels"};
        clients_[&me] = &redis;
        handlers_by_kind handlers;
        handlers.on<numbered_job>("Letter", [this, &me](numbered_job job, job_context& context) {
            return run_job(me, job.number, context);
        });
        hand.handle(parcels, std::move(handlers), handling());
    }

    outcome succeed(job_record& job, job_context& context) override
    {
        if (pushes_child(job)) {
            managed_push_options options;
            options.retries = 1000U;
            options.jid = "child-" + job.id + '-' + std::to_string(context.attempt());
            const managed_queue parcels{*clients_.at(job.runner), "parcels"};
            const numbered_job child{job.number};
            context.effects().push(parcels, "Letter", child, options);
        }
        if (job.id.ends_with("@done"))
            check_batch(job.id.substr(0, job.id.find('@')));
        if (job.next == "parcels" && job.queue == "letters") {
            account_.of("parcels", job.id).may_go = job.may_go; // its expiry goes with it
            return forward("parcels");
        }
        return success_with(numbered_job{job.number});
    }

    /// Its acknowledgement pushes another job.
    static bool pushes_child(const job_record& job)
    {
        return job.queue == "letters" && job.number % 4 == 1 && job.id.starts_with("job-");
    }

    /// As many jobs were pushed by acknowledgements as succeeded, each by that of the last run.
    void check_children()
    {
        std::map<std::string, std::string> children; ///< by parent: the attempt
        for (const auto& [name, job] : account_.jobs())
            if (job.id.starts_with("child-") && job.runs != 0) {
                const auto dash = job.id.rfind('-');
                const auto parent = job.id.substr(6, dash - 6);
                if (!children.emplace(parent, job.id.substr(dash + 1)).second)
                    account_.violate("it was acknowledged with a push more than once: " + parent);
                if (!job.has_ended())
                    account_.violate("it was pushed by an acknowledgement, and has not ended: " + name);
            }
        for (const auto& [name, job] : account_.jobs()) {
            if (!pushes_child(job))
                continue;
            const auto child = children.find(job.id);
            const bool is_owed = job.has_ended() && job.succeeds && !job.may_go && job.cancelled == never;
            if (is_owed && child == children.end())
                account_.violate("it succeeded, and did not push: " + name);
            if (child == children.end())
                continue;
            const auto run = job.run_of_attempt.find(static_cast<unsigned>(std::stoul(child->second)));
            if (run == job.run_of_attempt.end() || run->second != job.last)
                account_.violate("it pushed with a run that was not the last one: " + name);
        }
    }

    /// The callback runs when all jobs have ended.
    void check_batch(const std::string& batch)
    {
        for (const auto& [name, job] : account_.jobs())
            if (job.batch == batch && job.queue == "letters" && job.runs != 0 && !job.has_ended() &&
                !job.may_go && job.cancelled == never)
                account_.violate("the callback of its batch runs before its end: " + name);
    }

    void check_end() override
    {
        check_children();
        for (const auto& [name, job] : account_.jobs()) // a second callback would have a name of its own
            if (job.id.find("@done@") != job.id.npos)
                account_.violate("a batch has a second callback: " + name);
        for (const auto& [name, job] : account_.jobs())
            if (job.next == "parcels" && job.queue == "letters" && job.has_ended() && job.succeeds &&
                !job.may_go && job.cancelled == never && !account_.of("parcels", job.id).has_ended())
                account_.violate("it was forwarded, and has not ended there: " + name);
    }

    int moved_ = 0;
    jobs_of_keys keys_;
    std::map<const process_of_handlers*, client*> clients_; ///< of workers that run
};

} // namespace

std::unique_ptr<scene> make_features(simulation& all, const scene_options& how)
{
    return std::make_unique<features_scene>(all, how);
}

} // namespace coworker::test
