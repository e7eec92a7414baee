// SPDX-License-Identifier: MIT
#include "simulation/scenes/calendar.hpp"
#include "simulation/scenes/scenes.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <set>

namespace coworker::test {

namespace {

using namespace std::chrono_literals;

constexpr nanoseconds week = 7 * day, interval = 4 * hour;

/// A month with three switches of daylight saving, forward and back, in three zones: schedules, a recurring job, back-offs
/// of hours, records that are kept for weeks. Workers are there at each switch, and otherwise come and go; all are away for
/// days.
class long_times_scene : public scene
{
public:
    using scene::scene;

private:
    void begin() override
    {
        behaviour_ = {
            .longest = 5s, .throws = 5, .retries = 10, .fails = 3, .releases = 0, .longest_retry = 3h};
        health_check_ = 10min;
        begins_ = all_.wall_time();
        auto& first = add_worker("worker-1");
        auto& second_one = add_worker("worker-2");
        for (auto* const each : {&first, &second_one})
            each->let_drift(all_.now(), static_cast<double>(random_.between(-200, 200)) / 1e6);
        for (const auto moment : switches_of_month(how_.seed))
            visit(first, moment - begins_ - random_.between(0, hour), random_.between(2 * hour, 3 * hour));
        for (nanoseconds when = 0; when < length_of_month - 3 * day;) {
            auto& who = random_.chance(0.5) ? first : second_one;
            const auto time = random_.between(15 * minute, hour);
            visit(who, when, time);
            when += time + random_.between(0, 4 * day);
        }
        for (auto* const each : {&first, &second_one})
            visit(*each, length_of_month - 2 * hour, never);
        all_.start(
            add_producer("producer", [this](simulated_process& me) { return set_up(me, jobs_or(40)); }));
        look_at_records();
    }

    nanoseconds storm() const override { return length_of_month; }
    nanoseconds patience() const override { return 2 * day; }
    nanoseconds between_looks() const override { return 10 * minute; }
    patience_of_standstill standing() const override
    {
        return {.settle = minute, .bound = 11 * minute, .lease = minute};
    }
    std::vector<std::string> may_leave() const override
    {
        return {"ql:coworker:schedules", "ql:coworker:schedule:*", "ql:coworker:forget"};
    }
    handle_options handling() const override
    {
        auto options = scene::handling();
        options.backoff =
            exponential_backoff{.initial = option_duration{60s}, .maximum = option_duration{2h}};
        return options;
    }

    // --- workers that come and go ---

    void visit(simulated_process& worker, nanoseconds from, nanoseconds time)
    {
        all_.after(std::max<nanoseconds>(from, 0), [this, &worker] {
            if (worker.has_ended)
                all_.kill(worker);
            all_.start(worker);
        });
        if (time != never)
            all_.after(std::max<nanoseconds>(from, 0) + time, [this, &worker] { leave(worker); });
    }

    /// Half of the time without a word.
    void leave(simulated_process& worker)
    {
        if (random_.chance(0.5))
            all_.stop(worker);
        else
            all_.kill(worker);
    }

    // --- what is pushed ---

    asio::awaitable<void> set_up(simulated_process& me, int count)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        schedules all_schedules{redis};
        managed_queue letters{redis, "letters"};
        managed_client jobs{redis};
        numbered_job letter;
        for (const auto& [name, when] : wanted()) {
            const auto& one = when;
            managed_push_options options;
            options.retries = 1000U;
            co_await all_schedules.async_set(name, one, "letters", "Letter", letter, options);
        }
        recur_options often;
        often.jid = "pulse";
        often.retries = 1000U;
        recurs_ = all_.wall_time();
        co_await letters.async_recur("Letter", letter, std::chrono::seconds{interval / second}, often);
        co_await push_over_month(redis, letters, count);
        co_await rest(begins_ + length_of_month - all_.wall_time());
        for (const auto& [name, when] : wanted())
            static_cast<void>(co_await all_schedules.async_remove(name));
        co_await jobs.async_unrecur("pulse");
        ends_ = all_.wall_time();
    }

    asio::awaitable<void> push_over_month(client& redis, managed_queue& letters, int count)
    {
        list_queue<numbered_job> numbers{redis, "numbers"};
        for (int i = 0; i != count; ++i) {
            auto& letter = account_.of("letters", "job-" + std::to_string(i));
            auto& number = account_.of("numbers", letter.id);
            letter.number = number.number = i;
            letter.has_effect = number.has_effect = i % 2 == 0;
            managed_push_options options;
            if (i % 5 != 0) { // otherwise a week, as usual
                letter.retention = i % 5 == 1 ? minute : (i % 5 - 1) * week;
                options.retention =
                    option_duration{std::chrono::milliseconds{letter.retention / millisecond}};
            }
            co_await push_to_list(numbers, number);
            co_await push_to_managed(letters, letter, options);
            co_await rest(begins_ + (i + 1) * (length_of_month - day) / count - all_.wall_time());
        }
    }

    static std::vector<std::pair<std::string, schedule>> wanted()
    {
        std::vector<std::pair<std::string, schedule>> all;
        for (const auto* const zone : zones) {
            schedule nightly;
            nightly.cron = zone == zones[2] ? "30 1 * * *" : "30 2 * * *";
            nightly.zone = zone;
            all.emplace_back(nightly_of(zone), nightly);
        }
        schedule hourly, often;
        hourly.cron = "15 * * * *";
        hourly.zone = zones[0];
        often.every = option_duration_of<std::chrono::seconds>{std::chrono::minutes{150}};
        all.emplace_back("hourly", hourly);
        all.emplace_back("often", often);
        for (auto& [name, each] : all)
            each.missed = missed_runs::all;
        return all;
    }

    static std::string nightly_of(const std::string& zone) { return "nightly " + zone; }

    // --- what has to be true ---

    /// As long as its retention is not over a job has a record.
    void look_at_records()
    {
        for (const auto& [name, job] : account_.jobs())
            if (is_kept(job) && !has_record(job))
                account_.violate("its record went before its retention was over: " + name);
        all_.after(6 * hour, [this] { look_at_records(); });
    }

    bool is_kept(const job_record& job) const
    {
        const bool is_kept_for_ever = !job.succeeds && job.retention == never;
        return job.is_managed && job.has_ended() && (is_kept_for_ever || all_.wall_time() <= over(job));
    }

    /// When its retention is.
    static nanoseconds over(const job_record& job)
    {
        return job.concluded + (job.retention != never ? job.retention : week);
    }

    bool has_record(const job_record& job)
    {
        return all_.ask({"EXISTS", "ql:j:" + job.id}) == std::vector<std::string>{"1"};
    }

    void check_end() override
    {
        check_schedules();
        check_recurring();
        nanoseconds last = 0; // the end of a job lets Redis forget
        for (const auto& [name, job] : account_.jobs())
            if (job.is_managed && job.has_ended())
                last = std::max(last, job.concluded);
        for (const auto& [name, job] : account_.jobs())
            if (job.is_managed && job.has_ended() && !is_kept(job) && over(job) + hour < last &&
                has_record(job))
                account_.violate("it has a record although its retention is over: " + name);
    }

    /// Each time of each schedule has a job, which has ended, and no other has. Each night has one.
    void check_schedules()
    {
        std::set<std::string> expected;
        for (const auto& [name, when] : wanted())
            for (const auto& time : next_times(when, timestamp_of(begins_), 10'000)) {
                if (time > timestamp_of(ends_))
                    break;
                const auto seconds =
                    std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
                expected.insert("letters " + name + '@' + std::to_string(seconds));
            }
        for (const auto& name : expected)
            if (const auto found = account_.jobs().find(name);
                found == account_.jobs().end() || !found->second.has_ended())
                account_.violate("a run of a schedule did not take place: " + name);
        for (const auto& [name, job] : account_.jobs())
            if (name.find('@') != name.npos && !expected.contains(name))
                account_.violate("a run of a schedule at a time that it does not have: " + name);
        for (const auto* const zone : zones)
            check_nights(zone);
    }

    /// Told by the clock of the C library, which knows nothing of cron lines.
    void check_nights(const std::string& zone)
    {
        std::map<std::string, int> runs;
        const auto prefix = "letters " + nightly_of(zone) + '@';
        for (const auto& [name, job] : account_.jobs())
            if (name.starts_with(prefix))
                ++runs[day_in(zone, std::stoll(name.substr(prefix.size())) * second)];
        for (auto time = begins_ + day; time < ends_ - day; time += 12 * hour)
            if (const auto date = day_in(zone, time); runs[date] != 1)
                account_.violate("a night has " + std::to_string(runs[date]) + " runs: " + date + ' ' + zone);
    }

    void check_recurring()
    {
        const auto begins = recurs_ / second * second;
        for (int number = 1; begins + (number - 1) * interval < ends_ - hour; ++number)
            if (!account_.of("letters", "pulse-" + std::to_string(number)).has_ended())
                account_.violate("a run of a recurring job did not take place: " + std::to_string(number));
        for (const auto& [name, job] : account_.jobs())
            if (job.id.starts_with("pulse-") && job.runs != 0 &&
                begins + (std::stoll(job.id.substr(6)) - 1) * interval > job.first_run)
                account_.violate("a recurring job runs before its time: " + name);
    }

    nanoseconds begins_ = 0, ends_ = 0, recurs_ = 0;
};

} // namespace

std::unique_ptr<scene> make_long_times(simulation& all, const scene_options& how)
{
    return std::make_unique<long_times_scene>(all, how);
}

} // namespace coworker::test
