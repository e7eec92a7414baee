// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/detail/compiler.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <ostream>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// The types of texts in options, which own their characters.

namespace coworker {

/// A value that an option owns. Made from whatever makes a `T`, and used like one. It converts to `const T&`, and
/// can be dereferenced, or asked whether it is empty, if a `T` can.
///
/// Options have this rather than a `T` because of g++ 12. That compiler copies a temporary aggregate in a `co_await`
/// expression byte by byte, uses the copy, and destroys both. An `owned` knows where it was made: a copy made byte by
/// byte reads the original, which lives as long, and destroys nothing.
///
/// @note  With g++ 12 it is not made from a temporary aggregate. Nor is it made from a lambda in place that captures
///   objects by value, such as a string. These would be destroyed twice. Give them a name first.
template<class T>
class owned
{
public:
    /// A `T{}`.
    owned() : owned{std::in_place} {}
    /// A `T` made from this.
    template<class U>
    requires(!std::same_as<std::remove_cvref_t<U>, owned> && std::convertible_to<U, T>) owned(U&& value)
        : owned{std::in_place, std::forward<U>(value)}
    {
        static_assert(!detail::crashes_as_temporary<U>, COWORKER_NAME_TEMPORARY_FIRST);
    }
    /// A copy of the value.
    owned(const owned& other) : owned{std::in_place, other.get()} {}
    /// Takes over the value.
    owned(owned&& other) : owned{std::in_place} { take(other); }
    /// Copies the value.
    owned& operator=(const owned& other)
    {
        get() = other.get();
        return *this;
    }
    /// Takes over the value.
    owned& operator=(owned&& other)
    {
        take(other);
        return *this;
    }
    /// Destroys the value.
    ~owned()
    {
        if (is_itself())
            value_.~T();
    }

    /// The value.
    const T& get() const noexcept { return *self_; }
    /// The value.
    T& get() noexcept { return *self_; }
    /// The value.
    operator const T&() const noexcept { return get(); }

    /// What the value points to, or contains.
    decltype(auto) operator*() const requires requires(const T& value) { *value; }
    {
        return *get();
    }
    /// What the value points to, or contains.
    auto operator->() const requires requires(const T& value) { *value; }
    {
        return std::addressof(*get());
    }
    /// Whether the value is something: a function that can be called, a pointer that is not null.
    explicit operator bool() const noexcept requires(std::constructible_from<bool, const T&>)
    {
        return static_cast<bool>(get());
    }

private:
    template<class... Arguments>
    explicit owned(std::in_place_t, Arguments&&... arguments)
        : value_(std::forward<Arguments>(arguments)...), self_{std::addressof(value_)}
    {}

    bool is_itself() const noexcept { return self_ == std::addressof(value_); }

    void take(owned& other)
    {
        if (other.is_itself())
            get() = std::move(other.value_);
        else
            get() = other.get();
    }

    union {
        T value_;
    };
    T* self_;
};

/// A text that owns its characters: a member of options. Made from any kind of text, and used like a constant
/// `std::string`.
///
/// Options have this rather than a `std::string` because g++ 12 destroys temporary aggregates in `co_await` expressions
/// twice; a `text` survives that. It is meant as a member of options and as an argument.
class text
{
public:
    /// An empty text.
    text() = default;
    /// A copy of `characters`, which end with a zero.
    text(const char* characters) : characters_{std::string{characters}} {}
    /// A text of these characters.
    text(std::string characters) : characters_{std::move(characters)} {}
    /// A copy of `characters`.
    text(std::string_view characters) : characters_{std::string{characters}} {}

    /// The characters.
    const std::string& str() const noexcept { return characters_.get(); }
    /// The characters.
    operator const std::string&() const noexcept { return str(); }
    /// A view of the characters, valid as long as this text.
    operator std::string_view() const noexcept { return str(); }
    /// The characters with a zero behind them, valid as long as this text.
    const char* c_str() const noexcept { return str().c_str(); }
    /// There are no characters.
    bool empty() const noexcept { return str().empty(); }
    /// The number of bytes.
    std::size_t size() const noexcept { return str().size(); }

    /// The same bytes.
    friend bool operator==(const text& a, const text& b) noexcept { return a.str() == b.str(); }
    /// The same bytes.
    friend bool operator==(const text& a, std::string_view b) noexcept { return a.str() == b; }
    /// The same bytes.
    friend bool operator==(const text& a, const std::string& b) noexcept { return a.str() == b; }
    /// The same bytes.
    friend bool operator==(const text& a, const char* b) noexcept { return a.str() == b; }
    /// Both, one behind the other.
    friend std::string operator+(const text& a, std::string_view b) { return std::string{a.str()}.append(b); }
    /// Both, one behind the other.
    friend std::string operator+(std::string_view a, const text& b) { return std::string{a}.append(b.str()); }
    /// Writes the characters.
    friend std::ostream& operator<<(std::ostream& out, const text& what) { return out << what.str(); }

private:
    owned<std::string> characters_;
};

namespace detail {

/// A vector, an array, a span and so on.
template<class Range, class Element>
concept range_of =
    std::ranges::contiguous_range<const Range> && std::same_as<std::ranges::range_value_t<Range>, Element>;

} // namespace detail

/// A list of texts that it owns: an option or an argument. Made from texts in braces, or from any contiguous range of
/// `std::string` or `std::string_view`.
///
/// It knows whether it was given: an empty list may mean something else than none.
class text_list
{
public:
    /// No list: `is_given` is false.
    text_list() = default;

    /// A list of one or more texts: `"red"`, `{"red", "blue"}`.
    // Of any types: `{{"red", "blue"}}` would make one std::string of two pointers as its begin and its end.
    template<std::convertible_to<std::string_view> First, std::convertible_to<std::string_view>... Others>
    text_list(const First& first, const Others&... others) : is_given_{true}
    {
        items_.get().reserve(1 + sizeof...(Others));
        push_back(first);
        (push_back(others), ...);
    }

    /// Copies the texts of a vector, an array, a span and so on. An empty range is a list that was given.
    template<class Range>
    requires(detail::range_of<Range, std::string> || detail::range_of<Range, std::string_view>)
        text_list(const Range& range)
        : items_{std::vector<std::string>(std::ranges::begin(range), std::ranges::end(range))}, is_given_{
                                                                                                    true}
    {}

    /// An empty list that was given.
    static text_list none()
    {
        text_list list;
        list.is_given_ = true;
        return list;
    }

    /// Appends a text; the list counts as given from then on.
    void push_back(std::string_view another)
    {
        items_.get().emplace_back(another);
        is_given_ = true;
    }

    /// A list was given, though it may be empty.
    bool is_given() const noexcept { return is_given_; }
    /// The number of texts.
    std::size_t size() const noexcept { return items_.get().size(); }
    /// There are no texts.
    bool empty() const noexcept { return items_.get().empty(); }
    /// The text at `i`, which is less than `size()`.
    const std::string& operator[](std::size_t i) const noexcept { return items_.get()[i]; }
    /// The first text.
    auto begin() const noexcept { return items_.get().begin(); }
    /// Behind the last text.
    auto end() const noexcept { return items_.get().end(); }

private:
    owned<std::vector<std::string>> items_;
    bool is_given_ = false;
};

/// Names with values that it owns: an option. Made from names and values in turn, `{"tenant", "42", "lang", "en"}`, or
/// from a map.
class text_map
{
public:
    /// Nothing.
    text_map() = default;

    /// Names and values in turn.
    // Of any types, as in `text_list`: `{{"tenant", "42"}, {"region", "eu"}}` does not compile.
    template<std::convertible_to<std::string_view>... Texts>
    requires(sizeof...(Texts) != 0 && sizeof...(Texts) % 2 == 0) text_map(const Texts&... texts)
    {
        const std::string_view all[] = {texts...};
        for (std::size_t i = 0; i != std::size(all); i += 2)
            set(all[i], all[i + 1]);
    }
    /// The names and values of a map.
    template<std::same_as<std::map<std::string, std::string>> Map>
    text_map(Map items) : items_{std::move(items)}
    {}

    /// Gives a name a value.
    void set(std::string_view name, std::string_view value)
    {
        items_.get().insert_or_assign(std::string{name}, std::string{value});
    }
    /// The names with their values.
    const std::map<std::string, std::string>& items() const noexcept { return items_.get(); }
    /// There is no name.
    bool empty() const noexcept { return items().empty(); }

private:
    owned<std::map<std::string, std::string>> items_;
};

} // namespace coworker
