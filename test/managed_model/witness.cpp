// SPDX-License-Identifier: MIT
#include "witness.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>

namespace coworker::test::model {

generated_call distinct_calls::next(const store& state)
{
    for (;;) {
        auto result = generator_.next(state);
        if (result.words.empty() || !to_number(result.words.front()))
            continue;
        last_ = std::max(generator_.now(), last_ + 1.0 / 1024);
        result.words.front() = text17(last_);
        return result;
    }
}

witness::witness(live_queue& live) : live_{live}, monitor_{live.server().socket_path()}
{
    live_.clear();
    live_.messages();
    monitor_("MONITOR");
}

strings witness::carried_out()
{
    static const std::string end = "\"ECHO\" \"that is all\"", begin = "\"1\" \"ql:\" \"";
    live_.server()("ECHO", "that is all");
    strings result;
    for (auto line = monitor_.receive().text; line.find(end) == line.npos; line = monitor_.receive().text) {
        const auto call = line.find("] \"EVALSHA\" ");
        const auto now = line.find(begin, call == line.npos ? 0 : call);
        if (call == line.npos || now == line.npos)
            continue;
        const auto first = now + begin.size();
        if (auto word = line.substr(first, line.find('"', first) - first); sent_.contains(word))
            result.push_back(std::move(word));
    }
    return result;
}

std::string witness::repeat(const std::string& now, strings& messages)
{
    const auto& call = sent_.at(now);
    const auto expected = model_.call(call.script, call.words);
    messages.insert(messages.end(), expected.messages.begin(), expected.messages.end());
    ++done_;
    const auto answered = replies_.find(now);
    if (answered == replies_.end()) {
        ++unanswered_;
        return {};
    }
    const auto what = difference(answered->second, expected);
    return what.empty() ? what : text_of(call) + '\n' + what;
}

std::string witness::compare(double now)
{
    strings messages;
    const auto order = carried_out();
    for (const auto& word : order)
        if (auto what = repeat(word, messages); !what.empty())
            return what;
    for (const auto& [word, reply] : replies_)
        if (std::find(order.begin(), order.end(), word) == order.end())
            return text_of(sent_.at(word)) + " was answered and not carried out";
    sent_.clear();
    replies_.clear();
    if (const auto heard = live_.messages(); heard != messages)
        return differ("the messages", heard, messages);
    auto findings = live_.broken(now);
    carried_out(); // the check's own calls
    // Clients pass their own times, which may lie hours apart. One that is behind sets a worker back, so that the other one
    // forgets it with its jobs. The model does so, too.
    std::erase_if(findings, [](const auto& each) { return each.find("worker_without_job") != each.npos; });
    if (!findings.empty())
        return "the check finds " + json::serialize(to_json(findings));
    const auto what = difference(live_.state(), take_snapshot(model_.state()));
    carried_out();
    return what.empty() ? what : "the state differs:" + what;
}

} // namespace coworker::test::model
