// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/text.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace coworker {

/// A list that it owns: a member of options. Made from elements in braces, or from a `std::vector`, and read like one.
///
/// Options have this rather than a `std::vector` because g++ 12 destroys temporary aggregates in `co_await` expressions
/// twice; this survives it, as a `text` does.
template<class T>
class option_list
{
public:
    /// An empty list.
    option_list() = default;
    /// A list of these elements.
    option_list(std::vector<T> items) : items_{std::move(items)} {}
    /// A list of one or more elements: `{a, b}`.
    template<class First, class... Others>
    requires(!std::same_as<std::remove_cvref_t<First>, option_list> && std::convertible_to<First, T> &&
             (std::convertible_to<Others, T> && ...)) option_list(First&& first, Others&&... others)
    {
        static_assert(!detail::crashes_as_temporary<First> && (!detail::crashes_as_temporary<Others> && ...),
                      COWORKER_NAME_TEMPORARY_FIRST);
        items_.get().reserve(1 + sizeof...(Others));
        // by a cast: nobody who writes {2} wants to hear that 2 has a sign
        push_back(static_cast<T>(std::forward<First>(first)));
        (push_back(static_cast<T>(std::forward<Others>(others))), ...);
    }

    /// Appends an element.
    void push_back(T another) { items_.get().push_back(std::move(another)); }

    /// The elements.
    const std::vector<T>& get() const noexcept { return items_.get(); }
    /// There are none.
    bool empty() const noexcept { return get().empty(); }
    /// How many there are.
    std::size_t size() const noexcept { return get().size(); }
    /// The first element.
    auto begin() const noexcept { return get().begin(); }
    /// Behind the last element.
    auto end() const noexcept { return get().end(); }

private:
    owned<std::vector<T>> items_;
};

} // namespace coworker
