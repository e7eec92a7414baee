// SPDX-License-Identifier: MIT
#include "simulation/simulation.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace coworker::test {

simulation* simulation::present_ = nullptr;

namespace {

constexpr nanoseconds age_of_machine = 1'000'000 * second;
/// What a turn of a process, and one of Redis, takes: time passes, so that nothing goes on at one moment for ever.
constexpr nanoseconds turn_of_process = 5 * microsecond, turn_of_redis = 10 * microsecond;

world* make_page(nanoseconds begins)
{
    const int file = ::open("world", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ::ftruncate(file, sizeof(world)) != 0)
        throw std::runtime_error{"the simulation has no page to share with Redis"};
    auto* const page =
        static_cast<world*>(::mmap(nullptr, sizeof(world), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    ::close(file);
    page->now = age_of_machine;
    page->wall = begins - age_of_machine;
    page->turn = 0;
    page->wakes = never;
    page->is_joined = false;
    return page;
}

/// What Redis reads instead of a file of the system's.
void write_statistics()
{
    std::string numbers;
    for (int i = 0; i != 50; ++i)
        numbers += " 1";
    std::ofstream{"stat"} << "4242 (redis-server) S" << numbers << '\n';
}

/// What Redis takes its random numbers from. They differ each time that it starts: so does its `run_id`.
void write_noise(random_stream& random)
{
    std::ofstream noise{"random", std::ios::binary};
    for (int i = 0; i != 64; ++i) {
        const auto word = random.draw();
        noise.write(reinterpret_cast<const char*>(&word), sizeof word);
    }
}

} // namespace

simulation::simulation(simulation_options how)
    : how_{std::move(how)}, page_{make_page(how_.begins)}, for_program_{how_.seed, 3}, for_turns_{how_.seed,
                                                                                                  4},
      for_redis_{how_.seed, 0}, redis_{*page_, how_.server, how_.library}, network_{*this, how_.seed}
{
    write_statistics();
    record_.zero = now();
    record_.prints_events = how_.prints_events;
    record_.prints_wire = how_.prints_wire;
    present_ = this;
}

simulation::~simulation()
{
    for (auto& each : processes_) {
        current_ = each.get();
        each->io.reset();
    }
    present_ = nullptr;
}

// --- processes ---

simulated_process& simulation::add(std::string name, std::function<void(simulated_process&)> program)
{
    auto& made = *processes_.emplace_back(std::make_unique<simulated_process>());
    made.name = std::move(name);
    made.number = static_cast<int>(processes_.size());
    made.program = std::move(program);
    return made;
}

void simulation::start(simulated_process& process)
{
    if (process.is_alive())
        return;
    // Without a timerfd Asio says how long it would wait for the next timer.
    process.io =
        std::make_unique<boost::asio::io_context>(boost::asio::config_from_string{"reactor.use_timerfd=0"});
    process.next_timer = never;
    process.frozen_until = 0;

    process.disturb(now());
    process.is_runnable = true;
    process.has_ended = false;
    tell(process.name, "starts");
    current_ = &process;
    process.program(process);
    current_ = nullptr;
}

void simulation::kill(simulated_process& process, bool with_machine)
{
    if (!process.is_alive())
        return;
    tell(process.name, with_machine ? "is lost with its machine" : "is killed");
    network_.lose(process, with_machine);
    process.stop = nullptr;
    current_ = &process;
    process.io.reset(); // its coroutines are destroyed, and nobody hears of that
    current_ = nullptr;
    process.next_timer = never;
    process.is_runnable = false;
}

void simulation::stop(simulated_process& process)
{
    if (!process.is_alive() || !process.stop)
        return;
    tell(process.name, "is asked to stop");
    current_ = &process;
    process.stop();
    current_ = nullptr;
    process.is_runnable = true;
}

// --- Redis ---

void simulation::start_redis()
{
    if (redis_.runs())
        return;
    write_noise(for_redis_);
    redis_.start();
    disturb_redis(now());
    tell("redis", "starts");
}

void simulation::kill_redis(std::optional<std::uintmax_t> forget_behind)
{
    if (!redis_.runs())
        return;
    redis_.kill();
    network_.lose_redis();
    if (forget_behind)
        redis_.forget_behind(*forget_behind);
    tell("redis", forget_behind ? "is killed, and its last writes are lost" : "is killed");
}

void simulation::freeze_redis(nanoseconds until)
{
    frozen_until_ = until;
    disturb_redis(until);
    tell("redis", "is frozen");
}

void simulation::let_redis_run()
{
    redis_.hand_over();
    page_->now += turn_of_redis;
    network_.collect_from_redis();
}

std::vector<std::string> simulation::ask(const std::vector<std::string>& words)
{
    if (!redis_.runs())
        return {};
    auto answer = redis_.ask(words);
    network_.collect_from_redis();
    return answer;
}

// --- time ---

nanoseconds simulation::next_due() const
{
    auto first = plan_.empty() ? never : plan_.begin()->first;
    for (const auto& each : processes_)
        if (each->is_alive())
            first =
                std::min(first, std::max(each->is_runnable ? now() : each->next_timer, each->frozen_until));
    first = std::min(first, network_.next_due());
    if (redis_.runs() && redis_.wakes() != never)
        first = std::min(first, std::max({redis_.wakes(), frozen_until_, redis_ran_ + how_.shortest_sleep}));
    return first;
}

bool simulation::run_plan()
{
    if (plan_.empty() || plan_.begin()->first > now())
        return false;
    const auto what = std::move(plan_.begin()->second);
    plan_.erase(plan_.begin());
    what();
    return true;
}

bool simulation::run_process()
{
    std::vector<simulated_process*> ready;
    for (const auto& each : processes_)
        if (each->is_alive() && (each->is_runnable || each->next_timer <= now()) &&
            each->frozen_until <= now())
            ready.push_back(each.get());
    if (ready.empty())
        return false;
    auto& process = *ready[ready.size() == 1 ? 0 : for_turns_.below(ready.size())];
    current_ = &process;
    process.is_runnable = false;
    process.next_timer = never;
    process.io->restart();
    process.io->run();
    current_ = nullptr;
    network_.collect_from(process);
    page_->now += turn_of_process;
    return true;
}

bool simulation::run_redis()
{
    if (!redis_.runs() || is_redis_frozen() || redis_.wakes() > now() ||
        redis_ran_ + how_.shortest_sleep > now())
        return false;
    redis_ran_ = now();
    let_redis_run();
    return true;
}

bool simulation::step()
{
    return run_plan() || run_process() || network_.deliver_one() || run_redis();
}

bool simulation::run(nanoseconds until, const std::function<bool()>& is_done)
{
    while (!is_done()) {
        if (now() >= until)
            return false;
        if (step())
            continue;
        const auto next = next_due();
        if (next == never)
            throw std::runtime_error{"nothing will ever happen again"};
        page_->now = std::max(now(), std::min(next, until));
    }
    return true;
}

} // namespace coworker::test
