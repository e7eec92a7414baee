// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

// Before flat_tree.hpp, which declares a namespace that hides a name this one needs.
#include <boost/redis/adapter/result.hpp>

#include <boost/redis/resp3/flat_tree.hpp>

#include <cstdint>
#include <exception>
#include <span>
#include <string_view>
#include <vector>

/// What Redis answered to the commands of one request.
namespace coworker::detail {

/// One value of a reply.
using reply_node = boost::redis::resp3::node_view;

/// A reply with one flat array or one scalar in it per command.
///
/// An answer comes from outside, like any input: a server, a proxy or a damaged connection may have written it.
/// So everything here throws `errc::unexpected_answer` when the answer has another shape than the caller expects.
/// The command may have been carried out then, and nobody knows what came of it, as if there were no answer.
class reply
{
public:
    boost::redis::resp3::flat_tree tree;

    /// The nodes of one command's answer: for an array first its header, then its elements.
    struct answer
    {
        const reply_node* first;
        const reply_node* last; ///< after `first` at least

        bool is_error() const noexcept;
        /// Redis does not have the script that was called: it has not been carried out.
        bool says_script_is_missing() const noexcept;
        /// Redis' error as a `system_error`; null if it is none.
        std::exception_ptr error() const;
        bool is_null() const noexcept;
        /// Of a scalar; empty for null.
        std::string_view text() const;
        /// Of a scalar; 0 for null, and for a text that does not begin with a number.
        std::int64_t integer() const;

        /// Elements of the array; nested aggregates count with all their nodes. 0 for a scalar.
        std::size_t size() const noexcept { return static_cast<std::size_t>(last - first) - 1; }
        std::string_view operator[](std::size_t i) const;
        std::int64_t integer(std::size_t i) const;
        const reply_node& node(std::size_t i) const;
        /// All nodes from the `begin`th on.
        std::span<const reply_node> nodes(std::size_t begin = 0) const;

        /// An element that is a position in a list of `count`, which scripts count from 1. Returns it counted from 0.
        std::size_t position(std::size_t i, std::size_t count) const;
    };

    /// The parts of an array whose elements may be arrays of scalars themselves.
    static answer part(const answer& whole, std::size_t index);

    /// All parts of an array, in order: one walk, where `part` begins anew each time.
    static std::vector<answer> parts(const answer& whole);

    /// The answer to the request's `index`th command.
    answer operator[](std::size_t index) const;

    /// The answer to the last command.
    answer back() const;

    /// Throws `system_error` with Redis' own text if any command was answered with an error.
    void throw_if_error() const;

    /// Whether every command was refused because the server accepts no writes: then nothing has been carried out.
    bool is_refused_as_read_only() const noexcept;

    /// The first such refusal among the answers; empty if there is none.
    std::string_view read_only_refusal() const noexcept;
};

/// What an error that stands in an answer as a text would be if Redis had answered with it.
error_code error_of_text(std::string_view text);

/// Whether an error of Redis says that this server accepts no writes, and another one may: it is a replica, or has
/// lost its replicas.
bool says_read_only(std::string_view error) noexcept;

/// Throws what an answer of another shape than expected is taken for; `what` says where it differs.
[[noreturn]] void throw_unexpected_answer(std::string_view what);

/// Reads a number that Redis or a script wrote; 0 when there is none.
std::int64_t to_integer(std::string_view text) noexcept;

} // namespace coworker::detail
