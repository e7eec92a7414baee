#pragma once

// Before flat_tree.hpp, which declares a namespace that hides a name this one needs.
#include <boost/redis/adapter/result.hpp>

#include <boost/redis/resp3/flat_tree.hpp>

#include <cstdint>
#include <string_view>

/// What Redis answered to the commands of one request.
namespace coworker::detail {

/// One value of a reply.
using reply_node = boost::redis::resp3::node_view;

/// A reply with one flat array or one scalar in it per command.
class reply
{
public:
    boost::redis::resp3::flat_tree tree;

    /// The nodes of one command's answer: for an array first its header, then its elements.
    struct answer
    {
        const reply_node* first;
        const reply_node* last;

        bool is_error() const noexcept;
        bool is_null() const noexcept;
        std::string_view text() const noexcept { return first->value; }
        std::int64_t integer() const noexcept;

        /// Elements of the array; nested aggregates count with all their nodes.
        std::size_t size() const noexcept { return static_cast<std::size_t>(last - first) - 1; }
        std::string_view operator[](std::size_t i) const noexcept { return first[i + 1].value; }
        const reply_node& node(std::size_t i) const noexcept { return first[i + 1]; }
        std::int64_t integer(std::size_t i) const noexcept;
    };

    /// The parts of an array whose elements may be arrays of scalars themselves.
    static answer part(const answer& whole, std::size_t index) noexcept;

    /// The answer to the request's `index`th command.
    answer operator[](std::size_t index) const noexcept;

    /// The answer to the last command.
    answer back() const noexcept;

    /// Throws `system_error` with Redis' own text if any command was answered with an error.
    void throw_if_error() const;
};

/// Reads a number that Redis or a script wrote; 0 when there is none.
std::int64_t to_integer(std::string_view text) noexcept;

} // namespace coworker::detail
