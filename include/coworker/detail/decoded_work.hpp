// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/codec.hpp"
#include "coworker/completion.hpp"

#include <boost/asio/associator.hpp>

#include <concepts>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

/// @file
/// Operations that yield a C++ value which Redis keeps as JSON text.
namespace coworker::detail {

template<class T>
inline constexpr bool is_optional = false;
template<class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// What can be made of a JSON text: a value, a `std::optional` of one for a text that may be missing, nothing.
template<class T>
struct decodable_type : std::bool_constant<json_readable<T> && std::default_initializable<T>>
{};
template<class T>
struct decodable_type<std::optional<T>> : decodable_type<T>
{};
template<>
struct decodable_type<void> : std::true_type
{};

/// Throws when the text is none.
template<class T>
T decode_or_throw(const std::string& text)
{
    if constexpr (is_optional<T>) {
        if (text.empty())
            return T{};
        return decode_or_throw<typename T::value_type>(text);
    } else {
        auto value = decode<T>(text);
        if (!value)
            throw system_error{value.error(), why_not_decodable<T>(text)};
        return std::move(*value);
    }
}

/// The value that is stored of a step.
template<class T>
T decode_step(const std::string& name, const std::string& text)
{
    auto value = decode<T>(text);
    if (!value)
        throw system_error{value.error(), "step '" + name + "': " + why_not_decodable<T>(text)};
    return std::move(*value);
}

/// Gives a decoded value to a handler in place of the text.
template<class T>
struct told_by_value
{
    typename operation<T>::handler handler;

    void operator()(std::exception_ptr why, std::string text)
    {
        if constexpr (std::is_void_v<T>) {
            std::move(handler)(std::move(why));
        } else {
            T value{};
            try {
                if (!why)
                    value = decode_or_throw<T>(text);
            } catch (...) {
                why = std::current_exception();
            }
            std::move(handler)(std::move(why), std::move(value));
        }
    }
};

/// Work that yields a text, as one that yields what the text says: so that nothing has to be compiled for each type.
template<class T>
class decoded_work
{
public:
    using value_type = T;

    explicit decoded_work(asio::awaitable<std::string> text) : text_{std::move(text)} {}
    static decoded_work fail(std::exception_ptr why)
    {
        return decoded_work{operation<std::string>::fail(std::move(why))};
    }

    void launch(asio::any_io_executor executor, asio::cancellation_type obeyed,
                typename operation<T>::handler handler) &&
    {
        operation<std::string>::launch(std::move(executor), std::move(text_), obeyed,
                                       told_by_value<T>{std::move(handler)});
    }

private:
    asio::awaitable<std::string> text_;
};

} // namespace coworker::detail

template<template<class, class> class Associator, class T, class DefaultCandidate>
struct boost::asio::associator<Associator, coworker::detail::told_by_value<T>, DefaultCandidate>
    : Associator<typename coworker::detail::operation<T>::handler, DefaultCandidate>
{
    using inner = Associator<typename coworker::detail::operation<T>::handler, DefaultCandidate>;

    static decltype(auto) get(const coworker::detail::told_by_value<T>& self) noexcept
    {
        return inner::get(self.handler);
    }
    static decltype(auto) get(const coworker::detail::told_by_value<T>& self,
                              const DefaultCandidate& otherwise) noexcept
    {
        return inner::get(self.handler, otherwise);
    }
};
