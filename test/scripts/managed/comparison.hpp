// SPDX-License-Identifier: MIT
#pragma once

#include "support/raw_redis.hpp"
#include "table.hpp"

#include <string>

/// What was found against what is expected. Each returns what differs; nothing if it is right.
namespace coworker::test {

/// Everything in the database, in the form of a table.
database dump(raw_redis& redis);

/// A state with the changes that a table names. Throws, with its place, if one does not fit the state.
database changed(database before, const std::vector<table_change>& changes);

/// As JSON; of an error its text.
std::string shown(const redis_value& reply);

/// How texts that are numbers are compared: byte for byte where Redis spells them as the tables do (7.0), else by
/// value.
enum class number_texts
{
    exactly,
    by_value
};

std::string compare_reply(const redis_value& found, const std::string& expected, number_texts numbers);
std::string compare_messages(const std::vector<std::string>& found, const std::vector<std::string>& expected,
                             const std::vector<std::string>& places = {}); ///< of those expected

/// `changes` are those that made the state that is expected: their places are named with the keys that differ.
std::string compare_databases(const database& found, const database& expected, number_texts numbers,
                              const std::vector<table_change>& changes = {});

} // namespace coworker::test
