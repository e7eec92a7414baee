// SPDX-License-Identifier: MIT

// One form of a call for each macro; see CMakeLists.txt.
#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>
#include <coworker/monitor.hpp>
#include <coworker/run_blocking.hpp>
#include <coworker/schedules.hpp>
#include <coworker/testing.hpp>
#include <coworker/worker.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe/class.hpp>

#include <array>

struct order
{
    std::string customer;
    int cents = 0;
};
BOOST_DESCRIBE_STRUCT(order, (), (customer, cents))

using namespace std::chrono_literals;

boost::asio::awaitable<void> call(coworker::list_queue<order>& orders, coworker::list_queue<int>& numbers,
                                  coworker::managed_queue& queue, std::string url,
                                  coworker::testing::memory_queue<order>& in_memory,
                                  coworker::testing::memory_managed_queue& managed_in_memory,
                                  coworker::observer tell, coworker::job_context& context,
                                  coworker::schedules& schedules)
{
    const std::vector<int> numbers_to_push{1, 2};
    (void)numbers_to_push;
    const auto executor = co_await boost::asio::this_coro::executor;
    (void)executor;
#if defined(FORM_push_braces)
    co_await orders.async_push({"ada", 5});
#elif defined(FORM_push_braces_with_options)
    co_await orders.async_push({"ada", 5}, {.delay = 5s});
#elif defined(FORM_push_braces_with_token)
    co_await orders.async_push({"ada", 5}, boost::asio::use_awaitable);
#elif defined(FORM_push_temporary)
    co_await orders.async_push(order{"ada", 5});
#elif defined(FORM_put_temporary)
    co_await queue.async_push("order", order{"ada", 5});
#elif defined(FORM_recur_temporary)
    co_await queue.async_recur("order", order{"ada", 5}, 60s);
#elif defined(FORM_push_array)
    co_await orders.async_push_many(std::array<order, 2>{order{"ada", 5}, order{"grace", 6}});
#elif defined(FORM_put_array)
    co_await queue.async_push_many("order", std::array<order, 2>{order{"ada", 5}, order{"grace", 6}});
#elif defined(FORM_memory_braces)
    co_await in_memory.async_push({"ada", 5});
#elif defined(FORM_memory_temporary)
    co_await in_memory.async_push(order{"ada", 5});
#elif defined(FORM_managed_in_memory_temporary)
    co_await managed_in_memory.async_push("order", order{"ada", 5});
#elif defined(FORM_managed_in_memory_array)
    co_await managed_in_memory.async_push_many("order",
                                               std::array<order, 2>{order{"ada", 5}, order{"grace", 6}});
#elif defined(FORM_requeue_temporary)
    co_await queue.async_requeue(coworker::managed_job{});
#elif defined(FORM_middleware_lambda)
    co_await queue.with([url](coworker::new_managed_job&) {}).async_push("order", 5);
#elif defined(FORM_drain_lambda)
    co_await coworker::testing::async_drain(executor, in_memory, [url](const order&) {});
#elif defined(FORM_raw_drain_lambda)
    co_await coworker::testing::async_drain(
        executor, in_memory.raw(),
        [url](std::string_view, coworker::job_context&) { return coworker::outcome{coworker::success()}; });
#elif defined(FORM_raw_drain_lambda_with_options)
    co_await coworker::testing::async_drain(
        executor, in_memory.raw(),
        [url](std::string_view, coworker::job_context&) { return coworker::outcome{coworker::success()}; },
        {.max_attempts = 1});
#elif defined(FORM_blocking_lambda)
    co_await coworker::async_run_blocking(executor, [url] { return url.size(); });
#elif defined(FORM_option_lambda)
    coworker::client told{co_await boost::asio::this_coro::executor,
                          {.url = url, .on_event = [url](const coworker::event&) {}}};
#elif defined(FORM_observer_lambda)
    coworker::worker watched{co_await boost::asio::this_coro::executor,
                             {.observers = {[url](const coworker::event&) {}}}};
#elif defined(FORM_backoff_lambda)
    const auto handler = [](const order&) {};
    co_await coworker::testing::async_drain(executor, in_memory, handler,
                                            {.backoff = [url](unsigned) { return 1ms * url.size(); }});
#elif defined(FORM_with_lambda_of_memory)
    co_await managed_in_memory.with([url](coworker::new_managed_job&) {}).async_push("order", 5);
#elif defined(FORM_many_middleware_lambda)
    co_await queue.with([url](auto&) {}).async_push_many("order", numbers_to_push);
#elif defined(FORM_callback_middleware_lambda)
    co_await queue.with([url](auto&) {}).async_push("order", 5, boost::asio::use_awaitable);
#elif defined(FORM_save_temporary)
    co_await context.async_save(order{"ada", 5});
#elif defined(FORM_schedule_temporary)
    co_await schedules.async_set("name", {.every = 60s}, "queue", "order", order{"ada", 5});
#else
    coworker::client by_options{co_await boost::asio::this_coro::executor, {.url = url, .user = "ada"}};
    coworker::client by_url{co_await boost::asio::this_coro::executor, url};
    coworker::client by_literal{co_await boost::asio::this_coro::executor, "redis://localhost"};
    coworker::worker watched{co_await boost::asio::this_coro::executor, {.observers = {tell, tell}}};
    coworker::monitor watching{co_await boost::asio::this_coro::executor, {.observers = {tell}}};
    const order first{"ada", 5};
    order second = first;
    const std::array<order, 2> both{first, second};
    co_await orders.async_push_many(both);
    co_await managed_in_memory.async_push_many("order", both);
    co_await queue.async_push_many("order", both);
    co_await queue.async_push_many(
        std::array<coworker::new_managed_job, 1>{{{.kind = "order", .data = "{}"}}});
    co_await queue.with([](coworker::new_managed_job&) {}).async_push("order", 5);
    co_await coworker::testing::async_drain(executor, in_memory, [&url](const order&) { (void)url; });
    const auto handler = [url](const order&) {};
    co_await coworker::testing::async_drain(executor, in_memory, handler, {.backoff = coworker::no_backoff});
    co_await coworker::testing::async_drain(executor, in_memory, handler, boost::asio::use_awaitable);
    co_await coworker::testing::async_drain(executor, in_memory, handler,
                                            {.backoff = [&url](unsigned) { return 1ms * url.size(); }});
    const auto wait = [url](unsigned) { return 1ms * url.size(); };
    co_await coworker::testing::async_drain(executor, in_memory, handler, {.backoff = wait});
    const auto measure = [url] { return url.size(); };
    co_await coworker::async_run_blocking(executor, measure);
    co_await coworker::async_run_blocking(executor, measure, boost::asio::use_awaitable);
    co_await coworker::async_run_blocking(executor, [&url] { return url.size(); });
    coworker::client told{co_await boost::asio::this_coro::executor,
                          {.url = url, .on_event = [&url](const coworker::event&) { (void)url; }}};
    co_await in_memory.async_push(first);
    co_await in_memory.async_push(first, boost::asio::use_awaitable);
    in_memory.async_push(first, {.delay = 5s}, [](coworker::error_code, std::string) {});
    co_await managed_in_memory.async_push("order", first, {.priority = 1, .tags = {"new"}});
    co_await managed_in_memory.async_push("order", 5, boost::asio::use_awaitable);
    co_await orders.async_push(first);
    co_await orders.async_push(second, {.id = "an id", .delay = 5s});
    co_await numbers.async_push(5);
    co_await numbers.async_push({});
    co_await numbers.async_push(5, {});
    co_await numbers.async_push(5, {}, boost::asio::use_awaitable);
    co_await numbers.async_push(5, boost::asio::use_awaitable);
    co_await orders.async_push(first, coworker::with_diagnostics(boost::asio::use_awaitable));
    co_await queue.async_push("order", first, boost::asio::use_awaitable);
    boost::asio::io_context io;
    coworker::client in_a_context{io, {.url = url}};
    coworker::client in_a_context_by_url{io, "redis://localhost"};
    coworker::client by_default{io};
    coworker::client moved{std::move(by_default)};
    orders.async_push(first, [](coworker::error_code, std::string) {});
    orders.async_push(first, {.delay = 5s}, [](coworker::error_code, std::string) {});
    co_await queue.async_push("order", first, {.jid = url, .tags = {"a", url}});
    co_await queue.async_push("raw", coworker::raw_json{"{}"});
    co_await queue.async_recur("order", second, 60s, {.tags = {url}});
    const auto tenants = queue.with([url](auto& job) { job.options.metadata.set("tenant", url); });
    co_await tenants.async_push("order", 5, {.priority = 1});
    co_await tenants.async_push("order", first);
    co_await tenants.async_push_many("order", both);
    auto tenants_in_memory = managed_in_memory.with([url](auto& job) { job.kind = url; });
    co_await tenants_in_memory.async_push("order", 5);
    co_await context.async_save(first);
    co_await schedules.async_set("name", {.every = 60s}, "queue", "order", first);
#endif
}

// Outside of `co_await` every compiler takes temporaries.
void call_outside(coworker::list_queue<order>& orders, coworker::managed_queue& queue, std::string url,
                  coworker::testing::memory_queue<order>& in_memory,
                  coworker::testing::memory_managed_queue& managed_in_memory,
                  boost::asio::any_io_executor executor)
{
    const auto told = [](coworker::error_code, const std::string&) {};
    orders.async_push({"ada", 5}, told);
    orders.async_push(order{"ada", 5}, {.delay = 5s}, told);
    (void)orders.async_push({"ada", 5}, boost::asio::use_future).get();
    orders.async_push({"ada", 5}, coworker::with_diagnostics([](std::exception_ptr, std::string) {}));
    (void)orders.async_push({"ada", 5}, coworker::with_diagnostics(boost::asio::use_future)).get();
    orders.async_push({"ada", 5}, boost::asio::detached);
    orders.async_push_many(std::array<order, 1>{order{"ada", 5}},
                           [](coworker::error_code, std::vector<std::string>) {});
    queue.async_push("order", order{"ada", 5}, told);
    queue.async_push("order", order{"ada", 5}, {.priority = 1}, told);
    (void)queue.async_push("order", order{"ada", 5}, boost::asio::use_future).get();
    queue.async_recur("order", order{"ada", 5}, 60s, told);
    queue.async_requeue(coworker::managed_job{}, [](coworker::error_code, coworker::result<void>) {});
    queue.async_push_many("order", std::array<order, 1>{order{"ada", 5}}, boost::asio::detached);
    in_memory.async_push({"ada", 5}, told);
    managed_in_memory.async_push("order", order{"ada", 5}, told);
    coworker::async_run_blocking(
        executor, [url] { return url.size(); }, [](std::exception_ptr, std::size_t) {});
    coworker::testing::async_drain(
        executor, in_memory, [url](const order&) {}, boost::asio::detached);
    coworker::client observed{executor, {.on_event = coworker::observer{[url](const coworker::event&) {}}}};
}
