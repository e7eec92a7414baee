// SPDX-License-Identifier: MIT
#include "list/consistency.hpp"

#include "list/keys.hpp"

namespace coworker::detail {

asio::awaitable<list_findings> check_list_queue(connection& redis, std::string name, std::string cursor,
                                                bool repair, std::size_t count)
{
    const list_keys keys{name};
    script_arguments arguments{keys.jobs,     keys.progress,   keys.broken,   keys.failed,  keys.scheduled,
                               keys.attempts, keys.duplicates, keys.failures, keys.paused,  keys.counters,
                               keys.workers,  keys.gone,       keys.monitor,  keys.ids,     keys.shared,
                               keys.found,    keys.reasons,    keys.ready,    keys.history, keys.cancelled,
                               keys.purged,   keys.plans,      keys.schedules};
    arguments.add(cursor);
    arguments.add_number(static_cast<std::int64_t>(count));
    arguments.add(repair ? "repair" : "");
    const reply answers = co_await redis.call(find_script("list/check"), arguments);
    const auto answer = answers.back();
    list_findings found{{}, std::string{answer[0]}};
    constexpr std::size_t words = 5;
    for (std::size_t i = 1; i + words <= answer.size(); i += words) {
        auto& item = found.items.emplace_back();
        item.broken = answer[i] == "broken";
        item.kind = answer[i + 1];
        item.key = answer[i + 2];
        item.member = answer[i + 3];
        item.repaired = answer[i + 4] == "1";
    }
    co_return found;
}

} // namespace coworker::detail
