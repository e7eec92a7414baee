// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include "jumping_server.hpp"
#include "redis/script.hpp"
#include "short_way.hpp"
#include "support/short_answer.hpp"

#include <set>
#include <stdexcept>

namespace coworker::test {
namespace {

jumping_server& server()
{
    static jumping_server instance;
    return instance;
}

const detail::script& embedded(const std::string& name)
{
    const auto full_name = "managed/" + name;
    for (const auto& script : detail::embedded_scripts())
        if (script.name == full_name)
            return script;
    throw std::runtime_error{"no script called " + name};
}

} // namespace

managed_redis::managed_redis()
{
    raw()("FLUSHALL");
}

raw_redis& managed_redis::raw()
{
    return server().server().raw();
}

std::string managed_redis::socket_path()
{
    return server().server().socket_path();
}

bool managed_redis::set_clock(std::chrono::nanoseconds ahead)
{
    return server().set_clock(ahead);
}

bool managed_redis::are_short_ways_barred = false;

bool managed_redis::has_short_way(const std::string& script)
{
    auto text = embedded(script).text();
    return bar_short_way(text);
}

redis_value managed_redis::try_call(const std::string& name, const std::vector<std::string>& keys,
                                    const std::vector<std::string>& arguments)
{
    static std::set<std::string> loaded; // into this program's server
    const auto& script = embedded(name);
    if (loaded.insert(name).second && raw()("SCRIPT", "LOAD", script.text()).text != script.sha)
        throw std::runtime_error{"the SHA-1 embedded with " + name + " is another"};
    std::vector<std::string> words{"EVALSHA", std::string{script.sha}, std::to_string(keys.size() + 1),
                                   "ql:"};
    if (auto text = are_short_ways_barred ? script.text() : ""; bar_short_way(text)) {
        words[0] = "EVAL";
        words[1] = text;
    }
    words.insert(words.end(), keys.begin(), keys.end());
    words.insert(words.end(), arguments.begin(), arguments.end());
    return in_full(name, raw().try_command(words));
}

redis_value managed_redis::call(const std::string& name, const std::vector<std::string>& arguments)
{
    auto answer = try_call(name, {}, arguments);
    if (answer.is_error())
        throw std::runtime_error{name + ": " + answer.text};
    return answer;
}

} // namespace coworker::test
