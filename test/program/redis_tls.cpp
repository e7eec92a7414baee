// SPDX-License-Identifier: MIT
#include "program/exit_code.hpp"
#include "program/tls_files.hpp"
#include "work_test.hpp"

#include <boost/test/unit_test.hpp>

/// Redis with a CA of one's own, which asks clients for a certificate, as it does by default.
BOOST_AUTO_TEST_SUITE(redis_tls)

using namespace coworker::test;

namespace {

struct tls_program_test
{
    redis_server server{{.tls = true, .tls_clients = true}};

    /// Pushes a job.
    finished_program push(std::vector<std::string> arguments, std::vector<std::string> environment = {})
    {
        arguments.insert(arguments.begin(), {"push", "mail"});
        program_surroundings surroundings;
        surroundings.input = "1\n";
        surroundings.environment = std::move(environment);
        return run_coworker(arguments, surroundings);
    }

    std::string ca() const { return server.certificate_file(); }
    std::string key() const { return server.key_file(); }
};

} // namespace

BOOST_AUTO_TEST_CASE(takes_files_out_of_a_url)
{
    using coworker::program::take_tls_files;
    std::string url = "rediss://host/3?ca=/a%20b&db=4&cert=c.pem&key=k%25";
    const auto files = take_tls_files(url);
    BOOST_TEST(url == "rediss://host/3?db=4");
    BOOST_TEST(files.ca == "/a b");
    BOOST_TEST(files.certificate == "c.pem");
    BOOST_TEST(files.key == "k%");
    for (std::string other : {"redis://host", "redis://host?", "redis://host?db=3&x", "unix:///a?db=3"}) {
        const auto before = other;
        BOOST_TEST(take_tls_files(other).empty());
        BOOST_TEST((other == before || other + '?' == before), other);
    }
    url = "rediss://host?ca=only";
    BOOST_TEST(take_tls_files(url).ca == "only");
    BOOST_TEST(url == "rediss://host");
    for (std::string wrong : {"rediss://h?ca", "rediss://h?ca=", "rediss://h?key=%x", "rediss://h?ca=a&ca=b"})
        BOOST_CHECK_THROW(take_tls_files(wrong), coworker::program::failure);
}

BOOST_FIXTURE_TEST_CASE(is_told_of_them_by_options_the_url_or_the_environment, tls_program_test)
{
    const auto url = server.tls_url();
    const auto with_files = url + "?ca=" + ca() + "&cert=" + ca() + "&key=" + key();
    const std::vector<std::string> options{"--redis-ca", ca(), "--redis-cert", ca(), "--redis-key", key()};
    auto by_options = options;
    by_options.insert(by_options.end(), {"--redis", url});
    for (const auto& result :
         {push(by_options), push({"--redis", with_files}), push({}, {"COWORKER_REDIS=" + with_files}),
          push({"--redis", url},
               {"COWORKER_REDIS_CA=" + ca(), "COWORKER_REDIS_CERT=" + ca(), "COWORKER_REDIS_KEY=" + key()}),
          push({"--redis", url, "--redis-cert", ca(), "--redis-key", key()}, {"SSL_CERT_FILE=" + ca()}),
          // What is nearer counts.
          push(by_options, {"COWORKER_REDIS_CA=/nowhere", "COWORKER_REDIS_CERT=/nowhere"})})
        BOOST_TEST(result.code == 0, result.errors);
    // Before the command as well.
    auto before = options;
    before.insert(before.end(), {"--redis=" + url, "queues", "--json"});
    BOOST_TEST(run_coworker(before).says("\"waiting\":6"));
    const auto without = push({"--redis", url, "--redis-ca", ca()});
    BOOST_TEST(without.code == 1);
    const auto untrusting = push({"--redis", url, "--redis-cert", ca(), "--redis-key", key()});
    BOOST_TEST(untrusting.code == 1);
    BOOST_TEST(untrusting.complains("certificate"), untrusting.errors);
}

BOOST_FIXTURE_TEST_CASE(shows_nothing_that_stands_behind_the_question_mark, tls_program_test)
{
    const auto result = push({"--redis", "redis://127.0.0.1:1?password=secret"});
    BOOST_TEST(result.code == 2);
    BOOST_TEST(!result.complains("The server is redis://127.0.0.1:1?"), result.errors);
    const auto odd = push({"--redis", "redis://user:se?cret@127.0.0.1:1"});
    BOOST_TEST(odd.code == 2);
    BOOST_TEST(!odd.complains("user:se"), odd.errors);
}

BOOST_FIXTURE_TEST_CASE(refuses_files_that_belong_to_nothing, tls_program_test)
{
    const auto refused = [&](const std::vector<std::string>& arguments, const std::string& words) {
        const auto result = push(arguments);
        BOOST_TEST(result.code == 2, result.errors);
        BOOST_TEST(result.complains(words), result.errors);
    };
    refused({"--redis", "redis://localhost:1", "--redis-ca", ca()}, "rediss://");
    refused({"--redis", server.tls_url(), "--redis-cert", ca()}, "belong together");
    refused({"--redis", server.tls_url() + "?key=" + key()}, "belong together");
    refused({"--redis", server.tls_url(), "--redis-ca", "/nowhere"}, "--redis-ca");
    refused({"--redis", server.tls_url() + "?ca=/nowhere"}, "ca_file '/nowhere'");
    // The environment may be that of several programs.
    BOOST_TEST(push({"--redis", server.url()}, {"COWORKER_REDIS_CA=/nowhere"}).code == 0);
}

/// Commands have other working directories, and are to find the same server.
BOOST_FIXTURE_TEST_CASE(commands_find_the_server_as_well, tls_program_test)
{
    const temporary_folder sandboxes;
    BOOST_TEST_REQUIRE(push({"--redis", server.url()}).code == 0);
    const auto to_here = [](const std::string& file) {
        return std::filesystem::relative(file, std::filesystem::current_path()).native();
    };
    running_program worker{{"work", "mail", "--redis", server.tls_url() + "?ca=" + to_here(ca()), "--sandbox",
                            sandboxes.path(), "--redis-cert", ca(), "--redis-key", to_here(key()), "--", "sh",
                            "-c",
                            "echo 2 | '" COWORKER_PROGRAM "' push other && echo pushed $COWORKER_REDIS"}};
    worker.wait_for("pushed " + server.tls_url());
    BOOST_TEST(server("LLEN", "hworker-jobs-other").integer == 1);
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_SUITE_END()
