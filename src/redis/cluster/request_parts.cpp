// SPDX-License-Identifier: MIT
#include "redis/cluster/request_parts.hpp"

#include "redis/cluster/key_slot.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

namespace coworker::detail {
namespace {

/// Reads a line like "$12", and takes it from `rest`.
std::size_t take_count(std::string_view& rest, char kind)
{
    std::size_t count = 0;
    const auto line = rest.substr(0, rest.find("\r\n"));
    if (line.size() + 2 > rest.size() || !line.starts_with(kind) ||
        std::from_chars(line.data() + 1, line.data() + line.size(), count).ptr != line.data() + line.size())
        throw std::invalid_argument{"not a request"};
    rest.remove_prefix(line.size() + 2);
    return count;
}

request_part::words take_command(std::string_view& rest)
{
    const auto count = take_count(rest, '*');
    if (count == 0 || count > rest.size())
        throw std::invalid_argument{"not a request"};
    request_part::words words;
    words.reserve(count);
    while (words.size() != count) {
        const auto size = take_count(rest, '$');
        if (rest.size() < 2 || size > rest.size() - 2)
            throw std::invalid_argument{"not a request"};
        words.push_back(rest.substr(0, size));
        rest.remove_prefix(size + 2);
    }
    return words;
}

template<std::size_t Size>
bool is_one_of(std::string_view name, const std::array<std::string_view, Size>& names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool calls_a_script(std::string_view name)
{
    static constexpr std::array<std::string_view, 6> names{"EVALSHA", "EVAL",  "EVALSHA_RO",
                                                           "EVAL_RO", "FCALL", "FCALL_RO"};
    return is_one_of(name, names);
}

/// Whether a command is there for the next one, and means nothing on another connection.
bool prepares(const request_part::words& command)
{
    return command.size() > 1 && ((command[0] == "CLIENT" && command[1] == "CACHING") ||
                                  (command[0] == "SCRIPT" && command[1] == "LOAD"));
}

std::optional<std::string_view> key_of(const request_part::words& command)
{
    static constexpr std::array<std::string_view, 15> without{
        "PING",  "INFO",   "TIME",    "CLIENT",      "SCRIPT", "SCAN",    "PUBLISH", "SUBSCRIBE",
        "HELLO", "CONFIG", "CLUSTER", "UNSUBSCRIBE", "ACL",    "COMMAND", "WAIT"};
    if (calls_a_script(command[0])) {
        if (command.size() > 3 && command[2] != "0")
            return command[3];
        return std::nullopt;
    }
    if (command.size() == 1 || is_one_of(command[0], without))
        return std::nullopt;
    return command[1];
}

} // namespace

std::vector<request_part> take_apart(std::string_view request, std::optional<std::uint16_t> home)
{
    std::vector<request_part> parts;
    std::optional<std::uint16_t> first;
    bool goes_on = false; // the next command belongs to the last part
    while (!request.empty()) {
        auto command = take_command(request);
        if (!goes_on)
            parts.emplace_back();
        auto& part = parts.back();
        goes_on = prepares(command);
        if (!goes_on) {
            part.is_script = calls_a_script(command[0]);
            if (const auto key = key_of(command))
                part.slot = slot_of(*key);
            first = first ? first : part.slot;
        }
        part.commands.push_back(std::move(command));
    }
    for (auto& part : parts)
        part.slot = part.slot ? part.slot : home ? home : first;
    return parts;
}

} // namespace coworker::detail
