// SPDX-License-Identifier: MIT
#include "inspect/findings.hpp"

#include "inspect/part_walk.hpp"
#include "list/consistency.hpp"
#include "managed/managed_call.hpp"

#include <algorithm>

namespace coworker::detail {

namespace {

asio::awaitable<finding_page> check_managed_queues(shared_inspection self, std::string cursor, bool repair,
                                                   std::size_t count)
{
    managed_call call{self->prefix(), "check"};
    call.add(cursor).add_place(count);
    if (repair)
        call.add("repair");
    const reply answers = co_await call_managed(*self->redis, std::move(call));
    finding_page page;
    page.next = answers.back()[0];
    // Each finding is a list of five behind its header.
    for (auto rest = answers.back().nodes(1); rest.size() >= 6; rest = rest.subspan(6)) {
        auto& found = page.findings.emplace_back();
        found.broken = rest[1].value == "broken";
        found.kind = rest[2].value;
        found.key = rest[3].value;
        found.member = rest[4].value;
        found.repaired = rest[5].value == "1";
    }
    co_return page;
}

asio::awaitable<finding_page> check_part(shared_inspection self, std::string queue, std::string cursor,
                                         bool repair, std::size_t count)
{
    if (cursor.empty())
        cursor = "0";
    auto found = co_await check_list_queue(*self->redis, std::move(queue), std::move(cursor), repair, count);
    finding_page page;
    if (found.next != "0")
        page.next = std::move(found.next);
    for (auto& each : found.items) {
        auto& copy = page.findings.emplace_back();
        copy.broken = each.broken;
        copy.kind = std::move(each.kind);
        copy.key = std::move(each.key);
        copy.member = std::move(each.member);
        copy.repaired = each.repaired;
    }
    co_return page;
}

asio::awaitable<finding_page> check_parts(shared_inspection self, std::string queue, std::string cursor,
                                          bool repair, std::size_t count)
{
    const auto step = [&](const std::string& part, std::string from, std::size_t) {
        return check_part(self, part, std::move(from), repair, count);
    };
    co_return co_await walk_parts<finding_page>(self, std::move(queue), std::move(cursor),
                                                &finding_page::findings, count, step);
}

} // namespace

asio::awaitable<finding_page> show_findings(shared_inspection self, std::string queue, std::string cursor,
                                            bool repair, std::size_t count)
{
    count = std::clamp<std::size_t>(count, 1, 1000);
    if (!queue.empty())
        co_return co_await check_parts(self, std::move(queue), std::move(cursor), repair, count);
    if (cursor.empty())
        cursor = "0";
    auto page = co_await check_managed_queues(self, std::move(cursor), repair, count);
    if (page.next == "0")
        page.next.clear();
    co_return page;
}

} // namespace coworker::detail
