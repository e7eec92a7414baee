// SPDX-License-Identifier: MIT
#include "storm_scene.hpp"

#include "lost_job.hpp"
#include "record_lines.hpp"

#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <future>
#include <span>
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

// --- the proxy -----------------------------------------------------------------------

proxy_thread::proxy_thread(std::string path, std::string server_path)
    : proxy_{io_.get_executor(), std::move(path), std::move(server_path)}, thread_{[this] { io_.run(); }}
{}

proxy_thread::~proxy_thread()
{
    call([this] { proxy_.close(); });
    work_.reset();
}

void proxy_thread::call(std::function<void()> function)
{
    std::packaged_task<void()> task{std::move(function)};
    auto done = task.get_future();
    asio::post(io_, std::move(task));
    done.get();
}

std::string proxy_thread::url()
{
    return proxy_.url();
}

void proxy_thread::cut()
{
    call([this] { proxy_.cut(); });
}

void proxy_thread::lose_answers()
{
    call([this] { proxy_.swallow_answer_to("EVALSHA"); });
}

// --- the scene -----------------------------------------------------------------------

storm_scene::storm_scene(std::string queue)
    : fault_test{{.append_only = true}, std::move(queue)}, seed_{static_cast<unsigned>(from_environment(
                                                               "STORM_SEED", std::random_device{}()))},
      duration_{from_environment("STORM_SECONDS", 50)}, proxy_{server.folder().file("proxy.sock"),
                                                               server.socket_path()},
      frozen_(workers_at_once, false)
{
    random.seed(seed_);
}

process storm_scene::new_worker(std::size_t place)
{
    const auto url = place == 0 ? server.url() : proxy_.url();
    frozen_[place] = false;
    return process{{FAULT_WORKER, url, works_on, "20", std::to_string(lease.count()), "20", "3000",
                    record.path(), "mixed"},
                   server.folder().file("workers.log")};
}

process storm_scene::new_producer(std::size_t place)
{
    constexpr std::size_t numbers_of_one = 10'000'000;
    const auto first = std::exchange(next_number_, next_number_ + numbers_of_one);
    return process{{FAULT_PRODUCER, place == 0 ? server.url() : proxy_.url(), works_on, std::to_string(first),
                    server.folder().file("accepted")},
                   server.folder().file("producers.log")};
}

void storm_scene::start_all()
{
    for (std::size_t place = 0; place != workers_at_once; ++place)
        workers_.push_back(new_worker(place));
    for (std::size_t place = 0; place != producers_at_once; ++place)
        producers_.push_back(new_producer(place));
    for (const auto& worker : workers_)
        wait_until_it_works(worker);
}

void storm_scene::later(std::chrono::milliseconds after, std::function<void()> act)
{
    promises_.push_back({clock::now() + after, std::move(act)});
}

void storm_scene::undo(clock::time_point until)
{
    const auto due = [until](const promise& one) { return one.when <= until; };
    std::vector<promise> now;
    std::copy_if(promises_.begin(), promises_.end(), std::back_inserter(now), due);
    std::erase_if(promises_, due);
    for (const auto& one : now)
        one.act();
}

void storm_scene::rage()
{
    start_all();
    const auto end = clock::now() + duration_;
    while (clock::now() < end) {
        disturb();
        std::this_thread::sleep_for(some(20, 400));
        undo(clock::now());
        for (auto& worker : workers_)
            BOOST_TEST_REQUIRE(worker.is_running(), "a worker has ended by itself\n" << worker_log());
    }
    undo(clock::time_point::max());
}

// --- what happens --------------------------------------------------------------------

void storm_scene::disturb()
{
    struct fault
    {
        const char* name;
        int weight;
        void (*act)(storm_scene&);
    };
    static constexpr std::array<fault, 12> all{{
        {"worker killed", 4, [](storm_scene& s) { s.kill_worker(); }},
        {"worker frozen", 3, [](storm_scene& s) { s.freeze_worker(); }},
        {"worker stopped", 2, [](storm_scene& s) { s.stop_worker(); }},
        {"producer killed", 2, [](storm_scene& s) { s.kill_producer(); }},
        {"Redis killed", 2, [](storm_scene& s) { s.restart_server(); }},
        {"Redis frozen", 2, [](storm_scene& s) { s.freeze_server(); }},
        {"memory full", 2, [](storm_scene& s) { s.fill_memory(); }},
        {"scripts forgotten", 2, [](storm_scene& s) { s.server("SCRIPT", "FLUSH"); }},
        {"all connections closed", 1, [](storm_scene& s) { s.server("CLIENT", "KILL", "TYPE", "pubsub"); }},
        {"proxy cut", 4, [](storm_scene& s) { s.proxy_.cut(); }},
        {"answers lost for a moment", 4,
         [](storm_scene& s) {
             s.proxy_.lose_answers();
             s.later(s.some(5, 200), [&s] { s.proxy_.cut(); });
         }},
        {"answers lost for long", 1,
         [](storm_scene& s) {
             s.proxy_.lose_answers();
             s.later(s.some(500, 3'000), [&s] { s.proxy_.cut(); });
         }},
    }};
    std::vector<int> weights;
    for (const auto& one : all)
        weights.push_back(one.weight);
    const auto& chosen = all[std::discrete_distribution<std::size_t>{weights.begin(), weights.end()}(random)];
    ++faults_[chosen.name];
    chosen.act(*this);
}

void storm_scene::kill_worker()
{
    const auto place = random_between(0, workers_at_once - 1);
    workers_[place].kill();
    workers_[place] = new_worker(place);
}

void storm_scene::freeze_worker()
{
    const auto place = random_between(0, workers_at_once - 1);
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
    const auto place = random_between(0, workers_at_once - 1);
    if (frozen_[place])
        return;
    workers_[place].signal(SIGTERM);
    // It may end long after: Redis may be away. What it does until then, and another beside it, must fit together.
    auto old = std::make_shared<process>(std::exchange(workers_[place], new_worker(place)));
    later(some(0, 5'000), [old] { old->kill(); });
}

void storm_scene::kill_producer()
{
    const auto place = random_between(0, producers_at_once - 1);
    producers_[place].kill();
    producers_[place] = new_producer(place);
}

void storm_scene::restart_server()
{
    server.kill();
    std::this_thread::sleep_for(some(0, 1'000));
    server.restart();
}

void storm_scene::freeze_server()
{
    server.freeze();
    std::this_thread::sleep_for(some(100, 2 * lease.count()));
    server.thaw();
}

void storm_scene::fill_memory()
{
    server("CONFIG", "SET", "maxmemory", "1mb");
    later(some(100, 1'000), [this] { server("CONFIG", "SET", "maxmemory", "0"); });
}

// --- the account ---------------------------------------------------------------------

std::set<std::string> storm_scene::accepted()
{
    wait_until("the producers listen to signals", [&] { // one may have been started a moment ago
        const auto log = log_in("producers.log");
        return std::ranges::all_of(producers_, [&](const process& one) {
            return log.find(std::to_string(one.id()) + " listens") != std::string::npos;
        });
    });
    for (auto& producer : producers_)
        producer.signal(SIGTERM);
    for (auto& producer : producers_)
        BOOST_TEST(producer.wait() == 0);
    const auto numbers = read_lines(server.folder().file("accepted"));
    return {numbers.begin(), numbers.end()};
}

void storm_scene::check_that_all_work(const std::function<void(std::size_t, std::size_t)>& push)
{
    std::vector<std::size_t> before;
    record.refresh();
    for (const auto& worker : workers_)
        before.push_back(record.runs_by(worker.id()));
    constexpr std::size_t portion = 200;
    std::size_t begin = 0, end = 0; // of those pushed last
    const auto all_have_run = [&] {
        for (auto number = begin; number != end; ++number)
            if (record.runs_of(std::to_string(number)) == 0)
                return false;
        return true;
    };
    wait_until("every worker has run something after the storm", [&] {
        record.refresh();
        if (all_have_run()) { // so that there is something to do for one that has not
            begin = std::exchange(next_number_, next_number_ + portion);
            end = next_number_;
            push(begin, end);
        }
        for (std::size_t place = 0; place != workers_at_once; ++place)
            if (record.runs_by(workers_[place].id()) == before[place])
                return false;
        return true;
    });
}

void storm_scene::check_that_nothing_is_lost(const std::set<std::string>& accepted)
{
    for (auto& worker : workers_)
        worker.signal(SIGTERM);
    for (auto& worker : workers_)
        BOOST_TEST(worker.wait() == 0);
    record.refresh();
    std::vector<std::string> lost;
    std::copy_if(accepted.begin(), accepted.end(), std::back_inserter(lost),
                 [&](const std::string& number) { return record.runs_of(number) == 0; });
    BOOST_TEST(accepted.size() > 100u);
    BOOST_TEST(lost.empty(), lost.size() << " accepted jobs never ran; repeat with STORM_SEED=" << seed_);
    for (const auto& number : std::span{lost}.first(std::min<std::size_t>(lost.size(), 5)))
        BOOST_ERROR(traces_of(number, server.folder().path(), record.path()));
    std::string faults;
    for (const auto& [name, count] : faults_)
        faults += "\n  " + std::to_string(count) + ' ' + name;
    BOOST_TEST_MESSAGE("storm " << seed_ << ": " << accepted.size() << " jobs accepted, " << lost.size()
                                << " lost, " << record.jobs() << " ran, " << record.repeated()
                                << " more than once; " << record.runs() << " runs" << faults);
}

} // namespace coworker::test
