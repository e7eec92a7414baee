// SPDX-License-Identifier: MIT
#include "coworker/job_effects.hpp"

#include "coworker/error.hpp"
#include "text/plain_text.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace coworker {
namespace {

constexpr std::size_t most_words_of_effect = 1000, most_words_of_effects = 4000,
                      most_bytes_of_effects = std::size_t{8} * 1024 * 1024;

/// As scripts/redis/parts/command_effects.lua has them, sorted.
constexpr std::string_view permitted_commands[] = {
    "DECR",   "DECRBY",      "DEL",    "EXPIRE", "HDEL",    "HINCRBY", "HINCRBYFLOAT", "HSET",  "INCR",
    "INCRBY", "INCRBYFLOAT", "LPUSH",  "LTRIM",  "PERSIST", "PEXPIRE", "PUBLISH",      "RPUSH", "SADD",
    "SET",    "SREM",        "UNLINK", "XADD",   "ZADD",    "ZINCRBY", "ZREM"};

void check_command(const std::vector<std::string>& words)
{
    const auto name = words.empty() ? std::string_view{} : std::string_view{words.front()};
    if (!std::binary_search(std::begin(permitted_commands), std::end(permitted_commands), name))
        throw explained_error{errc::invalid_option,
                              "the command " + detail::in_quotes(name) + " is not permitted as an effect"};
    if (words.size() < 2 || words.size() > most_words_of_effect)
        throw explained_error{errc::invalid_option,
                              "the effect " + std::string{name} + " has a wrong number of words"};
}

} // namespace

void job_effects::add(const text_list& words)
{
    effect command;
    command.words.assign(words.begin(), words.end());
    add(std::move(command));
}

void job_effects::add(effect what)
{
    if (!what.pushed)
        check_command(what.words);
    std::size_t bytes = 0;
    for (const auto& word : what.words)
        bytes += word.size();
    if (bytes_ + bytes > most_bytes_of_effects)
        throw explained_error{errc::job_too_large, "the effects of a job have more than 8 MiB"};
    if (words_ + what.words.size() + 1 > most_words_of_effects)
        throw explained_error{errc::invalid_option, "the effects of a job have more than 4000 words"};
    if (check_)
        check_(what);
    all_.push_back(std::move(what));
    bytes_ += bytes;
    words_ += all_.back().words.size() + 1;
}

void job_effects::clear()
{
    all_.clear();
    bytes_ = words_ = 0;
}

} // namespace coworker
