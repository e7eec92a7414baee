// SPDX-License-Identifier: MIT
#include "coworker/sodium.hpp"
#include "coworker/zstd.hpp"

#include "support/managed_worker_test.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace coworker;
using namespace coworker::test;

namespace {

const std::string first_key = "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
                  second_key = "k2://///////////////////////////////////////w8=";

/// A queue of texts of each kind, and programs of several versions that share them.
struct roll_out_test : managed_worker_test
{
    list_queue<std::string> texts{redis, "texts"};
    std::vector<std::string> seen;

    static payload_codecs version(const std::string& keys, bool strict = false)
    {
        return {zstd_codec(), sodium_codec(key_ring{keys}, {.context = "shop", .refuse_plain = strict})};
    }

    /// One large and one small job into each queue.
    asio::awaitable<void> push(const payload_codecs& by, std::string name)
    {
        const std::string large = name + std::string(5000, '-');
        co_await texts.with(by).async_push(name);
        co_await texts.with(by).async_push(large);
        co_await mail.with(by).async_push("Text", name);
        co_await mail.with(by).async_push("Text", large);
    }

    /// Works off what was pushed `times` times. Returns the first letters of the jobs that ran.
    asio::awaitable<std::string> work_off(const payload_codecs& by, std::size_t times)
    {
        seen.clear();
        ended_ += 4 * times;
        handle_options options;
        options.middleware = {open_payloads(by)};
        worker subject{redis, observed()};
        subject.handle(
            texts, [this](const std::string& text) { seen.push_back(text); }, options);
        subject.handle(
            mail, [this](const raw_json& text) { seen.push_back(text.text.substr(1)); }, options);
        co_await work(subject, ended_);
        std::string names;
        for (const auto& text : seen)
            names += text.front();
        std::sort(names.begin(), names.end());
        co_return names;
    }

private:
    std::size_t ended_ = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(roll_out, roll_out_test)

BOOST_AUTO_TEST_CASE(compressed_first_encrypted_then)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(version(first_key), "a");
        const auto stored = server("LRANGE", "hworker-jobs-texts", 0, -1).texts();
        BOOST_TEST(stored.size() == 2u);
        for (const auto& payload : stored) {
            BOOST_TEST(payload.find(R"(,{"coworker:sealed:1":"k1:)") != std::string::npos, payload);
            BOOST_TEST(payload.size() < 500u); // the large one, too
        }
        BOOST_TEST((co_await work_off(version(first_key), 1)) == "aaaa");
    });
}

BOOST_AUTO_TEST_CASE(programs_of_all_versions_share_a_queue)
{
    run([&]() -> asio::awaitable<void> {
        const payload_codecs none, compressing{zstd_codec()};
        const auto first = version(first_key), both = version(first_key + "," + second_key),
                   turned = version(second_key + "," + first_key);
        co_await push(none, "a");
        co_await push(compressing, "b");
        co_await push(first, "c");
        co_await push(both, "d");
        co_await push(turned, "e");
        co_await push(none, "f"); // it was switched off again
        BOOST_TEST((co_await work_off(turned, 6)) == "aaaabbbbccccddddeeeeffff");
        const auto sizes = co_await texts.async_sizes();
        BOOST_TEST(sizes.waiting + sizes.running + sizes.failed + sizes.broken == 0u);
    });
}

BOOST_AUTO_TEST_CASE(plain_jobs_are_refused_in_the_end)
{
    run([&]() -> asio::awaitable<void> {
        const payload_codecs none, compressing{zstd_codec()};
        co_await push(none, "a");
        co_await push(compressing, "b");
        co_await push(version(first_key), "c");
        BOOST_TEST((co_await work_off(version(first_key, true), 3)) == "cccc");
        BOOST_TEST((co_await texts.async_sizes()).broken == 4u);
        BOOST_TEST(failed("Text:not-decodable").size() == 4u);
    });
}

BOOST_AUTO_TEST_CASE(a_job_that_was_changed_in_redis_does_not_run)
{
    run([&]() -> asio::awaitable<void> {
        const auto codecs = version(first_key);
        co_await push(codecs, "a");
        auto payload = server("RPOP", "hworker-jobs-texts").text;
        auto& digit = payload[payload.size() - 20];
        digit = digit == 'A' ? 'B' : 'A';
        server("RPUSH", "hworker-jobs-texts", payload);
        BOOST_TEST((co_await work_off(codecs, 1)) == "aaa");
        const inspector look{redis};
        const auto page = co_await look.async_jobs(queue_ref::list("texts"), job_state::broken, "", 10);
        BOOST_TEST(page.jobs.size() == 1u);
        BOOST_TEST(page.jobs.at(0).message.starts_with("the encrypted job was changed"));
    });
}

BOOST_AUTO_TEST_SUITE_END()
