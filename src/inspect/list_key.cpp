// SPDX-License-Identifier: MIT
#include "inspect/list_key.hpp"

#include <array>
#include <utility>

namespace coworker::detail {

namespace {

constexpr std::array<std::pair<char, job_state>, 5> state_letters = {{{'w', job_state::waiting},
                                                                      {'s', job_state::scheduled},
                                                                      {'r', job_state::running},
                                                                      {'f', job_state::failed},
                                                                      {'b', job_state::broken}}};

} // namespace

std::string make_list_key(job_state state, std::string_view payload)
{
    std::string key;
    for (const auto& [letter, stands_for] : state_letters)
        if (stands_for == state)
            key = letter;
    key += ':';
    return key.append(payload);
}

std::optional<list_key_parts> split_list_key(std::string_view key) noexcept
{
    if (key.size() < 2 || key[1] != ':')
        return std::nullopt;
    for (const auto& [letter, stands_for] : state_letters)
        if (letter == key[0])
            return list_key_parts{stands_for, key.substr(2)};
    return std::nullopt;
}

} // namespace coworker::detail
