// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_effects.hpp"

#include <memory>
#include <string_view>
#include <vector>

/// Effects as both layouts' ack_and_fetch.lua want them.
namespace coworker::detail {

class connection;

/// Throws if the effect cannot be carried out over this connection.
void check_effect_of(const std::shared_ptr<connection>& redis, const effect& what);

/// How many words `add_effects` adds.
std::size_t count_effect_words(const job_effects& effects);

/// How many there are, and of each how many words, and those. `add` is called with each text, `add_number` with each
/// number.
template<class Add, class AddNumber>
void add_effects(const job_effects& effects, Add add, AddNumber add_number)
{
    add_number(effects.all().size());
    for (const auto& each : effects.all()) {
        add_number(each.words.size());
        for (const auto& word : each.words)
            add(std::string_view{word});
    }
}

} // namespace coworker::detail
