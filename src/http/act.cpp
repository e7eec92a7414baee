#include "http/api.hpp"

#include "http/base64url.hpp"
#include "text/json_spans.hpp"

/// What can be done to queues and their jobs through the gateway.
namespace coworker::detail {
namespace {

constexpr std::size_t most_keys = 1000;

/// Which jobs a request means.
struct selection
{
    bool all = false;
    std::vector<std::string> payloads;
};

std::vector<std::string> read_keys(std::string_view json)
{
    std::vector<std::string> payloads;
    if (json.front() == '[')
        for (const auto element : elements_of(json)) {
            auto payload = element.front() == '"' ? from_base64url(string_of(element)) : std::nullopt;
            if (!payload)
                throw refusal{400, "One of the keys is not valid; pass them as the list of jobs had them."};
            payloads.push_back(std::move(*payload));
        }
    if (payloads.empty() || payloads.size() > most_keys)
        throw refusal{400, "The member 'keys' is not an array of 1 to 1000 keys."};
    return payloads;
}

/// @param knows_all  all jobs of the kind can be meant
selection read_selection(std::string_view body, bool knows_all)
{
    check_body(body);
    const auto json = trimmed(body);
    const auto members = json.front() == '{' ? members_of(json) : std::vector<json_member>{};
    if (knows_all && members.size() == 1 && members[0].name == "all" && members[0].value == "true")
        return {true, {}};
    if (members.size() == 1 && members[0].name == "keys")
        return {false, read_keys(members[0].value)};
    if (!knows_all)
        throw refusal{400, R"(Say which jobs are meant: {"keys": ["…"]} with the keys of jobs.)"};
    throw refusal{400,
                  R"(Say which jobs are meant: {"all": true}, or {"keys": ["…"]} with the keys of jobs.)"};
}

/// What can be done to the jobs in one state.
struct list_deed
{
    asio::awaitable<result<void>> (*to_one)(const raw_list_queue&, std::string);
    asio::awaitable<std::size_t> (*to_all)(const raw_list_queue&); ///< null: to those that are named only
};

asio::awaitable<answer> act_on_jobs(const client& redis, const routed& where, list_deed what)
{
    auto selected = read_selection(where.request.body, what.to_all != nullptr);
    const raw_list_queue queue{redis, where.name};
    std::size_t done = 0, missing = 0;
    if (selected.all)
        done = co_await what.to_all(queue);
    for (auto& payload : selected.payloads) {
        const auto outcome = co_await what.to_one(queue, std::move(payload));
        ++(outcome ? done : missing);
    }
    co_return answer{.body = "{\"done\":" + std::to_string(done) + ",\"missing\":" + std::to_string(missing) +
                             "}\n"};
}

} // namespace

asio::awaitable<answer> api::pause(const routed& where)
{
    raw_list_queue queue{redis_, where.name};
    co_await queue.async_pause();
    co_return answer{.body = "{\"paused\":true}\n"};
}

asio::awaitable<answer> api::resume(const routed& where)
{
    raw_list_queue queue{redis_, where.name};
    co_await queue.async_resume();
    co_return answer{.body = "{\"paused\":false}\n"};
}

asio::awaitable<answer> api::delete_waiting(const routed& where)
{
    return act_on_jobs(redis_, where,
                       {[](const raw_list_queue& of, std::string payload) {
                            return of.async_delete_waiting(std::move(payload), awaited);
                        },
                        nullptr});
}

asio::awaitable<answer> api::delete_scheduled(const routed& where)
{
    return act_on_jobs(redis_, where,
                       {[](const raw_list_queue& of, std::string payload) {
                            return of.async_delete_scheduled(std::move(payload), awaited);
                        },
                        nullptr});
}

asio::awaitable<answer> api::retry_failed(const routed& where)
{
    return act_on_jobs(redis_, where,
                       {[](const raw_list_queue& of, std::string payload) {
                            return of.async_retry_failed(std::move(payload), awaited);
                        },
                        [](const raw_list_queue& of) { return of.async_retry_all_failed(awaited); }});
}

asio::awaitable<answer> api::delete_failed(const routed& where)
{
    return act_on_jobs(redis_, where,
                       {[](const raw_list_queue& of, std::string payload) {
                            return of.async_delete_failed(std::move(payload), awaited);
                        },
                        [](const raw_list_queue& of) { return of.async_delete_all_failed(awaited); }});
}

asio::awaitable<answer> api::retry_broken(const routed& where)
{
    return act_on_jobs(redis_, where,
                       {[](const raw_list_queue& of, std::string payload) {
                            return of.async_retry_broken(std::move(payload), awaited);
                        },
                        [](const raw_list_queue& of) { return of.async_retry_all_broken(awaited); }});
}

asio::awaitable<answer> api::delete_broken(const routed& where)
{
    return act_on_jobs(redis_, where,
                       {[](const raw_list_queue& of, std::string payload) {
                            return of.async_delete_broken(std::move(payload), awaited);
                        },
                        [](const raw_list_queue& of) { return of.async_delete_all_broken(awaited); }});
}

} // namespace coworker::detail
