// SPDX-License-Identifier: MIT
#include "coworker/payload_codec.hpp"

#include "codecs/reversed_payloads.hpp"
#include "support/expect.hpp"
#include "support/held_jobs.hpp"
#include "support/managed_worker_test.hpp"

#include "coworker/handlers_by_kind.hpp"
#include "coworker/managed_client.hpp"

#include <boost/describe/class.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace jobs {

struct letter
{
    std::string to;
    int count = 0;
};
BOOST_DESCRIBE_STRUCT(letter, (), (to, count))

} // namespace jobs

namespace {

struct stored_job_test : managed_worker_test
{
    const coworker::payload_codecs codecs{reversed()};
    managed_queue coded{mail.with(codecs)};
    list_queue<int> coded_numbers{numbers.with(codecs)};
    std::vector<int> seen; ///< by handlers
    std::vector<std::string> letters;

    handle_options opening(const coworker::payload_codecs& by) const
    {
        handle_options options;
        options.middleware = {open_payloads(by)};
        options.backoff = no_backoff;
        return options;
    }

    /// Runs what there is of the list queue until `count` jobs have ended.
    asio::awaitable<void> work_numbers(const coworker::payload_codecs& by, std::size_t count)
    {
        worker subject{redis, observed()};
        subject.handle(
            numbers, [this](int number) { seen.push_back(number); }, opening(by));
        co_await work(subject, count);
    }

    asio::awaitable<void> work_mail(const coworker::payload_codecs& by, std::size_t count)
    {
        worker subject{redis, observed()};
        handlers_by_kind handlers;
        handlers.on<jobs::letter>("Letter", [this](const jobs::letter& job) { letters.push_back(job.to); });
        subject.handle(mail, std::move(handlers), opening(by));
        co_await work(subject, count);
    }

    std::string stored_letter(const std::string& text) const
    {
        return codecs.encode(text, {"mail", "Letter"});
    }
};

const std::string marker = R"({"coworker:reversed:1":")";
const jobs::letter to_ada{"Ada", 1}, to_bob{"Bob", 1};

} // namespace

BOOST_FIXTURE_TEST_SUITE(stored_jobs, stored_job_test)

BOOST_AUTO_TEST_CASE(list_queues_store_encoded_jobs_and_run_them)
{
    run([&]() -> asio::awaitable<void> {
        const auto id = co_await coded_numbers.async_push(1);
        const std::vector<int> more{2, 3};
        co_await coded_numbers.async_push_many(more);
        push_options remembered;
        remembered.id = "given";
        remembered.unique_for = 1min;
        co_await coded_numbers.async_push(4, remembered);
        std::vector<raw_push> each{{raw_json{"5"}, {}}, {raw_json{"6"}, {}}};
        co_await coded_numbers.async_push_each_json(each);
        co_await coded_numbers.async_push_json(raw_json{"7"});
        const auto stored = payloads();
        BOOST_TEST(stored.size() == 7u);
        BOOST_TEST(stored.front() == "[\"" + id + "\"," + marker + "numbers.MQ==\"}]");
        for (const auto& payload : stored)
            BOOST_TEST(payload.find(marker) != std::string::npos, payload);
        BOOST_TEST(coded_numbers.name() == "numbers");

        co_await work_numbers(codecs, 7);
        BOOST_TEST(seen == (std::vector<int>{1, 2, 3, 4, 5, 6, 7}), boost::test_tools::per_element());
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.waiting + sizes.running + sizes.failed + sizes.broken == 0u);
        BOOST_TEST(sizes.total_succeeded == 7u);
    });
}

BOOST_AUTO_TEST_CASE(a_delayed_job_and_one_that_is_retried_stay_encoded)
{
    run([&]() -> asio::awaitable<void> {
        push_options later;
        later.delay = 10ms;
        co_await coded_numbers.async_push(1, later);
        worker subject{redis, observed()};
        subject.handle(
            numbers,
            [this](int number, job_context& context) {
                seen.push_back(number);
                return context.attempt() == 1 ? retry("again", 10ms) : success();
            },
            opening(codecs));
        co_await work(subject, 1);
        BOOST_TEST(seen == (std::vector<int>{1, 1}), boost::test_tools::per_element());
        BOOST_TEST((co_await numbers.async_sizes()).running == 0u);
    });
}

BOOST_AUTO_TEST_CASE(plain_and_encoded_jobs_stand_in_one_queue)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        co_await coded_numbers.async_push(2);
        co_await numbers.async_push(3);
        co_await mail.async_push("Letter", to_ada);
        co_await coded.async_push("Letter", to_bob);
        co_await work_numbers(codecs, 3);
        BOOST_TEST(seen == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
        co_await work_mail(codecs, 5);
        BOOST_TEST(letters == (std::vector<std::string>{"Ada", "Bob"}), boost::test_tools::per_element());
    });
}

BOOST_AUTO_TEST_CASE(managed_queues_store_encoded_data_and_run_them)
{
    run([&]() -> asio::awaitable<void> {
        const auto jid = co_await coded.async_push("Letter", to_ada);
        BOOST_TEST(field(jid, "data") == stored_letter(R"({"to":"Ada","count":1})"));
        const std::vector<jobs::letter> range{to_bob};
        const auto many = co_await coded.async_push_many("Letter", range);
        const std::vector<new_managed_job> news{{"Letter", R"({"to":"Cleo","count":1})"},
                                                {"Letter", R"({"to":"Dan","count":1})"}};
        const auto each = co_await coded.async_push_each(news);
        for (const auto& id : {jid, many.front(), each.front().id, each.back().id})
            BOOST_TEST(field(id, "data").starts_with(marker), field(id, "data"));
        co_await coded.async_recur("Letter", to_ada, 1000s);
        co_await work_mail(codecs, 5);
        std::sort(letters.begin(), letters.end());
        BOOST_TEST(letters == (std::vector<std::string>{"Ada", "Ada", "Bob", "Cleo", "Dan"}),
                   boost::test_tools::per_element());
        BOOST_TEST(state(jid) == "complete");
        BOOST_TEST(field(jid, "data").starts_with(marker));
        BOOST_TEST(broken() == "");
    });
}

BOOST_AUTO_TEST_CASE(unique_keys_are_made_of_the_plain_data)
{
    run([&]() -> asio::awaitable<void> {
        managed_push_options once;
        once.unique.fields = {"to"};
        const auto plain = co_await mail.async_push("Letter", to_ada, once);
        const jobs::letter again{"Ada", 2};
        BOOST_TEST((co_await coded.async_push("Letter", again, once)) == plain);
        once.unique.conflict = on_conflict::replace;
        BOOST_TEST((co_await coded.async_push("Letter", again, once)) == plain);
        BOOST_TEST(field(plain, "data") == stored_letter(R"({"to":"Ada","count":2})"));
        BOOST_TEST((co_await coded.async_push("Letter", to_bob, once)) != plain);
    });
}

BOOST_AUTO_TEST_CASE(push_middleware_see_the_plain_data)
{
    run([&]() -> asio::awaitable<void> {
        std::string before;
        const auto noting = [&](new_managed_job& job) {
            before = job.data;
            job.kind = "Letter";
        };
        const auto jid = co_await mail.with(codecs).with(noting).async_push("Note", to_ada);
        BOOST_TEST(before == R"({"to":"Ada","count":1})");
        BOOST_TEST(field(jid, "data") == stored_letter(before));
    });
}

BOOST_AUTO_TEST_CASE(a_forwarded_job_and_its_new_data_stay_encoded)
{
    run([&]() -> asio::awaitable<void> {
        const auto kept = co_await coded.async_push("Letter", to_ada);
        const auto changed = co_await coded.async_push("Letter", to_bob);
        const auto plain = co_await mail.async_push("Letter", to_bob);
        managed_queue next{redis, "next"};
        worker subject{redis, observed()};
        const auto pass_on = [&](const raw_json&, job_context& context) {
            forward_options how;
            if (context.id() != kept)
                how.data = raw_json{R"({"to":"Eve","count":2})"};
            return forward("next", how);
        };
        subject.handle(mail, pass_on, opening(codecs));
        subject.handle(
            next, [this](const raw_json& job) { letters.push_back(job.text); }, opening(codecs));
        auto run = start(subject);
        co_await eventually("the jobs are done", [&] { return letters.size() == 3; });
        co_await stop(subject, run);
        BOOST_TEST(field(kept, "data") == stored_letter(R"({"to":"Ada","count":1})"));
        BOOST_TEST(field(changed, "data") == stored_letter(R"({"to":"Eve","count":2})"));
        BOOST_TEST(field(plain, "data") == R"({"to":"Eve","count":2})");
    });
}

BOOST_AUTO_TEST_CASE(jobs_that_are_pushed_as_effects_are_encoded)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("Letter", to_ada);
        co_await numbers.async_push(1);
        managed_queue next{redis, "next"};
        const auto coded_next = next.with(codecs);
        const list_queue<int> others{redis, "others"};
        const auto coded_others = others.with(codecs);
        worker subject{redis, observed()};
        std::string jid;
        subject.handle(mail, [&](const raw_json&, job_context& context) {
            jid = context.effects().push(coded_next, "Letter", to_bob);
        });
        subject.handle(numbers, [&](int, job_context& context) { context.effects().push(coded_others, 7); });
        co_await work(subject, 2);
        BOOST_TEST(field(jid, "data") == stored_letter(R"({"to":"Bob","count":1})"));
        BOOST_TEST(server("LINDEX", "hworker-jobs-others", 0).text.ends_with(marker + "others.Nw==\"}]"));
    });
}

BOOST_AUTO_TEST_CASE(what_cannot_be_decoded_is_kept_and_never_run)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(R"(["changed",{"coworker:reversed:1":"other.MQ=="}])");
        co_await work_numbers(codecs, 1);
        const auto kept = co_await jobs_in(job_state::broken);
        BOOST_TEST(kept.size() == 1u);
        BOOST_TEST(kept.front().message == "not reversed here");
        BOOST_TEST(seen.empty());

        put("changed", "Letter", R"({"coworker:reversed:1":"Bill.MQ=="})");
        co_await work_mail(codecs, 2);
        BOOST_TEST(state("changed") == "failed");
        BOOST_TEST(failed("Letter:not-decodable").size() == 1u);
        BOOST_TEST(failure_of("changed").at("message").as_string() == "not reversed here");
        BOOST_TEST(letters.empty());
        BOOST_TEST(field("changed", "data") == R"({"coworker:reversed:1":"Bill.MQ=="})");
    });
}

BOOST_AUTO_TEST_CASE(a_job_whose_codec_is_missing_here_is_retried_elsewhere)
{
    run([&]() -> asio::awaitable<void> {
        co_await coded_numbers.async_push(1);
        const auto jid = co_await coded.async_push("Letter", to_ada);
        const coworker::payload_codecs others{reversed("other")};
        worker old{redis, observed()};
        old.handle(
            numbers, [this](int number) { seen.push_back(number); }, opening(others));
        old.handle(
            mail, [this](const raw_json& job) { letters.push_back(job.text); }, opening(others));
        auto run = start(old);
        co_await events.wait_until("both are retried",
                                   [](const event_log& log) { return log.count(event_kind::retried) >= 2; });
        co_await stop(old, run);
        BOOST_TEST(seen.empty());
        BOOST_TEST(letters.empty());
        co_await work_numbers(codecs, 1);
        BOOST_TEST(seen == std::vector<int>{1}, boost::test_tools::per_element());
        if (state(jid) != "failed") { // which it is after as many retries as it has
            co_await work_mail(codecs, 2);
            BOOST_TEST(letters == std::vector<std::string>{"Ada"}, boost::test_tools::per_element());
        }
    });
}

BOOST_AUTO_TEST_CASE(a_job_that_nobody_can_decode_fails_with_the_reason)
{
    run([&]() -> asio::awaitable<void> {
        managed_push_options twice;
        twice.retries = 1;
        const auto jid = co_await coded.async_push("Letter", to_ada, twice);
        const coworker::payload_codecs others{reversed("other")};
        co_await work_mail(others, 1);
        BOOST_TEST(state(jid) == "failed");
        BOOST_TEST(failed("Letter:not-decodable").size() == 1u);
        BOOST_TEST(failure_of(jid).at("message").as_string() ==
                   "the job is encoded as 'reversed:1', and this program has no codec for that");
        BOOST_TEST(field(jid, "data") == stored_letter(R"({"to":"Ada","count":1})"));
    });
}

BOOST_AUTO_TEST_CASE(the_size_that_is_stored_is_limited_too)
{
    run([&]() -> asio::awaitable<void> {
        list_queue_options small_list;
        small_list.max_job_size = 100;
        managed_options small_managed;
        small_managed.max_job_size = 100;
        const raw_list_queue list{redis, "small", small_list};
        const managed_queue managed{redis, "small", small_managed};
        const raw_json job{"\"" + std::string(80, 'a') + "\""};
        co_await list.async_push_json(job);
        co_await managed.async_push("Letter", job);
        auto refused = co_await error_of([&] { return list.with(codecs).async_push_json(job); });
        BOOST_TEST(refused == errc::job_too_large);
        refused = co_await error_of([&] { return managed.with(codecs).async_push("Letter", job); });
        BOOST_TEST(refused == errc::job_too_large);
        BOOST_TEST(refused.says("as it is stored"));
    });
}

BOOST_AUTO_TEST_CASE(consumers_that_are_no_worker_decode_by_themselves)
{
    run([&]() -> asio::awaitable<void> {
        co_await coded.async_push("Letter", to_ada);
        const auto popped = co_await pop_jobs(managed_client{redis}, "mail", "me");
        const auto& job = popped.at(0);
        BOOST_TEST(codecs.decode(job.data, {job.queue, job.kind}) == R"({"to":"Ada","count":1})");
    });
}

BOOST_AUTO_TEST_SUITE_END()
