// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

/// The workers in example/languages.
BOOST_AUTO_TEST_SUITE(example_workers)

using namespace coworker::test;

namespace {

struct language
{
    std::string interpreter, file;

    bool is_installed() const
    {
        return std::system(("command -v " + interpreter + " >/dev/null 2>&1").c_str()) == 0;
    }
    friend std::ostream& operator<<(std::ostream& out, const language& what) { return out << what.file; }
};

const language languages[] = {{"python3", "worker.py"}, {"ruby", "worker.rb"}, {"node", "worker.mjs"}};

std::string content(const std::string& file)
{
    std::ostringstream text;
    text << std::ifstream{file}.rdbuf();
    return text.str();
}

} // namespace

BOOST_DATA_TEST_CASE_F(managed_gateway_test, run_jobs_and_keep_their_leases,
                       boost::unit_test::data::make(languages), which)
{
    if (!which.is_installed()) {
        BOOST_TEST_MESSAGE(which.interpreter << " is not installed");
        return;
    }
    settings.tokens = tokens_of("s3cret");
    set_option("heartbeat", "2");
    const temporary_folder folder;
    ::setenv("COWORKER_TOKEN", "s3cret", 1);
    serve([&]() -> asio::awaitable<void> {
        for (const std::string id : {"a", "b"}) {
            store()("LPUSH", "hworker-jobs-mail", "[\"" + id + R"(",{"to":"ada"}])");
            put(id, "Letter", R"({"to":"ada","seconds":3})"); // longer than a lease
        }
        const auto address = "http://127.0.0.1:" + std::to_string(server->port());
        for (const std::string queue : {"/v1/queues/mail", "/v1/queues/managed:mail"}) {
            const auto log = folder.file(queue.find("managed:") != queue.npos ? "managed" : "list");
            process worker{{which.interpreter, EXAMPLES "/" + which.file, address + queue, "2"}, log};
            co_await eventually(which.file + " ends", [&] { return !worker.is_running(); });
            BOOST_TEST(worker.wait() == 0);
            BOOST_TEST(content(log) == "hello ada\nhello ada\n");
        }
    });
    BOOST_TEST(store()("HGET", "hworker-counters-mail", "success").text == "2");
    BOOST_TEST(history("a") == "put popped done");
    BOOST_TEST(history("b") == "put popped done");
    BOOST_TEST(broken() == "");
}

/// Those that Ctrl-C would end with what their language says of an exception.
BOOST_DATA_TEST_CASE_F(managed_gateway_test, end_without_a_word_when_told_to,
                       boost::unit_test::data::make({languages[0], languages[1]}) *
                           boost::unit_test::data::make({SIGINT, SIGTERM}),
                       which, number)
{
    if (!which.is_installed()) {
        BOOST_TEST_MESSAGE(which.interpreter << " is not installed");
        return;
    }
    set_option("heartbeat", "1");
    const temporary_folder folder;
    serve([&]() -> asio::awaitable<void> {
        const auto queue = "http://127.0.0.1:" + std::to_string(server->port()) + "/v1/queues/managed:mail";
        const auto end = [&](const std::string& name,
                             std::function<bool()> is_so_far) -> asio::awaitable<void> {
            const auto log = folder.file(name);
            process worker{{which.interpreter, EXAMPLES "/" + which.file, queue}, log};
            co_await eventually(name + " is so far", is_so_far);
            worker.signal(number);
            co_await eventually(name + " ends", [&] { return !worker.is_running(); });
            BOOST_TEST(worker.wait() == 0);
            BOOST_TEST(content(log) == (name == "idle" ? "hello ada\n" : ""));
        };
        put("a", "Letter", R"({"to":"ada"})");
        co_await end("idle", [&] { return history("a") == "put popped done"; });
        put("b", "Letter", R"({"to":"ada","seconds":1000})");
        std::set<std::string> leases; // one that is renewed belongs to a job that runs
        co_await end("busy", [&] {
            if (state("b") == "running")
                leases.insert(field("b", "expires"));
            return leases.size() == 2;
        });
        BOOST_TEST(history("b") == "put popped timed-out"); // so qless calls a release
    });
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
