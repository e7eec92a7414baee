// SPDX-License-Identifier: MIT
#pragma once

#include "redis/reply.hpp"

#include <set>
#include <string>

/// Nodes of a cluster that did not answer, and that one can do without.
namespace coworker::detail {

/// Their names, "host:port".
using node_names = std::set<std::string>;

/// What came of a question to one of the nodes.
enum class node_answer
{
    answered,
    missing,
    no_such_node, ///< there are fewer
};

/// How the answer to a command begins whose node is missing. No server answers it.
inline constexpr const char* missing_node_error = "NODEMISSING ";

inline bool is_of_missing_node(const reply::answer& answer)
{
    return answer.is_error() && answer.text().starts_with(missing_node_error);
}

} // namespace coworker::detail
