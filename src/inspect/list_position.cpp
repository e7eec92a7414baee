// SPDX-License-Identifier: MIT
#include "inspect/list_position.hpp"

namespace coworker::detail {

namespace {

std::string due_text(const job_info& job)
{
    return std::to_string(
        std::chrono::floor<std::chrono::milliseconds>(*job.due_at).time_since_epoch().count());
}

asio::awaitable<void> find_failed(shared_inspection self, std::string key, std::string cursor,
                                  list_position& position)
{
    boost::redis::request ask;
    ask.push("LLEN", key);
    const reply answers = co_await answers_of(*self->redis, ask);
    position.total = static_cast<std::uint64_t>(answers[0].integer());
    const auto older = cursor.empty() ? position.total : read_cursor_number(cursor);
    position.offset = position.total - std::min(older, position.total);
}

asio::awaitable<void> find_scheduled(shared_inspection self, std::string key, std::string cursor,
                                     list_position& position)
{
    const auto colon = cursor.find(':');
    if (colon == cursor.npos)
        throw_bad_cursor();
    position.due = cursor.substr(0, colon);
    position.same = read_cursor_number(cursor.substr(colon + 1));
    (void)read_cursor_number(position.due);
    boost::redis::request ask;
    ask.push("ZCOUNT", key, "-inf", "(" + position.due);
    const reply answers = co_await answers_of(*self->redis, ask);
    position.offset = static_cast<std::uint64_t>(answers[0].integer()) + position.same;
}

} // namespace

std::string list_position::after(std::string_view answered, std::size_t seen,
                                 const std::vector<job_info>& jobs) const
{
    switch (state) {
    case job_state::failed:
        return make_cursor(total - std::min<std::uint64_t>(offset + seen, total));
    case job_state::scheduled: {
        if (jobs.empty())
            return {};
        const auto last = due_text(jobs.back());
        std::uint64_t shown = last == due ? same : 0;
        for (auto job = jobs.rbegin(); job != jobs.rend() && due_text(*job) == last; ++job)
            ++shown;
        return last + ':' + std::to_string(shown);
    }
    case job_state::waiting:
        return std::to_string(offset + seen);
    default:
        return std::string{answered};
    }
}

asio::awaitable<list_position> find_position(shared_inspection self, std::string key, job_state state,
                                             std::string cursor)
{
    list_position position;
    position.state = state;
    if (state == job_state::failed)
        co_await find_failed(self, std::move(key), std::move(cursor), position);
    else if (state == job_state::scheduled && !cursor.empty())
        co_await find_scheduled(self, std::move(key), std::move(cursor), position);
    else
        position.offset = read_cursor_number(cursor);
    co_return position;
}

} // namespace coworker::detail
