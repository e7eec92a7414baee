// SPDX-License-Identifier: MIT
#include "gate_file.hpp"
#include "stage.hpp"

#include <boost/version.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>

/// What fixed work costs per job in instructions, commands and bytes: figures that do not depend on how busy the
/// machine is.
namespace bench {
namespace {

constexpr double tolerance = 1.05;
constexpr int skipped = 77; // as CTest calls it
constexpr std::array valgrind{"valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"};

/// glibc fills buffers by one instruction of the processor, which valgrind counts once for each byte: so by others.
constexpr const char* plain_memset = "GLIBC_TUNABLES=glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu."
                                     "x86_rep_movsb_threshold=1000000000";

/// What Redis says of its work.
constexpr std::array counters{"total_commands_processed", "total_net_input_bytes", "total_net_output_bytes"};

struct work
{
    const char* name;
    const char* kind;
    const char* what;
    const char* how;
    long count;
    const char* after; ///< work whose jobs it needs, which is done before and not counted
    bool of_client = true, of_redis = true; ///< which side's figures are kept
    const char* beside = "";                ///< work that is done in it, too, and not counted
};

// How many jobs a worker fetches at a time depends on the machine, so Redis is measured with a bare loop.
constexpr work nothing{"nothing", "list", "push", "one", 0, ""};
constexpr work all_work[] = {
    {"push.one", "list", "push", "one", 1'000, ""},
    {"push.concurrent", "list", "push", "flight", 3'000, ""},
    {"push.bulk", "list", "push", "bulk", 10'000, ""},
    {"drain.list", "list", "work", "drain", 10'000, "push.bulk", true, false},
    {"drain.list", "list.bare", "work", "drain", 10'000, "push.bulk", false, true},
    {"push.managed.bulk", "managed", "push", "bulk", 2'000, ""},
    {"push.managed.concurrent", "managed", "push", "flight", 3'000, ""},
    {"drain.managed", "managed", "work", "drain", 2'000, "push.managed.bulk", true, false},
    {"drain.managed", "managed.bare", "work", "drain", 2'000, "push.managed.bulk", false, true},
    {"step.list.none", "list", "step", "push", 0, "", false, false},
    {"step.list.push", "list", "step", "push", 300, "", false, true, "step.list.none"},
    {"step.list.fetch", "list", "step", "fetch", 300, "", false, true, "step.list.push"},
    {"step.managed.none", "managed", "step", "push", 0, "", false, false},
    {"step.managed.push", "managed", "step", "push", 300, "", false, true, "step.managed.none"},
    {"step.managed.fetch", "managed", "step", "fetch", 300, "", false, true, "step.managed.push"},
    {"step.managed.held", "managed", "step", "renew", 0, "", false, false},
    {"step.managed.renew", "managed", "step", "renew", 20, "", false, true, "step.managed.held"},
};

struct counts
{
    double client = 0, redis = 0; ///< instructions
    std::array<double, counters.size()> told{};
};

double collected(const std::string& text)
{
    constexpr std::string_view title = "Collected : ";
    const auto at = text.rfind(title);
    if (at == text.npos)
        throw std::runtime_error{"valgrind did not say how many instructions it has seen:\n" + text};
    return std::stod(text.substr(at + title.size()));
}

std::string content_of(const std::string& file)
{
    std::ostringstream text;
    text << std::ifstream{file}.rdbuf();
    return text.str();
}

task task_of(const work& what, const std::string& url)
{
    return {.kind = what.kind, .url = url, .what = what.what, .count = what.count, .how = what.how};
}

const work& find_work(const std::string& name)
{
    for (const auto& each : all_work)
        if (name == each.name)
            return each;
    throw std::runtime_error{"there is no work called " + name};
}

counts count(const work& what)
{
    redis_server_options options;
    options.tcp = true;
    options.config = {{"hz", "1"},
                      {"dynamic-hz", "no"}}; // what it does now and then depends on the machine, too
    options.run_by.assign(valgrind.begin(), valgrind.end());
    redis_server redis{options};
    if (*what.after != '\0')
        part{task_of(find_work(what.after), redis.tcp_url()).words()}.result();

    const auto told = [&](const char* counter) { return std::stod(redis.raw().info("stats", counter)); };
    counts found;
    for (std::size_t i = 0; i != counters.size(); ++i)
        found.told[i] = -told(counters[i]);
    auto words = task_of(what, redis.tcp_url()).words();
    words.front() = std::filesystem::read_symlink("/proc/self/exe");
    words.insert(words.begin(), valgrind.begin(), valgrind.end());
    words.insert(words.begin(), {"env", plain_memset});
    part client{words};
    client.result();
    for (std::size_t i = 0; i != counters.size(); ++i)
        found.told[i] += told(counters[i]);
    found.client = collected(client.output());
    redis.end();
    found.redis = collected(content_of(redis.folder().file("redis.log")));
    return found;
}

/// What all work costs. How many jobs a worker fetches at a time depends on what else the machine does, which only ever
/// makes it cost more: what `seems_more` is counted again, and the least of three counts.
std::vector<cost> measure(const std::function<bool(const cost&)>& seems_more)
{
    std::vector<cost> found;
    std::map<std::string, counts> of;
    const auto base = of[""] = count(nothing);
    for (const auto& each : all_work) {
        auto now = of[each.name] = count(each);
        const auto per_job = [&](const char* what, double all) -> cost {
            return {std::string{each.name} + '.' + what, all / static_cast<double>(each.count)};
        };
        const auto of_client = [&] { return per_job("client_instructions", now.client - base.client); };
        for (int again = 0; again != 2 && each.of_client && seems_more(of_client()); ++again)
            now.client = std::min(now.client, count(each).client);
        if (each.of_client)
            found.push_back(of_client());
        if (!each.of_redis)
            continue;
        const auto& beside = of[each.beside];
        found.push_back(per_job("redis_instructions",
                                now.redis - (*each.beside != '\0' ? beside : of[each.after]).redis));
        found.push_back(per_job("commands", now.told[0] - beside.told[0]));
        found.push_back(per_job("bytes_to_redis", now.told[1] - beside.told[1]));
        found.push_back(per_job("bytes_from_redis", now.told[2] - beside.told[2]));
    }
    return found;
}

/// What instructions depend on beside the code.
surroundings find_surroundings()
{
    redis_server redis;
    return {BENCH_BUILT_BY ", Boost " BOOST_LIB_VERSION,
            "Redis " + redis.raw().info("server", "redis_version") + " " +
                redis.raw().info("server", "arch_bits") + " " + redis.raw().info("server", "gcc_version")};
}

bool can_compare(const std::string& name, const surroundings& here, const surroundings& there)
{
    if (name.ends_with(".client_instructions"))
        return here.client == there.client;
    return !name.ends_with(".redis_instructions") || here.redis == there.redis;
}

/// So much more than before may be measured. What Redis does beside its commands, a few hundred instructions a job or
/// one command in a hundred jobs, is not what is looked for, nor how many jobs happen to share an answer.
double most_allowed(const std::string& name, double before)
{
    const double chance = name.ends_with(".redis_instructions") ? 300
                          : name.ends_with(".commands")         ? 0.01
                          : name.ends_with("_redis")            ? 0.1
                                                                : 0;
    return before * tolerance + chance;
}

} // namespace

int gate(const std::string& file, bool record, const std::string& reason)
{
    if (!is_installed("valgrind")) {
        skip("gate", "valgrind is not installed: scripts/setup --tests");
        return skipped;
    }
    const auto here = find_surroundings();
    auto recorded = gate_file::read(file);
    int too_much = 0;
    std::printf("%-40s %12s %12s\n", "per job", "recorded", "measured");
    const auto comparable = [&](const std::string& name) -> const cost* {
        const auto* const before = recorded.find(name);
        return before != nullptr && can_compare(name, here, recorded.where) ? before : nullptr;
    };
    const auto grew_since = [&](const cost& now) {
        const auto* const before = comparable(now.name);
        return before != nullptr && now.value > most_allowed(now.name, before->value);
    };
    for (const auto& now : measure(grew_since)) {
        const auto& [name, value, none] = now;
        const auto* before = recorded.find(name);
        const bool compared = comparable(name) != nullptr;
        const bool grew = grew_since(now);
        const bool shrank = compared && most_allowed(name, value) < before->value;
        std::printf("%-40s %12.2f %12.2f%s\n", name.c_str(), before == nullptr ? 0 : before->value, value,
                    grew                ? "  costs more"
                    : shrank            ? "  costs less: record it"
                    : before == nullptr ? "  not recorded"
                    : compared          ? ""
                                        : "  not compared: other compiler, Boost or Redis");
        too_much += grew;
        if (record)
            recorded.note(name, value, grew ? reason : "");
    }
    if (record && too_much > 0 && reason.empty()) {
        std::cerr << "gate: " << too_much
                  << " figures are larger than before: say why, with --because TEXT\n";
        return 1;
    }
    if (record) {
        recorded.where = here;
        recorded.write(file);
        return 0;
    }
    if (too_much > 0)
        std::cerr << "gate: " << too_much << " figures are more than 5 % larger than " << file
                  << " says. If that has to be: scripts/bench gate --record --because TEXT\n";
    return too_much > 0 ? 1 : 0;
}

} // namespace bench
