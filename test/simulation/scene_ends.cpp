// SPDX-License-Identifier: MIT

// How a scene ends, and what has to be true then.
#include "simulation/scene.hpp"

#include <algorithm>

#include <fnmatch.h>

namespace coworker::test {

void scene::finish()
{
    const auto is_never = [] { return false; };
    all_.let_nothing_go_wrong();
    all_.run(all_.now() + 4 * minute, is_never); // who was killed or frozen is back, and cleans up
    for (const auto& each : all_.processes())
        all_.stop(*each);
    const auto have_ended = [this] {
        return std::ranges::all_of(all_.processes(), [](const auto& each) { return each->has_ended; });
    };
    if (!all_.run(all_.now() + 4 * minute, have_ended))
        account_.violate("a process does not stop");
    all_.run(all_.now() + 2 * minute, is_never);
    account_.check_ends();
    account_.check_effects();
    account_.check_counts();
    check_keys();
    check_end();
}

/// Only what docs/list-protocol.md and docs/managed-protocol.md say may be left of jobs that have ended.
void scene::check_keys()
{
    std::vector<std::string> patterns{"effects",
                                      "ql:config",
                                      "hworker-queues",
                                      "hworker-processes",
                                      "hworker-counters-*",
                                      "hworker-history-*",
                                      "hworker-ids-*",
                                      "hworker-failed-*",
                                      "hworker-failures-*",
                                      "ql:queues",
                                      "ql:completed",
                                      "ql:j:*",
                                      "ql:failures",
                                      "ql:f:*",
                                      "ql:s:stats:*",
                                      "ql:s:wait:*",
                                      "ql:s:run:*",
                                      "ql:coworker:own",
                                      "ql:coworker:history:*",
                                      "ql:coworker:noted:*",
                                      "ql:coworker:retries:*",
                                      "ql:coworker:gone", // a monitor that rests may leave the latter
                                      "ql:coworker:unique:*",
                                      "ql:coworker:sweep:*",
                                      "ql:coworker:result:*"};
    for (auto& more : may_leave())
        patterns.push_back(std::move(more));
    for (const auto& key : all_.ask({"KEYS", "*"}))
        if (std::ranges::none_of(
                patterns, [&](const auto& each) { return ::fnmatch(each.c_str(), key.c_str(), 0) == 0; }))
            account_.violate("a key is left: " + key);
}

} // namespace coworker::test
