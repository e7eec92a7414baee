// SPDX-License-Identifier: MIT
#include "coworker/managed_details.hpp"
#include "coworker/testing.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe/class.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using namespace coworker;
using namespace coworker::testing;
using namespace std::chrono_literals;
namespace asio = boost::asio;

/// A managed queue in the test kit.
BOOST_AUTO_TEST_SUITE(managed_in_memory)

namespace {

struct letter
{
    std::string to;
};
BOOST_DESCRIBE_STRUCT(letter, (), (to))

std::vector<std::string> jids(const std::vector<stored_job>& jobs)
{
    std::vector<std::string> all;
    for (const auto& each : jobs)
        all.push_back(each.id);
    return all;
}

using strings = std::vector<std::string>;

/// What `push` throws, as an error code.
template<class Push>
error_code error_of_push(Push push)
{
    try {
        push();
    } catch (const system_error& error) {
        return error.code();
    }
    return {};
}

} // namespace

BOOST_AUTO_TEST_CASE(what_was_pushed_is_shown_with_its_options)
{
    memory_managed_queue mail{"mail"};
    const letter to_ada{"ada@example.com"};
    const auto jid =
        mail.push("Letter", to_ada, {.priority = 5, .limits = {"smtp"}, .unique = {.whole_payload = true}});
    BOOST_TEST_REQUIRE(mail.pushed().size() == 1U);
    const auto& pushed = mail.pushed()[0];
    BOOST_TEST(!jid.empty());
    BOOST_TEST(pushed.options.jid->str() == jid);
    BOOST_TEST(pushed.kind.str() == "Letter");
    BOOST_TEST(pushed.data.str() == R"({"to":"ada@example.com"})");
    BOOST_TEST(*pushed.options.priority == 5);
    BOOST_TEST(pushed.options.unique.whole_payload);
    BOOST_TEST(jids(mail.raw().waiting()) == strings{jid});
}

BOOST_AUTO_TEST_CASE(jobs_run_by_priority_and_in_order)
{
    memory_managed_queue queue;
    queue.push("A", 1, {.jid = "a", .priority = -1});
    queue.push("B", 2, {.jid = "b"});
    queue.push("C", 3, {.jid = "c", .priority = 2});
    queue.push("D", 4, {.jid = "d"});
    BOOST_TEST((jids(queue.raw().waiting()) == strings{"c", "b", "d", "a"}));
    queue.push("E", 5, {.jid = "e", .priority = 1, .delay = 1h});
    BOOST_TEST(jids(queue.raw().scheduled()) == strings{"e"});
    auto time = queue.time();
    time.advance(1h);
    BOOST_TEST((jids(queue.raw().waiting()) == strings{"c", "e", "b", "d", "a"}));
}

BOOST_AUTO_TEST_CASE(handlers_are_chosen_by_kind_and_find_what_a_job_was_pushed_with)
{
    memory_managed_queue mail;
    mail.push("Letter", letter{"ada"},
              {.retries = 2, .tags = {"new"}, .expiry = 1min, .metadata = {"tenant", "7"}});
    mail.push("Parcel", 3);
    int parcels = 0;
    handlers_by_kind handlers;
    handlers.on<letter>("Letter", [&](const letter& job, job_context& context) {
        const auto* details = context.details<managed_details>();
        BOOST_TEST_REQUIRE(details != nullptr);
        BOOST_TEST(job.to == "ada");
        BOOST_TEST(details->kind == "Letter");
        BOOST_TEST(details->retries == 2);
        BOOST_TEST(details->remaining == 2);
        BOOST_TEST(details->tags == strings{"new"});
        BOOST_TEST((details->metadata == std::map<std::string, std::string>{{"tenant", "7"}}));
        BOOST_TEST((details->expires_at == mail.time().now() + 1min));
    });
    handlers.on<int>("Parcel", [&](int weight) { parcels += weight; });
    const auto runs = drain(mail, handlers);
    BOOST_TEST(runs.size() == 2U);
    BOOST_TEST(parcels == 3);
}

BOOST_AUTO_TEST_CASE(a_job_has_the_retries_and_the_back_off_that_it_was_pushed_with)
{
    memory_managed_queue queue;
    queue.push("Job", 1, {.retries = 1, .backoff = exponential_backoff{.initial = 10s, .jitter = 0}});
    std::vector<int> remaining;
    const auto fails = [&](const raw_json&, job_context& context) {
        remaining.push_back(context.details<managed_details>()->remaining);
        throw std::runtime_error{"no connection"};
    };
    auto runs = drain(queue, fails, {.max_attempts = 1}); // which managed queues do not ask for
    BOOST_TEST_REQUIRE(runs.size() == 1U);
    BOOST_TEST((runs[0].result.what() == outcome::kind::retry));
    BOOST_TEST_REQUIRE(queue.raw().scheduled().size() == 1U);
    BOOST_TEST((queue.raw().scheduled()[0].due == queue.time().now() + 10s));
    auto time = queue.time();
    time.advance(10s);
    runs = drain(queue, fails);
    BOOST_TEST_REQUIRE(runs.size() == 1U);
    BOOST_TEST(runs[0].attempt == 2U);
    BOOST_TEST((runs[0].result.what() == outcome::kind::failure));
    BOOST_TEST((remaining == std::vector<int>{1, 0}));
    BOOST_TEST_REQUIRE(queue.raw().failed().size() == 1U);
    BOOST_TEST(queue.raw().failed()[0].reason == "no connection");
}

BOOST_AUTO_TEST_CASE(a_lost_lease_costs_a_retry)
{
    memory_managed_queue queue;
    queue.push("Job", 1, {.jid = "a", .retries = 1});
    asio::io_context io;
    auto source = queue.make_source();
    const auto take = [&] {
        auto fetched = asio::co_spawn(io, source->ack_and_fetch({}, 1), asio::use_future);
        io.restart();
        io.run();
        return fetched.get().fetched;
    };
    BOOST_TEST_REQUIRE(take().size() == 1U);
    queue.raw().take_away_running();
    const auto again = take();
    BOOST_TEST_REQUIRE(again.size() == 1U);
    BOOST_TEST(again[0].attempt == 2U);
    BOOST_TEST(again[0].retries_left.value() == 0U);
    queue.raw().take_away_running();
    BOOST_TEST(take().empty());
    BOOST_TEST(jids(queue.raw().failed()) == strings{"a"});
}

BOOST_AUTO_TEST_CASE(a_job_that_waits_is_replaced_by_one_with_its_jid)
{
    memory_managed_queue queue;
    queue.push("Job", 1, {.jid = "a"});
    queue.push("Job", 2, {.jid = "b", .delay = 1h});
    queue.push("Job", 3, {.jid = "a"});
    queue.push("Job", 4, {.jid = "b"});
    BOOST_TEST((jids(queue.raw().waiting()) == strings{"a", "b"}));
    BOOST_TEST(queue.raw().scheduled().empty());
    BOOST_TEST(queue.raw().waiting()[0].job.text == "3");
    BOOST_TEST(queue.pushed().size() == 4U);
}

BOOST_AUTO_TEST_CASE(what_a_managed_queue_refuses_is_refused)
{
    memory_managed_queue queue;
    const auto error = [&](std::string kind, std::string data, managed_push_options options) {
        return error_of_push([&] { queue.push(new_managed_job{kind, data, options}); });
    };
    BOOST_TEST((error("", "1", {}) == errc::invalid_option));
    BOOST_TEST((error("Job", "{", {}) == errc::not_serializable));
    BOOST_TEST((error("Job", "1", {.jid = ""}) == errc::invalid_job_id));
    BOOST_TEST((error("Job", "1", {.timeout = 0ms}) == errc::invalid_option));
    BOOST_TEST((error("Job", "1", {.jid = "a", .depends = {"a"}}) == errc::invalid_option));
    BOOST_TEST((error("Job", "1", {.unique = {.fields = {"x"}}}) == errc::invalid_option));
    const std::vector<new_managed_job> second_is_wrong{{"Job", "1", {}}, {"", "2", {}}};
    asio::io_context io;
    auto pushed = queue.async_push_many(second_is_wrong, asio::use_future);
    BOOST_TEST((error_of_push([&] { (void)pushed.get(); }) == errc::invalid_option));
    const std::vector<int> numbers{1, 2};
    pushed = queue.async_push_many("Job", numbers, {.jid = "a"}, asio::use_future);
    BOOST_TEST((error_of_push([&] { (void)pushed.get(); }) == errc::invalid_option));
    BOOST_TEST(queue.pushed().empty());
}

BOOST_AUTO_TEST_CASE(many_jobs_are_pushed_in_order)
{
    memory_managed_queue queue;
    const std::vector<int> numbers{1, 2, 3};
    const auto made = queue.async_push_many("Job", numbers, asio::use_future).get();
    BOOST_TEST(jids(queue.raw().waiting()) == made);
    BOOST_TEST(queue.raw().waiting()[2].job.text == "3");
    const auto one = queue.async_push("Job", 4, asio::use_future).get();
    BOOST_TEST(queue.raw().waiting()[3].id == one);
}

BOOST_AUTO_TEST_CASE(handles_with_middleware_push_through_it)
{
    memory_managed_queue queue;
    const push_middleware urgent = [](new_managed_job& job) { job.options.priority = 9; };
    const push_middleware tagged = [](new_managed_job& job) { job.options.tags.push_back("seen"); };
    queue.with(urgent).with(durability::synced()).with(tagged).push("Job", 1);
    queue.push("Job", 2);
    BOOST_TEST_REQUIRE(queue.pushed().size() == 2U);
    BOOST_TEST(*queue.pushed()[0].options.priority == 9);
    BOOST_TEST(queue.pushed()[0].options.tags[0] == "seen");
    BOOST_TEST(!queue.pushed()[1].options.priority);
    memory_queue<int> numbers;
    numbers.with(durability::synced()).with(payload_codecs{}).push(1);
    BOOST_TEST(numbers.pushed() == std::vector<int>{1});
}

BOOST_AUTO_TEST_CASE(effects_push_to_it_with_the_success)
{
    memory_queue<int> orders{"orders"};
    memory_managed_queue receipts{"receipts"};
    orders.push(7);
    const auto runs = drain(orders, [&](int order, job_context& context) {
        context.effects().push(receipts, "Receipt", order, managed_push_options{.priority = 1});
        BOOST_TEST(receipts.pushed().empty());
    });
    BOOST_TEST_REQUIRE(receipts.pushed().size() == 1U);
    BOOST_TEST(*receipts.pushed()[0].options.priority == 1);
    BOOST_TEST_REQUIRE(runs.at(0).effects.size() == 1U);
    BOOST_TEST(runs[0].effects[0].pushed.value().kind == "Receipt");
    BOOST_TEST(runs[0].effects[0].pushed.value().id == receipts.raw().waiting().at(0).id);
    const managed_push_options refusing{.unique = {.key = "k", .conflict = on_conflict::refuse}};
    BOOST_TEST(
        (error_of_push([&] { (void)receipts.push_effect("Receipt", 1, refusing); }) == errc::invalid_option));
}

BOOST_AUTO_TEST_SUITE_END()
