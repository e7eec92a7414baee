// SPDX-License-Identifier: MIT
#include "comparison.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

// How a state follows from the one before and the changes that a table names.

namespace coworker::test {
namespace {

namespace json = boost::json;

/// The fields of a hash with those that have changed; null stands for one that is gone.
json::value with_fields(json::object fields, const json::object& changes)
{
    for (const auto& [field, value] : changes) {
        if (value.is_null())
            fields.erase(field);
        else
            fields[field] = value;
    }
    return fields;
}

/// The members of a sorted set with those that have changed, in the order that Redis has; null stands for
/// one that is gone.
json::value with_scores(json::array members, const json::object& changes)
{
    for (const auto& [member, score] : changes) {
        const auto at = std::find_if(members.begin(), members.end(), [&name = member](const auto& each) {
            return each.as_array().at(0).as_string() == name;
        });
        if (at != members.end())
            members.erase(at);
        else if (score.is_null())
            throw std::runtime_error{std::string{member} + " is no member before the call"};
        if (!score.is_null())
            members.push_back(json::array{member, score});
    }
    std::sort(members.begin(), members.end(), [](const auto& one, const auto& other) {
        const auto place = [](const json::value& each) {
            return std::pair{std::strtod(each.at(1).as_string().c_str(), nullptr), each.at(0).as_string()};
        };
        return place(one) < place(other);
    });
    return members;
}

json::value with_elements(json::array elements, const json::array& more)
{
    elements.insert(elements.end(), more.begin(), more.end());
    return elements;
}

/// What a key of this type holds before the call; `empty` if it is not there.
json::value before(const database& state, const std::string& key, const std::string& type, json::value empty)
{
    const auto there = state.find(key);
    if (there == state.end() && !empty.is_null())
        return empty;
    if (there == state.end() || !there->second.starts_with(type + ' '))
        throw std::runtime_error{key + " is no " + type + " before the call"};
    return json::parse(there->second.substr(type.size() + 1));
}

void store(database& state, const std::string& key, const std::string& type, const json::value& content)
{
    if (content.is_array() && content.get_array().empty())
        state.erase(key);
    else
        state[key] = type + ' ' + json::serialize(content);
}

void make(database& state, const std::string& key, const std::string& content)
{
    const auto form = content.substr(0, content.find(' '));
    const auto rest = [&] { return json::parse(content.substr(form.size() + 1)); };
    if (form == "none") {
        if (state.erase(key) == 0)
            throw std::runtime_error{key + " is not there before the call"};
    } else if (form == "fields") {
        store(state, key, "hash",
              with_fields(before(state, key, "hash", nullptr).as_object(), rest().as_object()));
    } else if (form == "scores") {
        store(state, key, "zset",
              with_scores(before(state, key, "zset", json::array{}).as_array(), rest().as_object()));
    } else if (form == "more") {
        store(state, key, "list",
              with_elements(before(state, key, "list", json::array{}).as_array(), rest().as_array()));
    } else {
        state[key] = content;
    }
}

} // namespace

database changed(database before, const std::vector<table_change>& changes)
{
    for (const auto& change : changes)
        try {
            make(before, change.key, change.content);
        } catch (const std::exception& error) {
            throw std::runtime_error{change.place + ": " + error.what()};
        }
    return before;
}

} // namespace coworker::test
