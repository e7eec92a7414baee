// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/missing_members.hpp"

#include <boost/core/type_name.hpp>
#include <boost/json/conversion.hpp>
#include <boost/json/error.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// Where a JSON value differs from the C++ type that it should become.
namespace coworker::detail {

/// "a text", "a number", and so on.
std::string_view kind_of_value(const boost::json::value& value) noexcept;

/// "it is not a TYPE: PLACE: WHY". The place is left out when it is the whole value.
std::string tell_mismatch(std::string_view type, std::string_view place, std::string_view why);

/// The place of a member, or of an element, of what stands at `place`.
std::string place_of(std::string_view place, std::string_view member);
std::string place_of(std::string_view place, std::size_t element);

template<class Function>
std::string what_is_thrown(Function function)
{
    try {
        function();
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

struct mismatch
{
    std::string place; ///< such as "to.street" or "pages[2]"; empty: the whole value
    std::string why;
};

/// Looks for the first part of a value that does not fit, in the order in which the members are described.
template<class T>
std::optional<mismatch> find_mismatch(const boost::json::value& value, const std::string& place);

template<class T>
std::optional<mismatch> find_mismatch_in_members(const boost::json::object& object, const std::string& place)
{
    std::optional<mismatch> found;
    for_each_member<T>([&](auto member) {
        using type = std::remove_cvref_t<decltype(std::declval<T&>().*decltype(member)::pointer)>;
        if (found)
            return;
        const auto at = place_of(place, decltype(member)::name);
        if (const auto* value = object.if_contains(decltype(member)::name))
            found = find_mismatch<type>(*value, at);
        else if (!boost::json::is_optional_like<type>::value && !may_be_missing<T>(decltype(member)::name))
            found = mismatch{at, "it is missing"};
    });
    return found;
}

template<class Range>
std::optional<mismatch> find_mismatch_in_elements(const boost::json::array& array, const std::string& place)
{
    for (std::size_t i = 0; i != array.size(); ++i)
        if (auto found = find_mismatch<typename Range::value_type>(array[i], place_of(place, i)))
            return found;
    return std::nullopt;
}

template<class T>
std::optional<mismatch> find_mismatch(const boost::json::value& value, const std::string& place)
{
    namespace json = boost::json;
    const auto expected = [&](std::string_view what) {
        return mismatch{place, std::string{what} + " is expected, and there is " +
                                   std::string{kind_of_value(value)}};
    };
    const auto converted = json::try_value_to<T>(value);
    if (converted.has_value())
        return std::nullopt;
    if (converted.error() == json::error::exception) // of a user's own conversion
        return mismatch{place, what_is_thrown([&] { (void)json::value_to<T>(value); })};
    std::string why = converted.error().message();
    // A type with a conversion of its own is none of these, and says itself what it does not like.
    if constexpr (json::is_described_class<T>::value) {
        if (!value.is_object())
            return expected("an object");
        if (auto found = find_mismatch_in_members<T>(value.get_object(), place))
            return found;
    } else if constexpr (std::is_same_v<T, bool>) {
        return expected("true or false");
    } else if constexpr (std::is_arithmetic_v<T>) {
        if (!value.is_number())
            return expected("a number");
        return mismatch{place, "the number does not fit " + boost::core::type_name<T>()};
    } else if constexpr (json::is_string_like<T>::value) {
        return expected("a text");
    } else if constexpr (json::is_optional_like<T>::value) {
        return find_mismatch<typename T::value_type>(value, place);
    } else if constexpr (json::is_sequence_like<T>::value && !json::is_map_like<T>::value &&
                         requires { typename T::value_type; }) {
        if (!value.is_array())
            return expected("a list");
        if (auto found = find_mismatch_in_elements<T>(value.get_array(), place))
            return found;
    }
    return mismatch{place, std::move(why)};
}

/// Says why a value does not become a `T`.
template<class T>
std::string explain_mismatch(const boost::json::value& value)
{
    const auto found = find_mismatch<T>(value, {});
    return found ? tell_mismatch(boost::core::type_name<T>(), found->place, found->why) : std::string{};
}

} // namespace coworker::detail
