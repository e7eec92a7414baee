// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

/// Reading the JSON that the managed queue's scripts answer with. An empty list may be an object, since Lua does
/// not tell them apart; unknown members are passed over; missing ones, and those that are null or false, are
/// empty. Anything else that does not fit throws `errc::not_decodable` and names the member.
namespace coworker::detail {

/// Parses an answer. Bytes that are not UTF-8 are let through: some client may have stored them.
boost::json::value parse_answer(std::string_view text);

/// The members of an object.
class json_fields
{
public:
    /// @param what  what the object is, for messages
    json_fields(const boost::json::value& value, std::string_view what);

    std::string text(std::string_view name) const;
    double number(std::string_view name) const;
    /// A number brought into the range of the type.
    int whole(std::string_view name) const;
    std::uint64_t count(std::string_view name) const;
    std::int64_t difference(std::string_view name) const;
    bool flag(std::string_view name) const;
    std::vector<std::string> texts(std::string_view name) const;

    /// The elements of a list; none if it is empty, be it written {}.
    const boost::json::array& list(std::string_view name) const;

    /// Empty if there is nothing but {}.
    const boost::json::object* object(std::string_view name) const;

    const boost::json::object& all() const noexcept { return *object_; }

private:
    const boost::json::value* find(std::string_view name) const;
    [[noreturn]] void complain(std::string_view name, std::string_view wanted) const;

    const boost::json::object* object_;
    std::string_view what_;
};

/// The elements of an answer that is a list.
const boost::json::array& list_of(const boost::json::value& value, std::string_view what);
std::vector<std::string> texts_of(const boost::json::value& value, std::string_view what);

/// The texts of a list that any client may have stored; none of what is no list.
std::vector<std::string> stored_texts(std::string_view json);

} // namespace coworker::detail
