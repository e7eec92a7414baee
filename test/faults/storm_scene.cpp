// SPDX-License-Identifier: MIT
#include "storm_scene.hpp"

#include "lost_job.hpp"
#include "record_lines.hpp"

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
    return process{{FAULT_WORKER, how_.url_of(place), scene_.works_on, "20", std::to_string(lease.count()),
                    "20", "3000", scene_.record.path(), "mixed"},
                   scene_.records.file("workers.log")};
}

process storm_scene::new_producer(std::size_t place)
{
    constexpr std::size_t numbers_of_one = 10'000'000;
    const auto first = std::exchange(next_number_, next_number_ + numbers_of_one);
    std::vector<std::string> command{FAULT_PRODUCER, how_.url_of(place), scene_.works_on,
                                     std::to_string(first), scene_.records.file("accepted")};
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

std::set<std::string> storm_scene::accepted()
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
    const auto numbers = read_lines(scene_.records.file("accepted"));
    return {numbers.begin(), numbers.end()};
}

void storm_scene::check_that_all_work(const std::function<void(std::size_t, std::size_t)>& push)
{
    std::vector<std::size_t> before;
    scene_.record.refresh();
    for (const auto& worker : workers_)
        before.push_back(scene_.record.runs_by(worker.id()));
    constexpr std::size_t portion = 200;
    std::size_t begin = 0, end = 0; // of those pushed last
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
        }
        for (std::size_t place = 0; place != workers_at_once; ++place)
            if (scene_.record.runs_by(workers_[place].id()) == before[place])
                return false;
        return true;
    });
}

void storm_scene::check_that_nothing_is_lost(const std::set<std::string>& accepted,
                                             const std::vector<std::string>& folders)
{
    for (auto& worker : workers_)
        worker.signal(SIGTERM);
    for (auto& worker : workers_)
        BOOST_TEST(worker.wait() == 0);
    scene_.record.refresh();
    std::vector<std::string> lost;
    std::copy_if(accepted.begin(), accepted.end(), std::back_inserter(lost),
                 [&](const std::string& number) { return scene_.record.runs_of(number) == 0; });
    BOOST_TEST(accepted.size() > 100u);
    BOOST_TEST(lost.empty(), lost.size() << " accepted jobs never ran; repeat with STORM_SEED=" << seed_);
    for (const auto& number : std::span{lost}.first(std::min<std::size_t>(lost.size(), 5)))
        BOOST_ERROR(traces_of(number, folders, scene_.record.path()));
    std::string faults;
    for (const auto& [name, count] : counts_)
        faults += "\n  " + std::to_string(count) + ' ' + name;
    BOOST_TEST_MESSAGE("storm " << seed_ << ": " << accepted.size() << " jobs accepted, " << lost.size()
                                << " lost, " << scene_.record.jobs() << " ran, " << scene_.record.repeated()
                                << " more than once; " << scene_.record.runs() << " runs" << faults);
}

} // namespace coworker::test
