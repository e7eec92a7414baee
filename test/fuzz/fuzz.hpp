// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <string_view>
#include <vector>

/// What is fed with bytes that anybody may have written. One program has all targets: it is told the name of one.
namespace coworker::fuzz {

struct target
{
    std::string_view name;
    void (*feed)(std::string_view bytes);
};

/// All that are compiled in.
std::vector<target>& targets();

/// The one of that name; null: there is none.
const target* find_target(std::string_view name);

/// Ends the program unless a claim about what was read is true.
void claim(bool is_true, std::source_location where = std::source_location::current());

/// Ends the program if a refusal says nothing to people, or is no UTF-8 though what it is of is.
void claim_sentence(std::string_view text, std::string_view of = {},
                    std::source_location where = std::source_location::current());

/// Whether a part, if it is not empty, is a part of a text.
bool is_within(std::string_view part, std::string_view whole);

struct known_target
{
    known_target(std::string_view name, void (*feed)(std::string_view)) { targets().push_back({name, feed}); }
};

} // namespace coworker::fuzz

/// FUZZ_TARGET(url) { … } defines the target "url". Its bytes are `bytes`. It checks what it reads with `claim`, and lets no
/// exception out.
#define FUZZ_TARGET(target_name)                                                                             \
    static void feed_##target_name(std::string_view bytes);                                                  \
    static const ::coworker::fuzz::known_target known_##target_name{#target_name, feed_##target_name};       \
    static void feed_##target_name(std::string_view bytes)
