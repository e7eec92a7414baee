// SPDX-License-Identifier: MIT
#include "inspect/managed_jobs.hpp"
#include "text/numbers.hpp"

namespace coworker::detail {

namespace {

/// "SCORE@N": the score of the last one shown, and how many of that score have been.
struct sorted_cursor
{
    std::string score;
    std::uint64_t same = 0;
};

sorted_cursor read_sorted_cursor(const std::string& cursor)
{
    const auto at = cursor.find('@');
    if (at == cursor.npos || at == 0 || cursor.find_first_not_of("0123456789+-.einf") < at)
        throw_bad_cursor();
    sorted_cursor found{cursor.substr(0, at), read_cursor_number(cursor.substr(at + 1))};
    if (!to_number<double>(found.score)) // those letters make other words, too
        throw_bad_cursor();
    return found;
}

} // namespace

asio::awaitable<sorted_part> read_sorted(shared_inspection self, std::string key, std::string least,
                                         std::string greatest, bool descending, std::string cursor,
                                         std::size_t count)
{
    sorted_cursor from;
    if (!cursor.empty()) {
        from = read_sorted_cursor(cursor);
        (descending ? greatest : least) = from.score;
    }
    boost::redis::request range;
    if (descending)
        range.push("ZREVRANGEBYSCORE", key, greatest, least, "WITHSCORES", "LIMIT", from.same, count);
    else
        range.push("ZRANGEBYSCORE", key, least, greatest, "WITHSCORES", "LIMIT", from.same, count);
    const reply answers = co_await answers_of(*self->redis, range);
    const auto found = answers[0];
    sorted_part part;
    std::string last;
    // Member and score stand in an array of their own.
    for (std::size_t i = 0; i + 2 < found.size(); i += 3) {
        part.members.emplace_back(found[i + 1]);
        const std::string score{found[i + 2]};
        part.scores.push_back(to_number<double>(score).value_or(0));
        from.same = score == last || (last.empty() && score == from.score) ? from.same + 1 : 1;
        last = score;
    }
    if (part.members.size() == count)
        part.next = last + '@' + std::to_string(from.same);
    co_return part;
}

} // namespace coworker::detail
