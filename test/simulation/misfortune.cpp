// SPDX-License-Identifier: MIT
#include "simulation/misfortune.hpp"

#include <string>

namespace coworker::test {

misfortune::misfortune(simulation& all, account& jobs, std::vector<simulated_process*> victims, weights how)
    : all_{all}, jobs_{jobs}, random_{all.options().seed, 6}, victims_{std::move(victims)}
{
    const auto add = [this](int weight, std::function<void()> what) {
        strikes_.insert(strikes_.end(), static_cast<std::size_t>(weight), what);
    };
    add(how.kill, [this] { kill_process(); });
    add(how.freeze, [this] { freeze_process(); });
    add(how.set_clock, [this] { set_clock(); });
    add(how.drift, [this] { let_clocks_drift(); });
    add(how.freeze_redis, [this] { all_.freeze_redis(all_.now() + random_.between(0, 30 * second)); });
    add(how.kill_redis, [this] { kill_redis(); });
    add(how.lose_writes, [this] { lose_writes(); });
    add(how.fill_memory, [this] { configure_for_a_while("maxmemory", "1", "0"); });
    add(how.read_only, [this] { be_replica_for_a_while(); });
    add(how.flush_scripts, [this] {
        all_.tell("redis", "forgets its scripts");
        all_.disturb_redis(all_.now());
        all_.ask({"SCRIPT", "FLUSH", "SYNC"});
    });
    add(how.close_connections, [this] {
        all_.tell("redis", "closes all connections");
        all_.disturb_redis(all_.now());
        all_.ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
        all_.ask({"CLIENT", "KILL", "TYPE", "pubsub"});
    });
}

void misfortune::begin(nanoseconds longest_pause)
{
    longest_pause_ = longest_pause;
    all_.after(random_.between(0, longest_pause_), [this] { strike(); });
}

void misfortune::strike()
{
    const auto& what = strikes_[random_.below(strikes_.size())];
    if (!all_.may_go_wrong())
        return;
    what();
    all_.after(random_.between(0, longest_pause_), [this] { strike(); });
}

void misfortune::kill_process()
{
    auto& process = victim();
    all_.kill(process, random_.chance(0.3));
    all_.after(random_.between(0, 2 * minute), [this, &process] { all_.start(process); });
}

/// SIGSTOP, or a machine that was put to sleep.
void misfortune::freeze_process()
{
    auto& process = victim();
    process.frozen_until = all_.now() + random_.between(0, 75 * second);
    process.disturb(process.frozen_until);
    all_.tell(process.name, "is frozen");
}

void misfortune::set_clock()
{
    auto& process = victim();
    process.wall_offset = random_.between(-10 * minute, 10 * minute);
    all_.tell(process.name, "has another clock");
}

/// Both of them, by up to a twentieth. A lease is given up when nine tenths of it have passed, so a tenth would be too much.
void misfortune::let_clocks_drift()
{
    auto& process = victim();
    process.let_drift(all_.now(), static_cast<double>(random_.between(-50, 50)) / 1000);
    all_.tell(process.name, "has clocks that drift");
}

void misfortune::kill_redis()
{
    all_.kill_redis();
    all_.after(random_.between(0, 30 * second), [this] { all_.start_redis(); });
}

void misfortune::lose_writes()
{
    if (!all_.redis().runs())
        return;
    const auto size = all_.redis().written();
    const auto since = all_.now();
    all_.after(random_.between(0, 10 * second), [this, size, since] {
        if (!all_.redis().runs())
            return;
        jobs_.forget_since(since);
        all_.kill_redis(size);
        all_.after(random_.between(0, 30 * second), [this] { all_.start_redis(); });
    });
}

void misfortune::configure_for_a_while(const char* option, const char* value, const char* usual)
{
    all_.tell("redis", std::string{"is set "} + option + ' ' + value);
    all_.ask({"CONFIG", "SET", option, value});
    const auto time = random_.between(0, 30 * second);
    all_.disturb_redis(all_.now() + time);
    all_.after(time, [this, option, usual] {
        all_.tell("redis", std::string{"is set "} + option + ' ' + usual);
        all_.ask({"CONFIG", "SET", option, usual});
    });
}

/// A replica refuses writes.
void misfortune::be_replica_for_a_while()
{
    all_.tell("redis", "becomes a replica");
    all_.ask({"REPLICAOF", "127.0.0.1", "1"});
    const auto time = random_.between(0, 30 * second);
    all_.disturb_redis(all_.now() + time);
    all_.after(time, [this] {
        all_.tell("redis", "becomes the primary");
        all_.ask({"REPLICAOF", "NO", "ONE"});
    });
}

} // namespace coworker::test
