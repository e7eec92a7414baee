// SPDX-License-Identifier: MIT
#include "benchmark.hpp"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>

namespace bench {

const std::vector<benchmark>& all()
{
    static const std::vector<benchmark> list{
        {"push.one", "jobs/s", &push_one},
        {"push.concurrent", "jobs/s", &push_concurrent},
        {"push.bulk", "jobs/s", &push_bulk},
        {"drain.list", "jobs/s", &drain_list},
        {"limit.loop", "jobs/s", &limit_loop},
        {"latency.idle", "us", &latency_idle},
        {"idle.commands", "commands/min", &idle_commands},
        {"memory.list", "bytes/job", &memory_list},
        {"drain.managed", "jobs/s", &drain_managed},
        {"managed.put", "us/job", &managed_put},
        {"managed.pop", "us/job", &managed_pop},
        {"managed.complete", "us/job", &managed_complete},
        {"managed.cycle", "us/job", &managed_cycle},
        {"managed.growth", "ratio", &managed_growth, true},
    };
    return list;
}

namespace {

struct summary
{
    double min, median, max;
};

summary summarise(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return {values.front(), values[values.size() / 2], values.back()};
}

boost::json::object measure(const benchmark& what, const std::string& url, int rounds)
{
    std::vector<double> values, limits;
    for (int i = 0; i != (what.once ? 1 : rounds); ++i) {
        const figure round = what.run(url);
        values.push_back(round.value);
        if (round.limit)
            limits.push_back(*round.limit);
    }
    const auto [min, median, max] = summarise(values);
    std::printf("%-16s %14.1f %14.1f %14.1f  %s", std::string{what.name}.c_str(), min, median, max,
                std::string{what.unit}.c_str());
    boost::json::object result{
        {"name", what.name}, {"unit", what.unit}, {"min", min}, {"median", median}, {"max", max}};
    if (!limits.empty()) {
        const double limit = summarise(limits).median;
        result["limit"] = limit;
        std::printf("  (%.2f of the bare loop's %.0f)", median / limit, limit);
    }
    std::printf("\n");
    std::fflush(stdout);
    return result;
}

} // namespace
} // namespace bench

int main(int argc, char** argv)
{
    CLI::App app{
        "Benchmarks of coworker, against a Redis that holds nothing else. scripts/bench starts one."};
    std::string url, json_file;
    std::vector<std::string> names;
    int rounds = 3;
    app.add_option("--redis", url, "URL of the server")->required();
    app.add_option("--json", json_file, "also write the figures to this file");
    app.add_option("--rounds", rounds, "how often each is measured")->check(CLI::Range(1, 100));
    app.add_option("names", names, "which to run; all if none is given");
    CLI11_PARSE(app, argc, argv);

    for (const auto& name : names)
        if (std::none_of(bench::all().begin(), bench::all().end(),
                         [&](const auto& b) { return b.name == name; })) {
            std::cerr << "There is no benchmark '" << name << "'. There are:";
            for (const auto& known : bench::all())
                std::cerr << ' ' << known.name;
            std::cerr << '\n';
            return 2;
        }
    try {
        std::printf("%-16s %14s %14s %14s\n", "", "min", "median", "max");
        boost::json::array figures;
        for (const auto& what : bench::all())
            if (names.empty() || std::find(names.begin(), names.end(), what.name) != names.end())
                figures.push_back(bench::measure(what, url, rounds));
        if (!json_file.empty()) {
            std::ofstream file{json_file};
            file << boost::json::serialize(figures) << '\n';
            if (!file.flush()) {
                std::cerr << "cannot write " << json_file << '\n';
                return 1;
            }
        }
    } catch (const std::exception& error) {
        std::cerr << "benchmark failed: " << error.what() << '\n';
        return 1;
    }
}
