// SPDX-License-Identifier: MIT
#pragma once

#include "program/command_line.hpp"

#include <coworker/client.hpp>

#include <algorithm>
#include <string>
#include <vector>

/// Commands that do one of several things to what has a name, such as `coworker batches seal ID`.
namespace coworker::program {

/// One thing that a command does. `Manager` is made of a client and the options of managed queues; `Arguments` have an
/// `action` and a `name`.
template<class Manager, class Arguments>
struct verb
{
    const char* name;
    bool needs_name;
    asio::awaitable<exit_code> (*carry_out)(const Manager& all, const Arguments& given, surroundings& here);
};

/// Carries out the verb that the arguments name.
///
/// @param command  such as "batches"
/// @param what  it is done to, such as "batch"
template<class Manager, class Arguments>
exit_code carry_out(const std::vector<verb<Manager, Arguments>>& verbs, const char* command, const char* what,
                    const Arguments& given, surroundings& here)
{
    const auto chosen =
        std::ranges::find_if(verbs, [&](const auto& one) { return one.name == given.action; });
    if (chosen->needs_name && given.name.empty())
        refuse(std::string{command} + ' ' + given.action + ": name the " + what);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const Manager all{redis, here.server.managed()};
        co_return co_await chosen->carry_out(all, given, here);
    });
}

/// Adds the two arguments that say what to do to which one.
template<class Manager, class Arguments>
void add_verbs(command_options command, const std::vector<verb<Manager, Arguments>>& verbs, Arguments& given,
               const char* title, const char* help)
{
    std::vector<std::string> names;
    for (const auto& one : verbs)
        names.emplace_back(one.name);
    command.add_option("ACTION", given.action, "What to do").one_of(std::move(names)).with_default();
    command.add_option(title, given.name, help);
}

/// Shows several: a line of JSON each, or a table.
template<class Shown, class ToJson, class Write>
void show_all(surroundings& here, const std::vector<Shown>& all, ToJson to_json, Write write_table)
{
    if (!here.json)
        return write_table(here.out, all);
    for (const auto& each : all)
        here.out.line(to_json(each).str());
}

/// Shows one, as JSON or in lines.
template<class Shown, class ToJson, class Write>
void show_one(surroundings& here, const Shown& one, ToJson to_json, Write write)
{
    if (here.json)
        here.out.line(to_json(one).str());
    else
        write(here.out, one);
}

} // namespace coworker::program
