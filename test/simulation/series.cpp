// SPDX-License-Identifier: MIT

// Many seeds, each in a process of its own; and fewer jobs and faults for one that fails.
#include "simulation/options.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coworker::test {

namespace {

using real_clock = std::chrono::steady_clock;

struct run_of_seed
{
    int status = 0; ///< its exit status, or 128 and the signal
    std::string output;
};

[[noreturn]] void become(const simulation_command& command, int output)
{
    ::dup2(output, STDOUT_FILENO);
    auto words = arguments_for(command);
    words.insert(words.begin(), "simulation");
    std::vector<char*> arguments;
    for (auto& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv("/proc/self/exe", arguments.data());
    ::_exit(126);
}

run_of_seed run(const simulation_command& command)
{
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        return {126, "no pipe"};
    const pid_t child = ::fork();
    if (child == 0)
        become(command, pipe[1]);
    ::close(pipe[1]);
    run_of_seed done;
    std::array<char, 65536> buffer;
    for (ssize_t size; (size = ::read(pipe[0], buffer.data(), buffer.size())) > 0;)
        done.output.append(buffer.data(), static_cast<std::size_t>(size));
    ::close(pipe[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    done.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return done;
}

bool fails(const simulation_command& command)
{
    return run(command).status != all_is_well;
}

std::string to_repeat(const simulation_command& command)
{
    std::string text = "scripts/simulate";
    for (const auto& word : arguments_for(command))
        text += ' ' + word;
    return text;
}

/// The smallest number, up to `most`, with which the seed fails: where it fails with one, it is taken to fail with each that
/// is larger.
template<class Set>
std::uint64_t smallest(simulation_command command, std::uint64_t most, Set set)
{
    std::uint64_t least = 0; // does not fail, or has not been tried
    while (most - least > 1) {
        const auto middle = least + (most - least) / 2;
        set(command, middle);
        (fails(command) ? most : least) = middle;
    }
    return most;
}

/// What a number behind a word in the output is.
std::uint64_t figure(const std::string& output, const std::string& word)
{
    const auto place = output.find(word);
    return place != output.npos ? std::strtoull(output.c_str() + place + word.size(), nullptr, 10) : 0;
}

/// What happened before the first violation, the last 100 lines of it.
std::string last_lines(const std::string& output)
{
    const auto end = std::min(output.find('\n', output.find("VIOLATION")), output.size());
    auto begin = end;
    for (int count = 0; count != 100 && begin != 0 && begin != output.npos; ++count)
        begin = output.rfind('\n', begin - 1);
    return output.substr(begin == output.npos ? 0 : begin + 1, end - begin) + '\n';
}

/// Fewer jobs are another story: of each number, several seeds are tried, each with so many faults as it has.
std::optional<simulation_command> with_fewer_jobs(const simulation_command& command, int jobs)
{
    constexpr std::uint64_t seeds_of_number = 8;
    auto fewer = command;
    fewer.jobs = jobs;
    fewer.faults = UINT64_MAX;
    for (fewer.seed = command.seed; fewer.seed != command.seed + seeds_of_number; ++fewer.seed)
        if (fails(fewer))
            return fewer;
    return std::nullopt;
}

int shrink(simulation_command command)
{
    const auto first = run(command);
    if (first.status == all_is_well) {
        std::cout << "simulation: the seed does not fail\n";
        return all_is_well;
    }
    const auto begun_with = command.seed;
    auto jobs = static_cast<int>(figure(first.output, "jobs each "));
    for (auto fewer = std::optional{command}; fewer && jobs > 1; jobs = command.jobs) {
        fewer = with_fewer_jobs(command, jobs / 2);
        if (!fewer)
            fewer = with_fewer_jobs(command, jobs * 3 / 4);
        command = fewer.value_or(command);
    }
    command.faults = smallest(command, figure(run(command).output, "faults "),
                              [](auto& with, std::uint64_t count) { with.faults = count; });
    if (command.seed != begun_with)
        std::cout << "simulation: another seed fails with fewer jobs, perhaps for another reason\n";
    command.print = true;
    std::cout << last_lines(run(command).output)
              << "simulation: fails with fewer jobs and faults: " << to_repeat(command) << '\n';
    return something_is_wrong;
}

/// Whether a second run does the same up to the end of its beginning.
bool begins_equally(simulation_command command, const std::string& output)
{
    command.only_begin = true;
    const auto trace_of = [](const std::string& text) {
        const auto place = text.find("begin ");
        return place == text.npos ? std::string{} : text.substr(place, 22);
    };
    const auto trace = trace_of(output);
    return !trace.empty() && trace == trace_of(run(command).output);
}

} // namespace

int try_seed(const simulation_command& command)
{
    const auto once = run(command);
    if (once.status == all_is_well && command.begin_twice && !begins_equally(command, once.output)) {
        std::cout << once.output << "simulation: this seed began otherwise when it was run again\n";
        return something_is_wrong;
    }
    if (once.status == not_possible_here || (once.status == all_is_well && command.twice_each == 0)) {
        std::cout << once.output << std::flush;
        return once.status;
    }
    if (once.status == all_is_well && run(command).output == once.output) {
        std::cout << "twice: " << once.output << std::flush;
        return all_is_well;
    }
    std::cout << once.output;
    if (once.status == all_is_well)
        std::cout << "simulation: this seed did something else when it was run again\n";
    std::cout << "simulation: to repeat it: " << to_repeat(command) << " --print\n" << std::flush;
    return something_is_wrong;
}

int run_series(const simulation_command& command)
{
    if (!command.museum.empty())
        return run_museum(command);
    if (command.shrink)
        return shrink(command);
    auto next = command;
    const auto end = real_clock::now() + std::chrono::duration<double, std::ratio<60>>{command.minutes};
    std::uint64_t failed = 0, run = 0;
    const auto goes_on = [&] {
        return command.minutes > 0 ? real_clock::now() < end
                                   : run < std::max<std::uint64_t>(command.seeds, 1);
    };
    for (; goes_on(); ++next.seed, ++run) {
        next.begin_twice = command.begin_twice && run == 0;
        next.twice_each = command.twice_each != 0 && run % command.twice_each == 0 ? 1 : 0;
        const int status = try_seed(next);
        if (status == not_possible_here)
            return status;
        failed += status != all_is_well ? 1 : 0;
    }
    std::cout << "simulation: " << command.scene << ", " << run << " seeds, " << failed << " failed\n";
    return failed == 0 ? all_is_well : something_is_wrong;
}

} // namespace coworker::test
