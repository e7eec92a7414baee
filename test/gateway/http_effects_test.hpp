// SPDX-License-Identifier: MIT
#pragma once

#include "managed_gateway_test.hpp"

namespace coworker::test::effects {

/// The paths of the queue "mail" of either kind.
inline const std::string list = "/v1/queues/mail", managed = "/v1/queues/managed:mail";
inline const std::string both[] = {list, managed};

struct http_effects_test : managed_gateway_test
{
    http_effects_test() { settings.effect_keys = {"shop:", "news"}; }

    void push(const std::string& queue, const std::string& id)
    {
        if (queue == list)
            store()("LPUSH", "hworker-jobs-mail", "[\"" + id + "\",{}]");
        else
            put(id, "Letter");
    }

    /// A job that succeeded, with these effects.
    static std::string success(const std::string& token, const std::string& effects)
    {
        return with_token(token, R"(,"outcome":"success","effects":)" + effects);
    }

    /// Pushes a job, takes it and acknowledges it so.
    asio::awaitable<http_reply> end(std::string queue, std::string effects)
    {
        auto client = connect();
        push(queue, "j");
        const auto taken = co_await client.post(queue + "/take", "{}");
        co_return co_await client.post(queue + "/acknowledge", success(token_of(taken), effects));
    }

    /// The same; it is refused, and the job still runs.
    asio::awaitable<std::string> refused(std::string queue, std::string effects, unsigned status = 400)
    {
        auto client = connect();
        const auto taken = co_await client.post(queue + "/take", "{}");
        const auto token = token_of(taken);
        const auto reply = co_await client.post(queue + "/acknowledge", success(token, effects));
        BOOST_TEST(reply.status == status, effects + reply.body);
        const auto kept =
            co_await client.post(queue + "/acknowledge", with_token(token, R"(,"outcome":"release")"));
        BOOST_TEST(kept.status == 200u, effects);
        co_return reply.text("detail");
    }

    std::string counter() { return store()("GET", "shop:orders").text; }
    std::int64_t pushed() { return store()("ZCARD", "ql:q:later-work").integer; }
};

inline bool says(const std::string& detail, std::string_view part)
{
    return detail.find(part) != detail.npos;
}

inline const std::string some =
    R"([{"command":["INCR","shop:orders"]},{"queue":"later","job":{"payload":1}}])";
inline const std::string a_child = R"({"queue":"managed:later","job":{"kind":"Receipt"}})";

} // namespace coworker::test::effects
