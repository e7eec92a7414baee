// SPDX-License-Identifier: MIT
#include "table_run.hpp"

#include <stdexcept>

namespace coworker::test {
namespace {

redis_value send(managed_redis& redis, const table_call& what)
{
    if (!what.is_command())
        return redis.try_call(what.name, what.keys, what.arguments);
    std::vector<std::string> words{what.name};
    words.insert(words.end(), what.keys.begin(), what.keys.end());
    words.insert(words.end(), what.arguments.begin(), what.arguments.end());
    return redis.raw().try_command(words);
}

/// Hears everything that is published.
class listener
{
public:
    explicit listener(const std::string& socket_path) : redis_{socket_path} { redis_("PSUBSCRIBE", "*"); }

    /// What has been published since the last call, in the form "channel text".
    std::vector<std::string> messages()
    {
        std::vector<std::string> result;
        // Redis answers in order, so what was published before the PING comes first.
        for (auto value = redis_("PING"); value.elements.at(0).text != "pong"; value = redis_.receive())
            result.push_back(value.elements.at(2).text + ' ' + value.elements.at(3).text);
        return result;
    }

private:
    raw_redis redis_;
};

} // namespace

table_run::table_run(const std::vector<table_call>& given)
    : numbers_{redis_.raw().info("server", "redis_version").starts_with("7.0.") ? number_texts::exactly
                                                                                : number_texts::by_value}
{
    for (const auto& preparation : given) {
        const auto answer = send(redis_, preparation);
        if (answer.is_error())
            throw std::runtime_error{"given " + preparation.name + ": " + answer.text};
    }
}

database table_run::state()
{
    return dump(redis_.raw());
}

call_result table_run::make(const table_call& what)
{
    static listener everything{redis_.socket_path()};
    everything.messages();
    call_result result;
    result.reply = send(redis_, what);
    result.messages = everything.messages();
    result.state = state();
    return result;
}

bool table_run::call(const table_row& row, const database& before, const table_outcome& outcome)
{
    difference_.clear();
    const auto note = [&](const char* subject, const std::string& difference) {
        if (!difference.empty())
            difference_ += std::string{"\n the "} + subject + ":" + difference;
    };
    const auto after = changed(before, outcome.changes);
    std::vector<std::string> messages, places;
    for (const auto& message : outcome.messages) {
        messages.push_back(message.text);
        places.push_back(message.place);
    }
    const auto found = make(row.call);
    note("reply", compare_reply(found.reply, row.reply, numbers_));
    note("messages", compare_messages(found.messages, messages, places));
    note("state", compare_databases(found.state, after, numbers_, outcome.changes));
    return difference_.empty();
}

} // namespace coworker::test
