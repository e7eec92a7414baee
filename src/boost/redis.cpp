// SPDX-License-Identifier: MIT
#include <boost/redis/resp3/parser.hpp>
#include <boost/version.hpp>

#if BOOST_VERSION > 109200
#include <boost/redis/src.hpp>
#else

// All of <boost/redis/src.hpp> but the parser of answers: that of Boost 1.92 trusts the server. "$\r\n", a text without a size,
// ends the program; "$?\r\n" behind five arrays, and ";0\r\n", write beyond the bounds of an array.
#include <boost/redis/error.hpp>
#include <boost/redis/impl/connect_fsm.ipp>
#include <boost/redis/impl/connection.ipp>
#include <boost/redis/impl/error.ipp>
#include <boost/redis/impl/exec_fsm.ipp>
#include <boost/redis/impl/exec_one_fsm.ipp>
#include <boost/redis/impl/flat_tree.ipp>
#include <boost/redis/impl/ignore.ipp>
#include <boost/redis/impl/logger.ipp>
#include <boost/redis/impl/multiplexer.ipp>
#include <boost/redis/impl/push_parser.ipp>
#include <boost/redis/impl/read_buffer.ipp>
#include <boost/redis/impl/reader_fsm.ipp>
#include <boost/redis/impl/receive_fsm.ipp>
#include <boost/redis/impl/request.ipp>
#include <boost/redis/impl/response.ipp>
#include <boost/redis/impl/run_fsm.ipp>
#include <boost/redis/impl/sentinel_resolve_fsm.ipp>
#include <boost/redis/impl/subscription_tracker.ipp>
#include <boost/redis/impl/writer_fsm.ipp>
#include <boost/redis/resp3/impl/serialization.ipp>
#include <boost/redis/resp3/impl/type.ipp>

#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

namespace boost::redis::resp3 {
namespace {

/// No buffer holds longer texts and lists. What comes in parts counts as longer.
constexpr std::size_t longest = std::numeric_limits<std::size_t>::max() / 4;

std::optional<std::size_t> read_size(std::string_view text) noexcept
{
    std::size_t size = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), size);
    return ec == std::errc{} && size <= longest ? std::optional{size} : std::nullopt;
}

} // namespace

parser::parser()
{
    reset();
}

void parser::reset()
{
    depth_ = 0;
    sizes_ = default_sizes;
    bulk_length_ = default_bulk_length;
    bulk_ = type::invalid;
    consumed_ = 0;
}

std::size_t parser::get_consumed() const noexcept
{
    return consumed_;
}

bool parser::done() const noexcept
{
    return consumed_ != 0 && depth_ == 0 && !bulk_expected();
}

bool parser::is_parsing() const noexcept
{
    return consumed_ != 0 || depth_ != 0 || bulk_expected() || bulk_length_ != default_bulk_length ||
           sizes_ != default_sizes;
}

/// An element is complete, and with it what it was the last element of.
void parser::commit_elem() noexcept
{
    for (--sizes_[depth_]; sizes_[depth_] == 0; --sizes_[depth_])
        --depth_;
}

/// The next node: the head of a list, or a value. Nothing: more bytes have to come, or `ec` says what is wrong.
parser::result parser::consume(std::string_view view, system::error_code& ec) noexcept
{
    if (!bulk_expected()) {
        const auto end = view.find(sep, consumed_);
        if (end == view.npos)
            return {};
        const auto line = view.substr(consumed_, end - consumed_);
        if (line.empty()) {
            ec = error::invalid_data_type;
            return {};
        }
        const auto node = consume_impl(to_type(line.front()), line.substr(1), ec);
        if (ec)
            return {};
        consumed_ = end + sep.size();
        if (!bulk_expected())
            return node;
    }
    if (view.size() - consumed_ < bulk_length_ + sep.size())
        return {};
    const node_type node{bulk_, 1, depth_, view.substr(consumed_, bulk_length_)};
    consumed_ += bulk_length_ + sep.size();
    bulk_ = type::invalid;
    commit_elem();
    return node;
}

/// The node that a line stands for. For a text, whose bytes follow, only its size is noted.
parser::node_type parser::consume_impl(type what, std::string_view rest, system::error_code& ec)
{
    const auto enter = [&](std::size_t size) {
        if (depth_ == max_embedded_depth) {
            ec = error::exceeeds_max_nested_depth;
            return;
        }
        sizes_[++depth_] = size;
    };
    const auto size_of_rest = [&]() -> std::size_t {
        const auto size = read_size(rest);
        if (!size)
            ec = error::not_a_number;
        return size.value_or(0);
    };
    const auto value = [&] {
        const node_type node{what, 1, depth_, rest};
        commit_elem();
        return node;
    };
    switch (what) {
    case type::blob_string:
    case type::blob_error:
    case type::verbatim_string:
        if (what == type::blob_string && rest == "?") { // comes in parts; the last one is empty
            const auto depth = depth_;
            enter(std::numeric_limits<std::size_t>::max());
            return {type::streamed_string, 0, depth + 1, {}};
        }
        bulk_length_ = size_of_rest();
        bulk_ = ec ? type::invalid : what;
        return {};
    case type::streamed_string_part:
        if (sizes_[depth_] <= 2 * longest) { // a part of nothing
            ec = error::invalid_data_type;
            return {};
        }
        bulk_length_ = size_of_rest();
        if (ec || bulk_length_ != 0) {
            bulk_ = ec ? type::invalid : what;
            return {};
        }
        rest = {};
        sizes_[depth_] = 1;
        return value();
    case type::boolean:
        if (rest.empty())
            ec = error::empty_field;
        else if (rest.front() != 't' && rest.front() != 'f')
            ec = error::unexpected_bool_value;
        return ec ? node_type{} : value();
    case type::number:
    case type::doublean:
    case type::big_number:
        if (rest.empty())
            ec = error::empty_field;
        return ec ? node_type{} : value();
    case type::simple_string:
    case type::simple_error:
    case type::null:
        return value();
    case type::array:
    case type::push:
    case type::set:
    case type::map:
    case type::attribute: {
        const auto size = size_of_rest();
        const node_type node{what, size, depth_, {}};
        if (ec)
            return {};
        if (size == 0)
            commit_elem();
        else
            enter(size * element_multiplicity(what));
        return node;
    }
    default:
        ec = error::invalid_data_type;
        return {};
    }
}

} // namespace boost::redis::resp3

#endif
