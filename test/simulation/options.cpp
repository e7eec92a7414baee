// SPDX-License-Identifier: MIT
#include "simulation/options.hpp"

#include "simulation/scene.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <iostream>
#include <map>
#include <system_error>

namespace coworker::test {

namespace {

constexpr const char* usage =
    "usage: simulation [--world NAME] [--seed S] [--server PROGRAM] [--jobs N] [--faults N] [--print] "
    "[--wire]\n"
    "                  [--seeds N | --minutes N] [--twice | --twice-each N] [--shrink]\n"
    "       simulation --museum FILE [--server PROGRAM]\n"
    "  --world NAME    what is simulated; see below\n"
    "  --seed S        of which everything follows; with --seeds or --minutes the first one\n"
    "  --server P      the redis-server to start\n"
    "  --jobs N        so many jobs, of each kind of queue\n"
    "  --faults N      only the first N of the things that may go wrong do\n"
    "  --print         prints what happens; --wire also what is sent\n"
    "  --seeds N       runs N seeds, each in a process of its own; --minutes N as many as there is time for\n"
    "  --twice         runs each seed twice: both have to do the same; --twice-each N the first one of each "
    "N\n"
    "  --begin-twice   runs the beginning of the first seed twice: both have to do the same\n"
    "  --only-begin    stops after an eighth of the time in which things go wrong\n"
    "  --shrink        looks for fewer jobs and faults with which the seed fails, and prints what happens\n"
    "  --museum FILE   runs the seeds of a table\n"
    "worlds:";

/// Reads a number, and says so if it is none.
template<class Number>
bool read_number(const std::string& text, Number& to)
{
    const auto* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, to);
    const bool is_good = error == std::errc{} && stop == end && to >= Number{};
    if (!is_good)
        std::cerr << "simulation: '" << text << "' is not a number that can stand here\n";
    return is_good;
}

} // namespace

std::optional<simulation_command> read_command(const std::vector<std::string>& arguments)
{
    simulation_command found;
    bool is_understood = true;
    const auto take_number = [&is_understood](auto& to) {
        return [&is_understood, &to](const std::string& text) {
            is_understood = read_number(text, to) && is_understood;
        };
    };
    const std::map<std::string, std::function<void(const std::string&)>> with_value{
        {"--world", [&](auto& text) { found.scene = text; }},
        {"--museum", [&](auto& text) { found.museum = text; }},
        {"--server", [&](auto& text) { found.server = text; }},
        {"--seed", take_number(found.seed)},
        {"--jobs", take_number(found.jobs)},
        {"--faults", take_number(found.faults)},
        {"--seeds", take_number(found.seeds)},
        {"--minutes", take_number(found.minutes)},
        {"--twice-each", take_number(found.twice_each)}};
    bool is_twice = false;
    const std::map<std::string, bool*> flags{{"--print", &found.print},
                                             {"--wire", &found.wire},
                                             {"--twice", &is_twice},
                                             {"--begin-twice", &found.begin_twice},
                                             {"--only-begin", &found.only_begin},
                                             {"--shrink", &found.shrink}};
    for (std::size_t i = 0; i != arguments.size(); ++i)
        if (const auto flag = flags.find(arguments[i]); flag != flags.end())
            *flag->second = true;
        else if (const auto option = with_value.find(arguments[i]);
                 option != with_value.end() && i + 1 != arguments.size())
            option->second(arguments[++i]);
        else
            is_understood = false;
    if (is_twice)
        found.twice_each = 1;
    const auto names = scene_names();
    if (is_understood && std::ranges::find(names, found.scene) != names.end())
        return found;
    std::cerr << usage;
    for (const auto& name : names)
        std::cerr << ' ' << name;
    std::cerr << '\n';
    return std::nullopt;
}

std::vector<std::string> arguments_for(const simulation_command& command)
{
    std::vector<std::string> words{"--world", command.scene, "--seed", std::to_string(command.seed)};
    if (command.server != "redis-server")
        words.insert(words.end(), {"--server", command.server});
    if (command.jobs != 0)
        words.insert(words.end(), {"--jobs", std::to_string(command.jobs)});
    if (command.faults != UINT64_MAX)
        words.insert(words.end(), {"--faults", std::to_string(command.faults)});
    if (command.only_begin)
        words.emplace_back("--only-begin");
    if (command.print)
        words.emplace_back("--print");
    if (command.wire)
        words.emplace_back("--wire");
    return words;
}

} // namespace coworker::test
