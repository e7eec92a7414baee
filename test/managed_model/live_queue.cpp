// SPDX-License-Identifier: MIT
#include "live_queue.hpp"

#include "redis/script.hpp"
#include "support/kept_scripts.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>

namespace coworker::test::model {
namespace {

const std::string prefix = "ql:";
using content = std::map<std::string, std::string>;

strings reading(const std::string& type, const std::string& key)
{
    if (type == "hash")
        return {"HGETALL", key};
    if (type == "set")
        return {"SMEMBERS", key};
    if (type == "list")
        return {"LRANGE", key, "0", "-1"};
    if (type == "zset")
        return {"ZRANGE", key, "0", "-1", "WITHSCORES"};
    throw std::runtime_error{key + " is a " + type};
}

bool is_number(const std::string& type, const std::string& field)
{
    return type == "hash" && (field == "priority" || field == "scheduled");
}

content read_content(const std::string& type, const redis_value& value)
{
    content result;
    const auto texts = value.texts();
    const std::size_t step = type == "hash" || type == "zset" ? 2 : 1;
    for (std::size_t i = 0; i + step <= texts.size(); i += step)
        if (type == "hash" && (texts[i] == "failure" || texts[i] == "tags"))
            result[texts[i]] = canonical(texts[i + 1]);
        else if (type == "zset" || is_number(type, texts[i])) // Redis 7.0 spells them otherwise than 7.2
            result[texts[i]] = text17(std::strtod(texts[i + 1].c_str(), nullptr));
        else if (type == "hash")
            result[texts[i]] = texts[i + 1];
        else if (type == "list")
            result[std::to_string(i)] = canonical(texts[i]);
        else
            result[texts[i]];
    return result;
}

std::string shown(const content& what)
{
    std::string result;
    for (const auto& [field, text] : what)
        result += "\n      " + field + " = " + text;
    return result.empty() ? " nothing" : result;
}

/// The SHA-1 of each script of the last release, by name: the same in each server.
std::map<std::string, std::string> kept_sums;
bool has_update_ended = false;

/// Whether a program of the last release could send this call. Which do, follows from the words, so that a seed repeats it.
bool is_sent_by_kept(const std::string& script, const strings& words)
{
    static const std::array<std::string, 4> later{"kinds", "hold", "sleep", "signal"};
    if (!are_releases_mixed() || has_update_ended || !kept_sums.contains("managed/" + script) ||
        (script == "sign_in" && words.size() > 2) || // with the queue of the worker
        std::ranges::any_of(words, [](const auto& word) { return std::ranges::count(later, word) != 0; }))
        return false;
    std::string call = script;
    for (const auto& word : words)
        call += ' ' + word;
    return std::hash<std::string>{}(call) % 2 == 0;
}

} // namespace

json::value read_reply(const redis_value& value, bool is_document)
{
    using kind = redis_value::kind;
    if (value.is_nil())
        return nullptr;
    if (value.type == kind::integer)
        return value.integer;
    if (value.type != kind::array) {
        if (!is_document || value.is_error())
            return json::string{value.text};
        boost::system::error_code error;
        auto result = json::parse(value.text, error);
        return error ? json::value(value.text) : result;
    }
    json::array elements;
    for (const auto& element : value.elements)
        elements.push_back(read_reply(element, false));
    return elements;
}

snapshot take_snapshot(raw_redis& redis)
{
    const auto keys = redis("KEYS", "*").texts();
    std::vector<strings> commands;
    for (const auto& key : keys)
        commands.push_back({"TYPE", key});
    const auto types = redis.pipeline(commands);
    for (std::size_t i = 0; i != keys.size(); ++i)
        commands[i] = reading(types[i].text, keys[i]);
    const auto contents = redis.pipeline(commands);
    snapshot result;
    for (std::size_t i = 0; i != keys.size(); ++i)
        result[keys[i].substr(prefix.size())] = read_content(types[i].text, contents[i]);
    return result;
}

std::string difference(snapshot found, snapshot expected)
{
    std::string result;
    if (are_releases_mixed()) // how many workers a job has taken with it, only one of them counts
        for (auto* const state : {&found, &expected})
            for (auto& [key, fields] : *state)
                fields.erase("crashes");
    const auto complain = [&](const std::string& key, const content& is, const content& wanted) {
        result += "\n  " + key + "\n    is:" + shown(is) + "\n    expected:" + shown(wanted);
    };
    for (const auto& [key, wanted] : expected) {
        const auto there = found.find(key);
        if (there == found.end() || there->second != wanted)
            complain(key, there == found.end() ? content{} : there->second, wanted);
    }
    for (const auto& [key, is] : found)
        if (!expected.contains(key))
            complain(key, is, {});
    return result;
}

live_queue::live_queue() : listener_{server_.socket_path()}
{
    for (const auto& script : detail::embedded_scripts())
        if (script.name.starts_with("managed/"))
            server_("SCRIPT", "LOAD", script.text());
    if (are_releases_mixed())
        for (const auto& [name, text] : kept_scripts())
            kept_sums[name] = server_("SCRIPT", "LOAD", text).text;
    listener_("PSUBSCRIBE", "*");
}

void live_queue::clear()
{
    server_("FLUSHALL");
    has_update_ended = false;
}

void live_queue::end_update()
{
    has_update_ended = true;
}

strings live_queue::command(const std::string& script, const strings& words)
{
    const auto name = "managed/" + script;
    strings result{"EVALSHA",
                   is_sent_by_kept(script, words) ? kept_sums.at(name)
                                                  : std::string{detail::find_script(name).sha},
                   "1", prefix};
    result.insert(result.end(), words.begin(), words.end());
    return result;
}

strings live_queue::messages()
{
    strings result;
    // Redis answers in order, so what was published before the PING comes first.
    for (auto value = listener_("PING"); value.elements.at(0).text != "pong"; value = listener_.receive())
        result.push_back(value.elements.at(2).text + ' ' + value.elements.at(3).text);
    return result;
}

strings live_queue::broken(double now)
{
    strings result;
    std::string cursor = "0";
    do {
        const auto answer = call("check", {text17(now), cursor, "1000"});
        if (answer.is_error())
            throw std::runtime_error{answer.text};
        cursor = answer.elements.at(0).text;
        for (std::size_t i = 1; i < answer.elements.size(); ++i)
            if (const auto& finding = answer.elements[i]; finding.elements.at(0).text != "drift")
                result.push_back(json::serialize(read_reply(finding, false)));
    } while (cursor != "0");
    return result;
}

} // namespace coworker::test::model
