// SPDX-License-Identifier: MIT
#include "commands.hpp"

namespace coworker::test::model {
namespace {

/// The names given, of which there must be one.
strings names(const arguments& given)
{
    if (given.size() == 0)
        throw refusal{"Wrong number of args calling Redis command from script"};
    return given.from(0);
}

} // namespace

reply config_get(store& in, const arguments& given)
{
    if (given.size() == 0)
        return document(in.config.all());
    return {in.config.get(*given.at(0))};
}

reply config_set(store& in, const arguments& given)
{
    const auto option = given.text(0, R"(config.set(): Arg "option" missing)");
    const auto value = given.text(1, R"(config.set(): Arg "value" missing)");
    if (option.ends_with("heartbeat") && !to_number(value))
        throw refusal{"config.set(): Arg \"value\" of " + option + " not a number: " + value};
    in.config.set(option, value);
    in.publish("log", R"({"option":)" + in_quotes(option) + R"(,"event":"config_set","value":)" +
                          in_quotes(value) + '}');
    return {};
}

reply config_unset(store& in, const arguments& given)
{
    const auto option = given.text(0, R"(config.unset(): Arg "option" missing)");
    in.config.unset(option);
    in.publish("log", R"({"event":"config_unset","option":)" + in_quotes(option) + '}');
    return {};
}

reply pause(store& in, const arguments& given)
{
    for (const auto& queue : names(given))
        in.paused.insert(queue);
    return {};
}

reply unpause(store& in, const arguments& given)
{
    for (const auto& queue : names(given))
        in.paused.erase(queue);
    return {};
}

reply queue_forget(store& in, const arguments& given)
{
    for (const auto& queue : names(given))
        in.known_queues.remove(queue);
    return {};
}

reply worker_deregister(store& in, const arguments& given)
{
    for (const auto& worker : names(given))
        in.known_workers.remove(worker);
    return {};
}

} // namespace coworker::test::model
