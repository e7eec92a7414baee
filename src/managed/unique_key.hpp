// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_options.hpp"

#include <string>
#include <string_view>

/// Unique keys of jobs.
namespace coworker::detail {

/// The word that stands for a conflict in Redis.
std::string_view word_of(on_conflict conflict) noexcept;

/// What a word in Redis stands for; `keep` for a word that means nothing here.
on_conflict conflict_of(std::string_view word) noexcept;

/// Whether jobs are to be unique at all.
bool is_given(const unique_rule& rule) noexcept;

/// @throws system_error  `errc::invalid_option`, or `errc::not_serializable` for a key that is not UTF-8
void check_unique(const unique_rule& rule, std::string_view data);

/// The key of a job with these data, which are JSON. A key that is made from a job begins with its kind in a JSON
/// object; one that would be long is a digest.
std::string unique_key(const unique_rule& rule, std::string_view kind, std::string_view data);

/// The rule by which a key was made of such a job. Of a digest nobody can tell: the rule has that key itself.
unique_rule rule_of_key(const std::string& key, std::string_view kind, std::string_view data);

} // namespace coworker::detail
