#include "redis/reply.hpp"

#include "coworker/error.hpp"

#include <boost/redis/resp3/type.hpp>

#include <charconv>
#include <string>

namespace coworker::detail {

namespace resp3 = boost::redis::resp3;

std::int64_t to_integer(std::string_view text) noexcept
{
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

bool reply::answer::is_error() const noexcept
{
    return first->data_type == resp3::type::simple_error || first->data_type == resp3::type::blob_error;
}

bool reply::answer::is_null() const noexcept
{
    return first->data_type == resp3::type::null;
}

std::int64_t reply::answer::integer() const noexcept
{
    return to_integer(text());
}

std::int64_t reply::answer::integer(std::size_t i) const noexcept
{
    return to_integer((*this)[i]);
}

reply::answer reply::operator[](std::size_t index) const noexcept
{
    const auto* at = tree.begin();
    const auto skip = [&] {
        do
            ++at;
        while (at != tree.end() && at->depth != 0);
    };
    for (; index != 0; --index)
        skip();
    const auto* first = at;
    skip();
    return {first, at};
}

reply::answer reply::part(const answer& whole, std::size_t index) noexcept
{
    const auto* at = whole.first + 1;
    const auto depth = at->depth;
    const auto skip = [&] {
        do
            ++at;
        while (at != whole.last && at->depth > depth);
    };
    for (; index != 0; --index)
        skip();
    const auto* first = at;
    skip();
    return {first, at};
}

reply::answer reply::back() const noexcept
{
    const auto* at = tree.end();
    do
        --at;
    while (at->depth != 0);
    return {at, tree.end()};
}

void reply::throw_if_error() const
{
    for (const auto& node : tree) {
        if (node.data_type != resp3::type::simple_error && node.data_type != resp3::type::blob_error)
            continue;
        const auto code = node.value.starts_with("WRONGTYPE") ? errc::wrong_key_type : errc::command_refused;
        throw system_error{code, std::string{node.value}};
    }
}

} // namespace coworker::detail
