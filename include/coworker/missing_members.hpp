// SPDX-License-Identifier: MIT
#pragma once

#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <boost/json/conversion.hpp>
#include <boost/json/error.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <boost/mp11/algorithm.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

/// @file
/// Members that the JSON text of a job need not have, so that a job type may get new ones; see docs/job-types.md.
namespace coworker::detail {

/// Names a type where `coworker_may_be_missing` is looked for, and no type that it is derived from.
template<class T>
struct members_of_type
{};

/// Whether one of some names, with commas and blanks between them, is `name`.
constexpr bool is_named(std::string_view names, std::string_view name) noexcept
{
    constexpr std::string_view between = ", \t\n";
    while (!names.empty()) {
        const auto begin = names.find_first_not_of(between);
        names.remove_prefix(begin == names.npos ? names.size() : begin);
        const auto size = names.find_first_of(between);
        if (names.substr(0, size) == name)
            return !name.empty();
        names.remove_prefix(size == names.npos ? names.size() : size);
    }
    return false;
}

/// Whether `COWORKER_MAY_BE_MISSING` names a member of a type.
template<class T>
constexpr bool may_be_missing([[maybe_unused]] std::string_view member) noexcept
{
    if constexpr (requires { coworker_may_be_missing(members_of_type<T>{}); })
        return is_named(coworker_may_be_missing(members_of_type<T>{}), member);
    else
        return false;
}

/// Calls a function with the descriptor of each member of a type, in the order in which they are described.
template<class T, class Function>
constexpr void for_each_member(Function function)
{
    namespace describe = boost::describe;
    boost::mp11::mp_for_each<describe::describe_members<T, describe::mod_public | describe::mod_inherited>>(
        function);
}

/// How many of some names are members of a type.
template<class T>
constexpr bool are_members(std::string_view names) noexcept
{
    std::size_t wanted = 0, found = 0;
    bool in_name = false;
    for (const char c : names) {
        const bool is_part = c != ',' && c != ' ' && c != '\t' && c != '\n';
        wanted += is_part && !in_name ? 1 : 0;
        in_name = is_part;
    }
    for_each_member<T>([&](auto member) { found += is_named(names, decltype(member)::name) ? 1 : 0; });
    return wanted == found;
}

/// The object that a JSON value describes, as Boost.JSON makes it, but that members may be missing which
/// `COWORKER_MAY_BE_MISSING` names.
template<class T>
boost::system::result<T> value_with_defaults(const boost::json::value& value)
{
    namespace json = boost::json;
    static_assert(std::default_initializable<T>, "coworker: what may be missing takes the value that a "
                                                 "default-constructed object has: give the type a default "
                                                 "constructor");
    const auto* const object = value.if_object();
    if (object == nullptr)
        return boost::system::error_code{json::error::not_object};
    T made{};
    boost::system::error_code why;
    for_each_member<T>([&](auto member) {
        using type = std::remove_cvref_t<decltype(std::declval<T&>().*decltype(member)::pointer)>;
        const auto* const found = object->if_contains(decltype(member)::name);
        if (why)
            return;
        if (found == nullptr) {
            if (!json::is_optional_like<type>::value && !may_be_missing<T>(decltype(member)::name))
                why = json::error::size_mismatch;
            return;
        }
        auto converted = json::try_value_to<type>(*found);
        if (converted)
            made.*decltype(member)::pointer = std::move(*converted);
        else
            why = converted.error();
    });
    if (why)
        return why;
    return made;
}

} // namespace coworker::detail

/// Names members of a job type that may be missing in the JSON text of a job. They take the value of a
/// default-constructed object. So a type can get new members while jobs without them wait.
///
///     struct resize
///     {
///         std::string image;
///         int width = 0;
///         int quality = 80; // new
///     };
///     BOOST_DESCRIBE_STRUCT(resize, (), (image, width, quality))
///     COWORKER_MAY_BE_MISSING(resize, quality)
///
/// It stands behind the description, in the same namespace. Members that it does not name must be there, or the job is
/// broken. So a misspelt `image` is noticed, and no picture without a name is made. A member that is a
/// `std::optional` may always be missing. A type that is derived from this one names its members, also those of this
/// one, in a line of its own.
#define COWORKER_MAY_BE_MISSING(Type, ...)                                                                   \
    static_assert(                                                                                           \
        ::coworker::detail::are_members<Type>(#__VA_ARGS__),                                                 \
        "coworker: what may be missing are members that BOOST_DESCRIBE_STRUCT names; one of these "          \
        "is none");                                                                                          \
    [[maybe_unused]] constexpr ::std::string_view coworker_may_be_missing(                                   \
        ::coworker::detail::members_of_type<Type>) noexcept                                                  \
    {                                                                                                        \
        return #__VA_ARGS__;                                                                                 \
    }                                                                                                        \
    [[maybe_unused]] inline ::boost::system::result<Type> tag_invoke(                                        \
        const ::boost::json::try_value_to_tag<Type>&, const ::boost::json::value& value)                     \
    {                                                                                                        \
        return ::coworker::detail::value_with_defaults<Type>(value);                                         \
    }
