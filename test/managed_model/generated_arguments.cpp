// SPDX-License-Identifier: MIT
#include "author.hpp"

namespace coworker::test::model {

strings author::write_change(const std::string& script)
{
    if (script == "timeout") {
        auto words = some(&author::jid, 1);
        words.push_back(jid_in("running"));
        return percent(10) ? strings{} : words;
    }
    if (script == "cancel")
        return some(&author::jid, 6);
    if (script == "tag") {
        const auto action = chance_.of({"add", "add", "remove", "get", "top", "other"});
        if (action == "get")
            return with({action, tag()}, page());
        return action == "top" ? with({action}, page()) : with({action, jid()}, some(&author::tag));
    }
    if (script == "track")
        return percent(20) ? strings{} : strings{chance_.of({"track", "Track", "untrack", "x"}), jid()};
    if (script == "priority")
        return {jid(), number({"0", "3", "-1.5", "7.9"})};
    if (script == "depends")
        return with({jid_in("depends"), chance_.of({"on", "off", "off", "x"})},
                    percent(20) ? strings{"all"} : some(&author::jid));
    if (script == "log")
        return with({jid(), chance_.of({"hello", "popped", ""})},
                    percent(60) ? strings{chance_.of(
                                      {"{}", R"({"when":3,"x":[1]})", R"({"a":"b/c"})", "[1]", "5", "null"})}
                                : strings{});
    return with({queue(), group()}, percent(50) ? strings{number({"0", "1", "2", "30", "-1"})} : strings{});
}

strings author::write_listing(const std::string& script)
{
    if (script == "pop")
        return {queue(), worker(), number({"0", "1", "1", "2", "5", "-1", "20"})};
    if (script == "ack_and_fetch") {
        const auto id = jid_in("running");
        const auto found = state_.jobs.find(id);
        const bool is_held = found != state_.jobs.end() && found->second.state == "running";
        return {is_held ? found->second.queue : queue(), is_held ? found->second.worker : worker(),
                number({"0", "0", "1", "3", "3", "20"})};
    }
    if (script == "renew")
        return with({queue(), worker()}, some(&author::jid));
    if (script == "reconcile") {
        strings words{queue(), worker()};
        for (const auto& id : some(&author::jid))
            words = with(std::move(words), {id, percent(80) ? "" : "1"});
        return words;
    }
    if (script == "recover")
        return with({text17(1000 * (now_ - (percent(50) ? 0 : 60)))}, some(&author::worker, 1));
    if (script == "sign_in" || script == "sign_off")
        return {worker()};
    if (script == "peek")
        return {queue(), number({"0", "1", "3", "10"})};
    if (script == "get")
        return {jid()};
    if (script == "multiget")
        return some(&author::jid);
    if (script == "failed")
        return percent(40) ? strings{} : with({group()}, page());
    if (script == "workers")
        return percent(50) ? strings{worker()} : strings{};
    if (script == "queues")
        return percent(50) ? strings{queue()} : strings{};
    if (script == "stats")
        return {queue(), percent(80) ? text17(now_) : number({"0", "1700000000"})};
    if (script == "length")
        return {queue()};
    const auto state =
        chance_.of({"complete", "running", "stalled", "scheduled", "depends", "recurring", "lost"});
    return with(state == "complete" ? strings{state} : strings{state, queue()}, page());
}

strings author::write_recur()
{
    strings words{queue(),
                  parent(),
                  "k",
                  data(),
                  percent(97) ? "interval" : "cron",
                  number({"5", "60", "7.5", "0", "-1"}),
                  number({"0", "3", "-2.5", "-100"})};
    if (percent(40))
        words = with(words, {"backlog", number({"0", "1", "3"})});
    if (percent(40))
        words = with(words, {"tags", list_of_tags()});
    if (percent(40))
        words = with(words, {"retries", number({"0", "2"}), "priority", number({"0", "5"})});
    return words;
}

strings author::write_recurring(const std::string& script)
{
    if (script == "recur")
        return write_recur();
    if (script == "recur_tag" || script == "recur_untag")
        return with({parent()}, some(&author::tag));
    if (script != "recur_update")
        return {parent()};
    strings words{parent()};
    for (auto count = chance_.below(3); count != 0; --count)
        words =
            with(words, chance_.of(std::vector<strings>{{"interval", number({"3", "20.5", "0"})},
                                                        {"queue", queue()},
                                                        {"priority", number({"1"})},
                                                        {"retries", number({"2"})},
                                                        {"backlog", number({"2", "0"})},
                                                        {"data", data()},
                                                        {"klass", "z"},
                                                        {chance_.of({"klass", "klass", "colour"}), "y"}}));
    return words;
}

strings author::write_option(const std::string& script)
{
    if (script == "pause" || script == "unpause" || script == "queue_forget")
        return some(&author::queue, 2);
    if (script == "worker_deregister")
        return some(&author::worker, 2);
    const auto set =
        chance_.of(std::vector<strings>{{"heartbeat", number({"60", "20", "-5"})},
                                        {"grace-period", number({"10", "0", "3"})},
                                        {"q1-max-concurrency", number({"0", "2", "3"})},
                                        {"q2-heartbeat", number({"30", "7.5"})},
                                        {"max-job-history", number({"100", "0", "1", "2", "3", "5"})},
                                        {"jobs-history-count", number({"50000", "2", "0"})},
                                        {"jobs-history", number({"604800", "30", "0"})},
                                        {"application", "x"},
                                        {"max-worker-age", number({"86400", "3600"})},
                                        {"nothing", "1"}});
    if (script == "config_set")
        return set;
    return script == "config_get" && percent(20) ? strings{} : strings{set.front()};
}

strings author::write(const std::string& script)
{
    const auto is_one_of = [&](std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (script == name)
                return true;
        return false;
    };
    if (is_one_of({"put", "requeue"}))
        return write_put();
    if (is_one_of({"complete", "fail", "retry", "heartbeat"}))
        return write_settling(script);
    if (is_one_of({"timeout", "cancel", "tag", "track", "priority", "depends", "log", "unfail"}))
        return write_change(script);
    if (script.find("recur") != script.npos)
        return write_recurring(script);
    if (is_one_of({"config_get", "config_set", "config_unset", "pause", "unpause", "queue_forget",
                   "worker_deregister"}))
        return write_option(script);
    return write_listing(script);
}

strings make_arguments(const std::string& script, chance& chance, const store& state, double now)
{
    return author{chance, state, now}.write(script);
}

} // namespace coworker::test::model
