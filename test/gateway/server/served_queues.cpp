// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include "gateway/route.hpp"

#include <algorithm>
#include <map>
#include <set>

/// `gateway_options::types`: to which queues jobs may be pushed, whatever pushes them, and from which they may be taken.
BOOST_AUTO_TEST_SUITE(served_queues)

using namespace coworker::test;
using namespace coworker;

namespace {

/// Each says with a queue that is not served; in the path, as {queue}, or in the body.
const std::map<std::string, std::vector<std::string>> pushes_and_takes = {
    {"push", {R"({"type":"other","payload":1})"}},
    {"push_to_queue", {R"({"payload":1})", R"([{"payload":1}])", R"({"kind":"k"})", R"([{"kind":"k"}])"}},
    {"take", {"{}", R"({"wait":"20s"})"}},
    {"set_schedule", {R"({"cron":"@daily","queue":"other","kind":"K"})"}},
    {"run_schedule", {""}},
    {"set_list_schedule", {R"({"every":"1h","payload":1})"}},
    {"run_list_schedule", {""}},
    {"open_batch",
     {R"({"on_success":{"queue":"other","kind":"K"}})", R"({"on_done":{"queue":"other","kind":"K"}})",
      R"({"on_failure":{"queue":"other","kind":"K"}})"}},
    {"acknowledge",
     {R"({"token":"MTpsMTp4MToxMTowMTph","outcome":"success","effects":[{"queue":"other","job":{"payload":1}}]})"}},
};

/// What only an acknowledgement of a managed queue can push.
const std::vector<std::string> managed_acknowledgements = {
    R"({"token":"MTptMTp3MToxMTowMTprMTphMTox","outcome":"forward","queue":"managed:other"})",
    R"({"token":"MTptMTp3MToxMTowMTprMTphMTox","outcome":"forward","queue":"other"})",
    R"({"token":"MTptMTp3MToxMTowMTprMTphMTox","outcome":"success","effects":[{"queue":"managed:other","job":{"kind":"k"}}]})",
    R"({"token":"MTptMTp3MToxMTowMTprMTphMTox","outcome":"success","effects":[{"queue":"other","job":{"payload":1}}]})"};

/// Looking after queues and what has been pushed is possible for all of them.
const std::set<std::string> free_for_all = {"health",
                                            "ready",
                                            "metrics",
                                            "description",
                                            "access",
                                            "workers",
                                            "events",
                                            "queues",
                                            "queue",
                                            "partitions",
                                            "history",
                                            "total_history",
                                            "server",
                                            "statistics",
                                            "failures",
                                            "pause",
                                            "delete_queue",
                                            "resume",
                                            "set_notices",
                                            "jobs",
                                            "job",
                                            "retry_jobs",
                                            "delete_jobs",
                                            "run_jobs",
                                            "cancel_jobs",
                                            "release_jobs",
                                            "job_anywhere",
                                            "retry_jobs_anywhere",
                                            "delete_jobs_anywhere",
                                            "run_jobs_anywhere",
                                            "send_signal",
                                            "release_jobs_anywhere",
                                            "failures_anywhere",
                                            "failure_groups",
                                            "failed_of_group",
                                            "renew",
                                            "progress",
                                            "checkpoint",
                                            "log",
                                            "step",
                                            "schedules",
                                            "schedule",
                                            "pause_schedule",
                                            "resume_schedule",
                                            "delete_schedule",
                                            "list_schedules",
                                            "list_schedule",
                                            "pause_list_schedule",
                                            "resume_list_schedule",
                                            "delete_list_schedule",
                                            "batches",
                                            "batch",
                                            "batch_jobs",
                                            "seal_batch",
                                            "cancel_batch",
                                            "limits",
                                            "limit",
                                            "set_limit",
                                            "delete_limit",
                                            "hold",
                                            "queue_limits",
                                            "set_queue_limits",
                                            "group_weights",
                                            "set_group_weight",
                                            "queue_settings",
                                            "set_queue_settings"};

/// With these names for the braces.
std::string path_of(const detail::route& route, const std::string& queue)
{
    std::string path{route.path};
    for (const auto& [braces, name] : {std::pair<std::string, std::string>{"{queue}", queue},
                                       {"{schedule}", "elsewhere"},
                                       {"{id}", "x"},
                                       {"{group}", "x"},
                                       {"{limit}", "x"},
                                       {"{batch}", "x"}})
        if (const auto at = path.find(braces); at != path.npos)
            path.replace(at, braces.size(), name);
    return path;
}

} // namespace

BOOST_AUTO_TEST_CASE(all_routes_are_known_here)
{
    for (const auto& route : detail::routes()) {
        const std::string id{route.facts.id};
        BOOST_TEST(pushes_and_takes.contains(id) + free_for_all.contains(id) == 1, id);
    }
    BOOST_TEST(pushes_and_takes.size() + free_for_all.size() == detail::routes().size());
}

BOOST_FIXTURE_TEST_CASE(no_job_is_pushed_to_others_or_taken_from_them, managed_gateway_test)
{
    settings.types = {"mail"};
    // Set by a program that may.
    qless("put", "elsewhere-1", "other", "x", "K", "{}", "0");
    serve([&]() -> asio::awaitable<void> {
        client everywhere{io.get_executor(), options()};
        coworker::gateway open{everywhere, {.port = 0}};
        open.listen();
        background running{io.get_executor(), open.async_run(with_diagnostics(asio::use_awaitable))};
        http_client owner{io.get_executor(), open.port()};
        auto reply = co_await owner.post("/v1/schedules/elsewhere",
                                         R"({"cron":"@yearly","queue":"other","kind":"K"})");
        BOOST_TEST_REQUIRE(reply.status == 200u, reply.body);
        const auto before = store()("ZCARD", "ql:q:other-work").integer;
        for (const auto& route : detail::routes()) {
            const auto found = pushes_and_takes.find(std::string{route.facts.id});
            if (found == pushes_and_takes.end())
                continue;
            for (const std::string queue : {"other", "managed:other"}) {
                if (queue != "other" && !route.facts.managed_lack.empty())
                    continue;
                const bool is_managed_end = route.facts.id == "acknowledge" && queue != "other";
                for (const auto& body : is_managed_end ? managed_acknowledgements : found->second) {
                    auto client = connect(); // a refused body ends the connection
                    reply = co_await client.post(path_of(route, queue), body);
                    const auto expected = route.facts.id == "push" ? 422u : 403u;
                    BOOST_TEST(reply.status == expected, route.path << ' ' << body << ": " << reply.body);
                }
            }
        }
        BOOST_TEST(store()("ZCARD", "ql:q:other-work").integer == before);
        BOOST_TEST(store()("LLEN", "hworker-jobs-other").integer == 0);
        open.stop();
        co_await running.join();
        co_await everywhere.async_stop();
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(all_can_be_looked_after, managed_gateway_test)
{
    settings.types = {"mail"};
    qless("put", "w-1", "other", "x", "K", "{}", "0");
    serve([&]() -> asio::awaitable<void> {
        for (const auto& route : detail::routes()) {
            if (!free_for_all.contains(std::string{route.facts.id}) || route.facts.id == "events")
                continue;
            for (const std::string queue : {"other", "managed:other"}) {
                auto client = connect();
                const auto path = path_of(route, queue);
                http_reply reply;
                if (route.method == "GET")
                    reply = co_await client.get(path);
                else
                    reply = co_await client.post(path, "{}");
                BOOST_TEST(reply.status != 403u, route.path);
                BOOST_TEST(reply.status < 500u, route.path << ": " << reply.body);
            }
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
