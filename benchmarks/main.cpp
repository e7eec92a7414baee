// SPDX-License-Identifier: MIT
#include "peers.hpp"
#include "report.hpp"
#include "stage.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace bench {

const std::vector<benchmark>& all()
{
    static const std::vector<benchmark> list{
        {{"push"}, &push_figures},
        {{"drain.list", "drain.managed"}, &drain_here},
        {{"drain.list.tcp", "cpu.redis.list", "cpu.worker.list"}, &drain_list},
        {{"drain.managed.tcp", "cpu.redis.managed", "cpu.worker.managed"}, &drain_managed},
        {{"durable"}, &durable_figures},
        {{"latency.idle"}, &latency_here},
        {{"latency.idle.tcp", "latency.idle.managed.tcp", "latency.idle.partitions.tcp"}, &latency_tcp},
        {{"http", "cpu.redis.http", "peers.asynq"}, &http_figures},
        {{"work"}, &command_figures},
        {{"cluster"}, &cluster_figures},
        {{"threads.long", "threads.short"}, &handler_threads, true},
        {{"idle.commands"}, &idle_commands},
        {{"watching.commands"}, &watching_commands},
        {{"memory.list"}, &memory_list},
        {{"managed"}, &managed_costs},
        {{"load"}, &load_figures, true},
        {{"growth.list"}, &growth_of_lists, true},
        {{"growth.managed.waiting", "growth.managed.scheduled", "growth.managed.running",
          "growth.managed.failed", "growth.managed.completed", "growth.managed.held_back"},
         &growth_of_managed,
         true},
        {{"growth.managed.limited", "growth.managed.two_limits", "growth.managed.groups",
          "growth.managed.order_keys", "growth.managed.tenants"},
         &growth_with_limits,
         true},
        {{"guest.list"}, &guest_of_lists, true},
        {{"guest.managed"}, &guest_of_managed, true},
        {{"guest.reconnect"}, &guest_reconnect, true},
        {{"recovery.killed"}, &recovery_of_killed, true},
        {{"recovery.redis_back"}, &recovery_of_redis, true},
        {{"recovery.blocked_loop"}, &recovery_of_blocked_loops, true},
        {{"recovery.due.list", "recovery.due.managed"}, &recovery_of_due, true},
        {{"recovery.due_at_once.list"}, &recovery_of_many_due_in_list, true},
        {{"recovery.due_at_once.managed"}, &recovery_of_many_due_in_managed, true},
        {{"recovery.stop"}, &recovery_of_stops, true},
        {{"peers"}, &peer_figures, true},
    };
    return list;
}

namespace {

/// Whether one name is the other's beginning, up to a dot: "drain" asks for "drain.list", "push.one" for "push".
bool goes_with(std::string_view asked, std::string_view name)
{
    const auto [shorter, longer] =
        std::minmax(asked, name, [](auto a, auto b) { return a.size() < b.size(); });
    return longer.starts_with(shorter) && (longer.size() == shorter.size() || longer[shorter.size()] == '.');
}

bool is_asked_for(const benchmark& one, const std::vector<std::string>& names)
{
    if (names.empty())
        return !one.only_by_name;
    return std::any_of(names.begin(), names.end(), [&](const auto& asked) {
        return std::any_of(one.names.begin(), one.names.end(),
                           [&](std::string_view name) { return goes_with(asked, name); });
    });
}

std::vector<benchmark> choose(const std::vector<std::string>& names)
{
    std::vector<benchmark> chosen;
    for (const auto& one : all())
        if (is_asked_for(one, names))
            chosen.push_back(one);
    for (const auto& name : names)
        if (std::none_of(all().begin(), all().end(),
                         [&](const auto& one) { return is_asked_for(one, {name}); })) {
            std::string known;
            for (const auto& one : all())
                for (const auto each : one.names)
                    known.append(" ").append(each);
            throw std::runtime_error{"there is no benchmark '" + name + "'. There are:" + known};
        }
    return chosen;
}

struct arguments
{
    std::string json, picture;
    int rounds = 3;
    bool brief = false;
    std::vector<std::string> names{};
};

/// The rounds go round all benchmarks, so that what is compared was measured under the same conditions.
void measure(const arguments& given)
{
    const auto chosen = choose(given.names);
    report told;
    stage on{given.brief};
    for (int round = 1; round <= given.rounds; ++round)
        for (const auto& one : chosen) {
            std::fprintf(stderr, "bench: round %d of %d: %s\n", round, given.rounds,
                         std::string{one.names.front()}.c_str());
            on.empty();
            told.add(one.run(on));
        }
    told.print();
    if (!given.json.empty())
        told.write_json(given.json);
    print_peers(told.medians());
    if (!given.picture.empty())
        draw_peers(told.medians(), given.picture);
}

void tell(const measured& result)
{
    std::printf("{\"seconds\":%.6f,\"cpu\":%.6f,\"p50\":%.1f,\"p99\":%.1f,\"p999\":%.1f}\n", result.seconds,
                result.cpu, result.p50, result.p99, result.p999);
}

} // namespace
} // namespace bench

int main(int argc, char** argv)
{
    CLI::App app{"Benchmarks of coworker, with a Redis of their own. scripts/bench builds and runs this."};
    bench::arguments given;
    app.add_option("--json", given.json, "also write the figures to this file");
    app.add_option("--picture", given.picture, "draw the figures of the peers into this SVG file");
    app.add_option("--rounds", given.rounds, "how often each is measured")->check(CLI::Range(1, 100));
    app.add_flag("--brief", given.brief, "do a hundredth of everything, to see that it works");
    app.add_option("names", given.names, "which to run; without a name all that do not take minutes");

    bench::task part;
    auto* as = app.add_subcommand("as", "does one process' part of a benchmark")->group("");
    as->add_option("kind", part.kind)->required();
    as->add_option("url", part.url)->required();
    as->add_option("what", part.what);
    as->add_option("count", part.count);
    as->add_option("how", part.how);
    as->add_option("--size", part.size);
    as->add_option("--queues", part.queues);
    as->add_option("--partitions", part.partitions);
    as->add_option("--replicas", part.replicas);
    as->add_option("--handler-ms", part.handler_ms);
    as->add_option("--rate", part.rate);

    std::string recorded, reason;
    bool record = false;
    auto* gate = app.add_subcommand("gate", "compares what fixed work costs with what is recorded");
    gate->add_option("file", recorded, "where it is recorded")->required();
    gate->add_flag("--record", record, "write what is measured");
    gate->add_option("--because", reason, "why something costs more than is recorded");
    CLI11_PARSE(app, argc, argv);

    try {
        if (as->parsed())
            bench::tell(bench::perform(part, [](const std::string& where) {
                std::printf("ready %s\n", where.c_str());
                std::fflush(stdout);
            }));
        else if (gate->parsed())
            return bench::gate(recorded, record, reason);
        else
            bench::measure(given);
    } catch (const std::exception& error) {
        std::cerr << "bench: " << error.what() << '\n';
        return 1;
    }
}
