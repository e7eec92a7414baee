// SPDX-License-Identifier: MIT
#include "author.hpp"

namespace coworker::test::model {

strings author::write_put()
{
    strings words{
        worker(), queue(), jid(), chance_.of({"k", "l"}), data(), number({"0", "0", "0", "5", "30.5", "-3"})};
    const auto add = [&](const std::string& name, const std::string& value) {
        words.push_back(name);
        words.push_back(value);
    };
    if (percent(50))
        add("priority", number({"0", "1", "7.9", "-2", "10"}));
    if (percent(40))
        add("tags", list_of_tags());
    if (percent(50))
        add("retries", number({"0", "1", "2", "5"}));
    if (percent(50))
        add("depends", list_of_jids());
    if (percent(3))
        add("unknown", "1");
    return words;
}

strings author::write_complete()
{
    strings words;
    if (percent(40)) {
        words = {"next", queue()};
        if (percent(40))
            words = with(words, {"delay", number({"0", "4", "60", "-1"})});
        if (percent(40))
            words = with(words, {"depends", list_of_jids()});
        if (percent(5))
            words.erase(words.begin(), words.begin() + 2);
    }
    return words;
}

strings author::write_settling(const std::string& script)
{
    const auto id = jid_in("running");
    const auto found = state_.jobs.find(id);
    const bool is_there = found != state_.jobs.end();
    const auto holder =
        is_there && !found->second.worker.empty() && !percent(6) ? found->second.worker : worker();
    const auto place = is_there && !percent(6) ? found->second.queue : queue();
    if (script == "complete")
        return with({id, holder, place, data()}, write_complete());
    if (script == "heartbeat")
        return percent(30) ? strings{id, holder, data()} : strings{id, holder};
    if (script == "fail")
        return with({id, holder, group(), chance_.of({"m", "say \"x\""})},
                    percent(30) ? strings{data()} : strings{});
    strings words{id, percent(85) ? place : queue(), holder};
    if (percent(50))
        words.push_back(number({"0", "0", "10", "-1"}));
    if (words.size() == 4 && percent(50))
        words = with(words, percent(30) ? strings{group()} : strings{group(), "why"});
    return words;
}

} // namespace coworker::test::model
