// SPDX-License-Identifier: MIT
#include "storm_scene.hpp"

#include "account_lines.hpp"
#include "lost_job.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <span>
#include <thread>
#include <utility>

namespace coworker::test {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t workers_at_once = 4, producers_at_once = 2;

std::size_t from_environment(const char* name, std::size_t otherwise)
{
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::stoul(text);
}

/// Where one of the programs is. STORM_OTHER in the environment is a folder with those of another release,
/// which is started as often (scripts/mixed-releases).
std::string drawn_release(std::string present, std::mt19937& random)
{
    const char* other = std::getenv("STORM_OTHER");
    if (other == nullptr || random() % 2 == 0)
        return present;
    return other + present.substr(present.rfind('/'));
}

} // namespace

// --- the scene -----------------------------------------------------------------------

storm_scene::storm_scene(fault_scene& scene, options how)
    : scene_{scene}, how_{std::move(how)}, seed_{static_cast<unsigned>(
                                               from_environment("STORM_SEED", std::random_device{}()))},
      duration_{from_environment("STORM_SECONDS", 50)}, frozen_(workers_at_once, false)
{
    scene_.random.seed(seed_);
}

process storm_scene::new_worker(std::size_t place)
{
    frozen_[place] = false;
    return process{{drawn_release(FAULT_WORKER, scene_.random), how_.url_of(place), scene_.works_on, "20",
                    std::to_string(lease.count()), "20", "3000", scene_.record.path(),
                    how_.ask ? "counted" : "mixed"},
                   scene_.records.file("workers.log")};
}

process storm_scene::new_producer(std::size_t place)
{
    constexpr std::size_t numbers_of_one = 10'000'000;
    const auto first = std::exchange(next_number_, next_number_ + numbers_of_one);
    std::vector<std::string> command{drawn_release(FAULT_PRODUCER, scene_.random), how_.url_of(place),
                                     scene_.works_on, std::to_string(first), account_file()};
    command.insert(command.end(), how_.producer_words.begin(), how_.producer_words.end());
    return process{command, scene_.records.file("producers.log")};
}

void storm_scene::start_all()
{
    for (std::size_t place = 0; place != workers_at_once; ++place)
        workers_.push_back(new_worker(place));
    for (std::size_t place = 0; place != producers_at_once; ++place)
        producers_.push_back(new_producer(place));
    for (const auto& worker : workers_)
        scene_.wait_until_it_works(worker);
}

void storm_scene::later(std::chrono::milliseconds after, std::function<void()> act)
{
    promises_.push_back({clock::now() + after, std::move(act)});
}

void storm_scene::undo(clock::time_point until)
{
    const auto is_due = [until](const promise& one) { return one.when <= until; };
    for (;;) { // what is done may promise more
        scene_.look_after_servers();
        const auto next = std::ranges::find_if(promises_, is_due);
        if (next == promises_.end())
            return;
        const auto act = std::move(next->act);
        promises_.erase(next);
        act();
    }
}

void storm_scene::rage(std::vector<fault> faults_of_servers)
{
    auto faults = faults_of_processes();
    std::ranges::move(faults_of_servers, std::back_inserter(faults));
    start_all();
    const auto end = clock::now() + duration_;
    while (clock::now() < end) {
        disturb(faults);
        std::this_thread::sleep_for(some(20, 400));
        undo(clock::now());
        for (auto& worker : workers_)
            BOOST_TEST_REQUIRE(worker.is_running(), "a worker has ended by itself\n" << scene_.worker_log());
    }
    undo(clock::time_point::max());
}

// --- what happens --------------------------------------------------------------------

std::vector<storm_scene::fault> storm_scene::faults_of_processes()
{
    return {{"worker killed", 4, [this] { kill_worker(); }},
            {"worker frozen", 3, [this] { freeze_worker(); }},
            {"worker stopped", 2, [this] { stop_worker(); }},
            {"producer killed", 2, [this] { kill_producer(); }}};
}

void storm_scene::disturb(const std::vector<fault>& faults)
{
    std::vector<int> weights;
    for (const auto& one : faults)
        weights.push_back(one.weight);
    std::discrete_distribution<std::size_t> draw{weights.begin(), weights.end()};
    const auto& chosen = faults[draw(scene_.random)];
    ++counts_[chosen.name];
    chosen.act();
}

void storm_scene::kill_worker()
{
    const auto place = scene_.random_between(0, workers_at_once - 1);
    workers_[place].kill();
    workers_[place] = new_worker(place);
}

void storm_scene::freeze_worker()
{
    const auto place = scene_.random_between(0, workers_at_once - 1);
    if (frozen_[place])
        return;
    frozen_[place] = true;
    workers_[place].signal(SIGSTOP);
    later(some(100, 3 * lease.count()), [this, place, id = workers_[place].id()] {
        if (workers_[place].id() != id) // killed meanwhile
            return;
        frozen_[place] = false;
        workers_[place].signal(SIGCONT);
    });
}

void storm_scene::stop_worker()
{
    const auto place = scene_.random_between(0, workers_at_once - 1);
    if (frozen_[place])
        return;
    workers_[place].signal(SIGTERM);
    // It may end long after: Redis may be away. What it does until then, and another beside it, must fit together.
    auto old = std::make_shared<process>(std::exchange(workers_[place], new_worker(place)));
    later(some(0, 5'000), [old] { old->kill(); });
}

void storm_scene::kill_producer()
{
    const auto place = scene_.random_between(0, producers_at_once - 1);
    producers_[place].kill();
    producers_[place] = new_producer(place);
}

// --- the account ---------------------------------------------------------------------

std::string storm_scene::account_file() const
{
    return account_beside(scene_.record.path());
}

void storm_scene::stop_producers()
{
    scene_.wait_until("the producers listen to signals", [&] { // one may have been started a moment ago
        const auto log = scene_.log_in("producers.log");
        return std::ranges::all_of(producers_, [&](const process& one) {
            return log.find(std::to_string(one.id()) + " listens") != std::string::npos;
        });
    });
    for (auto& producer : producers_)
        producer.signal(SIGTERM);
    for (auto& producer : producers_)
        BOOST_TEST(producer.wait() == 0);
}

void storm_scene::check_that_all_work(const std::function<void(std::size_t, std::size_t)>& push)
{
    std::vector<std::size_t> before;
    scene_.record.refresh();
    for (const auto& worker : workers_)
        before.push_back(scene_.record.runs_by(worker.id()));
    constexpr std::size_t portion = 200;
    std::size_t begin = 0, end = 0; // of those pushed last
    const auto queue = scene_.works_on.substr(is_managed() ? managed_.size() : 0);
    const int accounts = open_record(account_file().c_str());
    const auto all_have_run = [&] {
        for (auto number = begin; number != end; ++number)
            if (scene_.record.runs_of(std::to_string(number)) == 0)
                return false;
        return true;
    };
    scene_.wait_until("every worker has run something after the storm", [&] {
        scene_.record.refresh();
        if (all_have_run()) { // so that there is something to do for one that has not
            begin = std::exchange(next_number_, next_number_ + portion);
            end = next_number_;
            push(begin, end);
            for (auto number = begin; number != end; ++number)
                write_pushed(accounts, queue, "job-" + std::to_string(number), 0);
        }
        for (std::size_t place = 0; place != workers_at_once; ++place)
            if (scene_.record.runs_by(workers_[place].id()) == before[place])
                return false;
        return true;
    });
    ::close(accounts);
}

void storm_scene::check_account(const std::vector<std::string>& folders)
{
    for (auto& worker : workers_)
        worker.signal(SIGTERM);
    for (auto& worker : workers_)
        BOOST_TEST(worker.wait() == 0);
    storm_account all{account_file(), is_managed(), how_.ask};
    const auto& wrong = all.check();
    BOOST_TEST(wrong.empty(), wrong.size() << " violations; repeat with STORM_SEED=" << seed_);
    for (const auto& what : std::span{wrong}.first(std::min<std::size_t>(wrong.size(), 5)))
        BOOST_ERROR(what << traces_of_job_in(what, folders, scene_.record.path()));
    print(all);
}

void storm_scene::print(const storm_account& all) const
{
    std::size_t accepted = 0, repeated = 0;
    for (const auto& [name, job] : all.jobs.jobs()) {
        accepted += job.pushed != never ? 1 : 0;
        repeated += job.runs > 1 ? 1 : 0;
    }
    BOOST_TEST(accepted > 100u);
    std::string faults;
    for (const auto& [name, count] : counts_)
        faults += "\n  " + std::to_string(count) + ' ' + name;
    const auto& count = all.jobs.count;
    BOOST_TEST_MESSAGE("storm " << seed_ << ": " << accepted << " jobs accepted, " << all.jobs.jobs().size()
                                << " known, " << repeated << " succeeded more than once; " << count.runs
                                << " runs succeeded, " << count.retried << " retried, " << count.told
                                << " told, " << count.in_doubt << " in doubt, " << count.lost_leases
                                << " leases lost, " << count.recovered << " recovered" << faults);
}

} // namespace coworker::test
