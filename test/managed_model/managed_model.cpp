// SPDX-License-Identifier: MIT
#include "managed_model.hpp"

#include "commands.hpp"

namespace coworker::test::model {
namespace {

using command_function = reply (*)(store&, const arguments&);

const std::map<std::string, command_function>& commands()
{
    static const std::map<std::string, command_function> all{
        {"put", put},
        {"requeue", requeue},
        {"pop", pop},
        {"peek", peek},
        {"complete", complete},
        {"fail", fail},
        {"retry", retry},
        {"heartbeat", heartbeat},
        {"timeout", timeout},
        {"ack_and_fetch", ack_and_fetch},
        {"renew", renew},
        {"reconcile", reconcile},
        {"recover", recover},
        {"sign_in", sign_in},
        {"sign_off", sign_off},
        {"cancel", cancel},
        {"depends", depends},
        {"priority", priority},
        {"log", log},
        {"unfail", unfail},
        {"tag", tag},
        {"track", track},
        {"get", get},
        {"multiget", multiget},
        {"jobs", jobs},
        {"failed", failed},
        {"queues", queues},
        {"workers", workers},
        {"stats", stats},
        {"length", length},
        {"recur", recur},
        {"unrecur", unrecur},
        {"recur_get", recur_get},
        {"recur_update", recur_update},
        {"recur_tag", recur_tag},
        {"recur_untag", recur_untag},
        {"config_get", config_get},
        {"config_set", config_set},
        {"config_unset", config_unset},
        {"pause", pause},
        {"unpause", unpause},
        {"queue_forget", queue_forget},
        {"worker_deregister", worker_deregister},
    };
    return all;
}

/// The single command of a batched one; nothing for others.
optional_text single_of(const std::string& name)
{
    static const std::string ending = "_many";
    if (!name.ends_with(ending))
        return std::nullopt;
    return name.substr(0, name.size() - ending.size());
}

double read_now(const strings& words)
{
    if (words.empty())
        throw refusal{"bad argument #1 to 'tonumber' (value expected)"};
    const auto now = to_number(words.front());
    if (!now)
        throw refusal{R"(Arg "now" missing or not a number: nil)"};
    return *now;
}

} // namespace

reply managed_model::batch(const std::string& name, const arguments& given)
{
    json::array answers;
    bool completed = false;
    const auto groups = groups_of(given.from(0));
    for (const auto& group : groups)
        try {
            const arguments one{given.now(), group};
            if (name == "complete")
                answers.emplace_back(complete_one(state_, one));
            else if (name == "put")
                answers.push_back(
                    put_before(state_, one, static_cast<double>(groups.size() - 1 - answers.size())).value);
            else
                answers.push_back(commands().at(name)(state_, one).value);
            completed |= answers.back() == "complete";
        } catch (const refusal& why) {
            answers.push_back(json::array{why.what()});
        }
    if (completed)
        forget_completed(state_, given.now());
    return {std::move(answers)};
}

reply managed_model::answer(const std::string& name, const strings& words)
{
    const double now = read_now(words);
    const arguments given{now, {words.begin() + 1, words.end()}};
    if (const auto single = single_of(name))
        return batch(*single, given);
    return commands().at(name)(state_, given);
}

outcome managed_model::call(const std::string& name, const strings& words)
{
    state_.messages.clear();
    outcome result;
    try {
        result.answer = answer(name, words);
    } catch (const refusal& why) {
        result.refused = why.what();
    }
    result.messages = state_.messages;
    return result;
}

} // namespace coworker::test::model
