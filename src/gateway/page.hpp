// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/completion.hpp"
#include "gateway/answer.hpp"
#include "gateway/route.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Lists that are answered a page at a time.
namespace coworker::detail {

inline constexpr std::uint64_t largest_page = 1000, usual_page = 100;

/// Errors come with what Redis said, for those that need it.
inline constexpr auto awaited = with_diagnostics(asio::use_awaitable);

/// Reads `minutes` of a query: how far back a history goes.
/// @throws refusal
std::chrono::minutes read_minutes(const routed& request);

/// Which part of a list that the inspector shows. Its cursors are opaque.
struct page_cursor
{
    std::string cursor{}; ///< empty: the first part
    std::size_t count = usual_page;
};

/// Reads `cursor` and `count` of a query.
/// @throws refusal  for the count. A cursor that is none makes the inspector throw `errc::invalid_option`.
page_cursor read_cursor(const routed& request);

/// Puts a page together: {"jobs":[…],"next":"/…"}.
class page_writer
{
public:
    /// @param held  where its bytes are counted; null: nowhere
    explicit page_writer(std::string_view what, memory_share* held = nullptr)
        : text_{"{\"" + std::string{what} + "\":["}, held_{held}
    {}

    /// @throws refusal  503: there is no room for it.
    void add(std::string_view json);
    std::size_t size() const noexcept { return size_; }

    /// How many jobs to ask Redis for now, of those that are missing: Redis drops a connection when 32 MB of answers
    /// wait for it, so the larger those seen so far, the fewer. Of unknown jobs one.
    std::size_t next_part(std::size_t missing) noexcept;

    /// The part that `next_part` has answered may have so many bytes, by those seen so far, that it has to wait for its
    /// turn (`turns`).
    bool is_heavy() const noexcept { return size_ == 0 || part_ * largest_ > light_bytes; }

    /// So many bytes that what follows belongs on another page, however much was asked for: a thousand jobs may
    /// have gigabytes.
    bool is_full() const noexcept { return text_.size() >= most_bytes; }

    /// @param next  path of the next page; empty: this was the last
    /// @param missing_nodes  what of a cluster has not answered, and is not on this page
    answer finish(std::string_view next, const std::vector<std::string>& missing_nodes = {}) &&;

private:
    static constexpr std::size_t most_bytes = 4 * 1024 * 1024;
    static constexpr std::size_t bytes_at_a_time = 2 * 1024 * 1024, most_at_a_time = 20,
                                 light_bytes = 64 * 1024;

    std::string text_;
    memory_share* held_;
    std::size_t size_ = 0;
    std::size_t largest_ = 1; ///< in bytes
    std::size_t part_ = 0;    ///< asked for the last time
};

/// A name as it stands in a path.
std::string escaped_for_path(std::string_view name);

/// The path that was asked for, without a query.
std::string path_of(const routed& request);

/// "/v1/queues/managed:a/jobs?state=running" with a cursor and a count behind it. Empty, if the cursor is: that was the
/// end.
std::string next_path(std::string path, const page_cursor& from);

} // namespace coworker::detail
