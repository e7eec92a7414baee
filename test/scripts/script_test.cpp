// SPDX-License-Identifier: MIT
#include "script_test.hpp"

#include "jumping_server.hpp"
#include "list/start_time.hpp"
#include "redis/script.hpp"
#include "short_way.hpp"
#include "support/kept_scripts.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace coworker::test {
namespace {

/// Stands in the reply of ack_and_fetch that was to take jobs for the number of those that wait after the call, if it is
/// that number.
const std::string waiting_then = "<jobs that wait then>";

jumping_server& server()
{
    static jumping_server instance;
    return instance;
}

const detail::script& find_script(const std::string& name)
{
    return detail::find_script(name.find('/') != name.npos ? name : "list/" + name);
}

/// The names of a script's keys, as the header of its file gives them.
strings key_names(const detail::script& script)
{
    strings names;
    constexpr std::string_view head = "-- KEYS ";
    std::ifstream file{SCRIPTS "/" + std::string{script.name} + ".lua"};
    std::string whole;
    while (std::getline(file, whole) && !whole.starts_with(head)) {
    }
    auto line = std::string_view{whole}.substr(std::min(head.size(), whole.size()));
    while (!line.empty()) {
        const auto begin = line.find_first_not_of(", ");
        const auto end = std::min(line.find_first_of(", ", begin), line.size());
        names.emplace_back(line.substr(begin, end - begin));
        line.remove_prefix(end);
    }
    return names;
}

void add_nested(strings& into, const strings& elements)
{
    into.push_back("(");
    into.insert(into.end(), elements.begin(), elements.end());
    into.push_back(")");
}

/// What a short answer of ack_and_fetch stands for: start time, and the payload taken.
strings in_full(const strings& reply, const std::string& worker)
{
    strings full{reply.front(), worker, "0"};
    for (const auto& part : {strings{}, strings(reply.begin() + 1, reply.end()), strings{}})
        add_nested(full, part);
    return full;
}

strings flatten(const redis_value& value)
{
    using kind = redis_value::kind;
    if (value.type == kind::integer)
        return {std::to_string(value.integer)};
    if (value.type != kind::array)
        return {value.is_nil() ? "nil" : value.text};
    strings flat;
    for (const auto& element : value.elements) {
        const auto inner = flatten(element);
        if (element.type == kind::array)
            add_nested(flat, inner);
        else
            flat.push_back(inner.front());
    }
    return flat;
}

strings read_items(const std::string& key, const std::string& type)
{
    auto& redis = script_test::redis();
    if (type == "list")
        return redis("LRANGE", key, 0, -1).texts();
    if (type == "hash")
        return redis("HGETALL", key).texts();
    if (type == "zset")
        return redis("ZRANGE", key, 0, -1, "WITHSCORES").texts();
    return {redis("GET", key).text};
}

/// Hashes have no order of their own.
content sorted(content what)
{
    if (what.type != "hash")
        return what;
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t i = 0; i + 1 < what.items.size(); i += 2)
        pairs.emplace_back(what.items[i], what.items[i + 1]);
    std::sort(pairs.begin(), pairs.end());
    what.items.clear();
    for (auto& [field, value] : pairs) {
        what.items.push_back(std::move(field));
        what.items.push_back(std::move(value));
    }
    return what;
}

std::string shown(const strings& items)
{
    std::string text;
    for (const auto& item : items)
        text += ' ' + (item.empty() ? "(empty)" : item.size() > 200 ? item.substr(0, 200) + "…" : item);
    return text;
}

} // namespace

std::string token(unsigned worker, unsigned micros)
{
    const auto day = std::chrono::sys_days{std::chrono::year{2026} / 1 / 2};
    return detail::format_start_time(timestamp{day} + std::chrono::microseconds{micros}, worker);
}

std::string now(unsigned worker)
{
    return "<now " + std::to_string(worker) + '>';
}

std::string due_in(std::int64_t ms)
{
    return "<in " + std::to_string(ms) + '>';
}

std::string digest_of(std::string_view payload)
{
    payload = payload.substr(0, 512);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    EVP_Digest(payload.data(), payload.size(), digest, &size, EVP_sha1(), nullptr);
    std::string hex;
    for (int i = 0; i != 8; ++i)
        for (const int digit : {digest[i] / 16, digest[i] % 16})
            hex += "0123456789abcdef"[digit];
    return hex;
}

content ready_now(const strings& payloads)
{
    strings digests;
    for (const auto& payload : payloads)
        digests.push_back(digest_of(payload));
    std::sort(digests.begin(), digests.end());
    strings items;
    for (auto& digest : digests) {
        items.push_back(std::move(digest));
        items.push_back(due_in(0));
    }
    return zset(std::move(items));
}

std::string sha1(const std::string& text)
{
    return server().server().raw()("EVAL", "return redis.sha1hex(ARGV[1])", 0, text).text;
}

std::string scheduled_member(unsigned sequence, std::string_view payload)
{
    const auto digits = std::to_string(sequence);
    return std::string(12 - digits.size(), '0').append(digits).append(":").append(payload);
}

ack_and_fetch::operator script_call() const
{
    std::string numbers;
    for (const auto number : {failed_limit, broken_limit, deliverable, first, lease})
        numbers += std::to_string(number) + ' ';
    numbers.pop_back();
    strings arguments{std::to_string(count), std::to_string(worker), name, numbers};
    arguments.push_back(std::to_string(succeeded.size()));
    for (const auto& [token, payloads] : succeeded) {
        arguments.push_back(token);
        arguments.push_back(std::to_string(payloads.size()));
        arguments.insert(arguments.end(), payloads.begin(), payloads.end());
    }
    for (const auto& job : others) {
        arguments.insert(arguments.end(), {job.payload, job.token, job.kind, std::to_string(job.attempts),
                                           std::to_string(job.delay), job.message});
        arguments.insert(arguments.end(), job.effects.begin(), job.effects.end());
    }
    return {"ack_and_fetch", std::move(arguments)};
}

recovery::operator script_call() const
{
    strings arguments{cursor, std::to_string(count), threshold, latest};
    for (const auto& number : dead)
        arguments.insert(arguments.end(), {number, looked});
    return {"recover_leases", std::move(arguments)};
}

strings took(unsigned worker, const strings& payloads, const strings& attempts, const strings& lost)
{
    strings reply{now(worker), std::to_string(worker), waiting_then};
    for (const auto& part : {lost, payloads, attempts})
        add_nested(reply, part);
    return reply;
}

strings settled(const strings& lost)
{
    auto reply = took(0, {}, {}, lost);
    reply.front().clear();
    reply[2] = "0"; // nobody asked
    return reply;
}

script_call push_later(const std::string& start, const strings& payloads)
{
    const auto count = payloads.size();
    script_call call{"submit", {"0", std::to_string(count)}};
    auto& words = call.arguments;
    words.resize(words.size() + count);
    words.insert(words.end(), payloads.begin(), payloads.end());
    words.insert(words.end(), count, start);
    return call;
}

raw_redis& script_test::redis()
{
    return server().server().raw();
}

std::int64_t script_test::server_micros()
{
    const auto answer = redis()("TIME").texts();
    return std::stoll(answer.at(0)) * 1'000'000 + std::stoll(answer.at(1));
}

bool script_test::set_clock(std::chrono::nanoseconds ahead)
{
    return server().set_clock(ahead);
}

script_test::script_test()
{
    redis()("FLUSHALL");
}

void script_test::set(const state& content)
{
    for (const auto& [key, what] : content) {
        strings command{what.type == "list"   ? "RPUSH"
                        : what.type == "hash" ? "HSET"
                        : what.type == "zset" ? "ZADD"
                                              : "SET",
                        key};
        command.insert(command.end(), what.items.begin(), what.items.end());
        if (what.type == "zset")
            for (std::size_t i = 2; i + 1 < command.size(); i += 2)
                std::swap(command[i], command[i + 1]);
        redis().command(command);
    }
}

strings script_test::load(const std::string& name, release of)
{
    const auto& script = find_script(name);
    const auto kept =
        of == release::last ? kept_scripts().find(std::string{script.name}) : kept_scripts().end();
    const auto text = kept == kept_scripts().end() ? script.text() : kept->second;
    const auto keys = key_names(script);
    strings words{"EVALSHA", redis()("SCRIPT", "LOAD", text).text, std::to_string(keys.size())};
    words.insert(words.end(), keys.begin(), keys.end());
    return words;
}

strings script_test::call(const script_call& what)
{
    const auto& script = find_script(what.script);
    auto text = script.text();
    auto keys = key_names(script);
    keys.insert(keys.end(), what.more_keys.begin(), what.more_keys.end());
    BOOST_TEST_REQUIRE(redis()("SCRIPT", "LOAD", text).text == script.sha);
    has_short_way_ = bar_short_way(text);
    strings command{"EVALSHA", std::string{script.sha}, std::to_string(keys.size())};
    if (has_short_way_ && is_short_way_barred_)
        command = {"EVAL", text, std::to_string(keys.size())};
    command.insert(command.end(), keys.begin(), keys.end());
    command.insert(command.end(), what.arguments.begin(), what.arguments.end());

    called_ = server_micros();
    const auto answer = redis().try_command(command);
    answered_ = server_micros();
    auto reply = flatten(answer);
    for (auto& word : reply)
        word = replace_times(std::move(word));
    if (what.script == "ack_and_fetch" && answer.type == redis_value::kind::array && reply.size() <= 2)
        reply = in_full(reply, what.arguments.at(1));
    const bool takes = what.script == "ack_and_fetch" && what.arguments.front() != "0";
    const bool has_taken = takes && reply.size() > 2 && !reply.front().empty(); // it is not paused
    if (has_taken && reply[2] == flatten(redis().try_command({"LLEN", "jobs"})).front())
        reply[2] = waiting_then;
    return reply;
}

std::string script_test::replace_times(std::string text) const
{
    constexpr std::size_t size = 35; // "2026-11-21T09:54:29.612715000042Z" with its quotes
    for (std::size_t at = text.find('"'); at != text.npos && text.size() - at >= size;
         at = text.find('"', at + 1)) {
        const auto written = std::string_view{text}.substr(at, size);
        const auto time = detail::parse_start_time(written);
        if (!time || written[33] != 'Z')
            continue;
        const auto micros = time->started.time_since_epoch().count();
        if (micros >= called_ && micros <= answered_)
            text.replace(at, size, now(time->worker));
    }
    return text;
}

state script_test::get(const state& expected) const
{
    state found;
    for (const auto& key : redis()("KEYS", "*").texts()) {
        content what{redis()("TYPE", key).text, {}};
        what.items = read_items(key, what.type);
        for (auto& item : what.items)
            item = replace_times(std::move(item));
        found[key] = std::move(what);
    }
    for (const auto& [key, what] : expected) {
        const auto same_key = found.find(key);
        if (what.type != "zset" || same_key == found.end())
            continue;
        auto& items = same_key->second.items;
        for (std::size_t i = 1; i < std::min(items.size(), what.items.size()); i += 2) {
            long long ms = 0;
            if (std::sscanf(what.items[i].c_str(), "<in %lld>", &ms) != 1)
                continue;
            const double score = std::stod(items[i]);
            if (score >= std::floor(double(called_) / 1000) + double(ms) &&
                score <= double(answered_) / 1000 + double(ms))
                items[i] = what.items[i];
        }
    }
    return found;
}

void script_test::check(const row& what)
{
    for (const bool is_barred : {false, true}) {
        is_short_way_barred_ = is_barred;
        if (is_barred)
            redis()("FLUSHALL");
        set(what.before);
        const auto reply = call(what.call);
        BOOST_TEST(same(reply, what.reply));
        BOOST_TEST(same(get(what.after), what.after));
        if (!has_short_way_)
            break;
    }
    is_short_way_barred_ = false;
}

void script_test::check_both_ways(const state& before, const script_call& what)
{
    redis()("FLUSHALL");
    set(before);
    const auto reply = call(what);
    BOOST_TEST_REQUIRE(has_short_way_);
    auto after = get();
    for (auto& [key, content] : after)
        for (std::size_t i = 1; content.type == "zset" && i < content.items.size(); i += 2)
            if (std::stod(content.items[i]) >= std::floor(double(called_) / 1000))
                content.items[i] = due_in(0);
    redis()("FLUSHALL");
    check({before, what, reply, after});
    redis()("FLUSHALL");
}

boost::test_tools::assertion_result same(const state& found, const state& expected)
{
    boost::test_tools::assertion_result result{true};
    const auto complain = [&](const std::string& key, const std::string& what) {
        result = false;
        result.message() << "\n  " << key << ": " << what;
    };
    for (const auto& [key, what] : expected) {
        const auto other = found.find(key);
        if (other == found.end()) {
            complain(key, "is missing");
            continue;
        }
        const auto there = sorted(other->second), wanted = sorted(what);
        if (there.type != wanted.type || there.items != wanted.items)
            complain(key,
                     there.type + shown(there.items) + "\n  expected: " + wanted.type + shown(wanted.items));
    }
    for (const auto& [key, what] : found)
        if (!expected.contains(key))
            complain(key, "should not be there: " + what.type + shown(what.items));
    return result;
}

boost::test_tools::assertion_result same(const strings& found, const strings& expected)
{
    boost::test_tools::assertion_result result{found == expected};
    if (!result)
        result.message() << "\n  answered:" << shown(found) << "\n  expected:" << shown(expected);
    return result;
}

} // namespace coworker::test
