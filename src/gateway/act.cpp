// SPDX-License-Identifier: MIT
#include "gateway/api.hpp"

#include "gateway/list_text.hpp"
#include "gateway/page.hpp"
#include "submission/list_submission.hpp"
#include "text/json_spans.hpp"

#include <algorithm>

/// What can be done to list queues and their jobs through the gateway.
namespace coworker::detail {
namespace {

constexpr std::size_t most_keys = 1000;

/// Which jobs a request means.
struct selection
{
    bool all = false;
    std::vector<std::string> keys; ///< the inspector's
    std::string message{};         ///< of all those that are meant; empty: whatever they have
    std::size_t strangers = 0;     ///< keys of jobs in other states
};

selection read_keys(std::string_view json, job_state state)
{
    selection selected;
    const auto elements = json.front() == '[' ? elements_of(json) : std::vector<std::string_view>{};
    for (const auto element : elements) {
        auto key = element.front() == '"' ? read_job_key(string_of(element), state) : std::nullopt;
        if (!key)
            throw refusal{400, "One of the keys is not valid; pass them as the list of jobs had them."};
        if (key->empty())
            ++selected.strangers;
        else
            selected.keys.push_back(std::move(*key));
    }
    if (elements.empty() || elements.size() > most_keys)
        throw refusal{400, "The member 'keys' is not an array of 1 to 1000 keys."};
    return selected;
}

/// @param knows_all  all jobs in this state can be meant
selection read_selection(std::string_view body, job_state state, bool knows_all)
{
    check_body(body);
    const auto json = trimmed(body);
    const auto members = json.front() == '{' ? members_of(json) : std::vector<json_member>{};
    if (knows_all && members.size() == 1 && members[0].name == "all" && members[0].value == "true")
        return {.all = true, .keys = {}};
    if (knows_all && members.size() == 2) {
        const auto& all = members[members[0].name == "all" ? 0 : 1];
        const auto& message = members[members[0].name == "all" ? 1 : 0];
        if (all.name == "all" && all.value == "true" && message.name == "message" &&
            message.value.size() > 2 && message.value.front() == '"')
            return {.all = true, .keys = {}, .message = string_of(message.value)};
    }
    if (members.size() == 1 && members[0].name == "keys")
        return read_keys(members[0].value, state);
    if (!knows_all)
        throw refusal{400, R"(Say which jobs are meant: {"keys": ["…"]} with the keys of jobs.)"};
    throw refusal{400,
                  R"(Say which jobs are meant: {"all": true}, also with the "message" that they have, or )"
                  R"({"keys": ["…"]} with the keys of jobs.)"};
}

} // namespace

asio::awaitable<answer> api::set_paused(const routed& where, queue_kind kind, bool paused)
{
    const queue_ref queue{kind, where.name};
    if (paused)
        co_await inspector_.async_pause(queue, awaited);
    else
        co_await inspector_.async_resume(queue, awaited);
    co_return answer{.body = paused ? "{\"paused\":true}\n" : "{\"paused\":false}\n"};
}

asio::awaitable<answer> api::act(const routed& where, job_state state, job_action action)
{
    const bool knows_all = state == job_state::failed || state == job_state::broken;
    auto selected = read_selection(where.request.body, state, knows_all);
    const auto queue = queue_ref::list(where.name);
    std::size_t done = 0, missing = selected.strangers;
    if (selected.all) {
        job_filter which;
        which.state = state;
        which.message = selected.message;
        done = co_await inspector_.async_act_on_all(action, queue, std::move(which), awaited);
    }
    if (!selected.keys.empty()) {
        const auto results = co_await inspector_.async_act(action, queue, std::move(selected.keys), awaited);
        for (const auto result : results)
            ++(result == action_result::done ? done : missing);
    }
    co_return answer{.body = "{\"done\":" + std::to_string(done) + ",\"missing\":" + std::to_string(missing) +
                             "}\n"};
}

} // namespace coworker::detail
