// SPDX-License-Identifier: MIT
#include "program/sentinel_url.hpp"

#include "program/exit_code.hpp"
#include "program_test.hpp"
#include "support/one_sentinel.hpp"
#include "support/redis_server.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(sentinel)

using namespace coworker::test;
using coworker::program::parse_sentinel_url;

BOOST_AUTO_TEST_CASE(reads_urls)
{
    const auto whole = parse_sentinel_url("redis+sentinel://ada:p%40ss@one:1,two,[::1]:3/mymaster/7");
    BOOST_TEST_REQUIRE(whole.has_value());
    BOOST_TEST(whole->url == "redis://ada:p%40ss@primary/7");
    const std::vector<std::string> places{"one:1", "two", "[::1]:3"};
    BOOST_TEST(whole->sentinels == places, boost::test_tools::per_element());
    BOOST_TEST(whole->primary == "mymaster");
    const auto tls = parse_sentinel_url("rediss+sentinel://one/m");
    BOOST_TEST_REQUIRE(tls.has_value());
    BOOST_TEST(tls->url == "rediss://primary");
    const auto more =
        parse_sentinel_url("redis+sentinel://one/m/3?sentinel_user=ada&sentinel_password=a%26b");
    BOOST_TEST_REQUIRE(more.has_value());
    BOOST_TEST(more->url == "redis://primary/3");
    BOOST_TEST(more->primary == "m");
    BOOST_TEST(more->user == "ada");
    BOOST_TEST(more->password == "a&b");
    BOOST_TEST(parse_sentinel_url("redis+sentinel://one/m?db=3")->url == "redis://primary?db=3");
    for (const auto* other : {"", "redis://localhost", "embedded", "redis+sentinel"})
        BOOST_TEST(!parse_sentinel_url(other).has_value(), other);
}

BOOST_AUTO_TEST_CASE(refuses_urls_that_lack_something)
{
    for (const auto* url :
         {"redis+sentinel://", "redis+sentinel:///m", "redis+sentinel://one", "redis+sentinel://one/",
          "redis+sentinel://one,,two/m", "redis+sentinel://:26379/m", "redis+sentinel://a@/m",
          "redis+sentinel://one/m?password=x", "redis+sentinel://one/m?sentinel_password",
          "redis+sentinel://one/m?sentinel_password=%x",
          "redis+sentinel://one/m?sentinel_user=a&sentinel_user=b", "redis+sentinel://one?sentinel_user=a"})
        BOOST_CHECK_THROW((void)parse_sentinel_url(url), coworker::program::failure);
}

BOOST_AUTO_TEST_CASE(finds_the_primary_by_a_sentinel)
{
    redis_server server{{.tcp = true}};
    const one_sentinel sentinel{{.primary = server.tcp_port(), .name = "mail-redis"}};
    const auto url = "redis+sentinel://127.0.0.1:" + std::to_string(sentinel.port()) + "/mail-redis";
    program_surroundings surroundings;
    surroundings.input = "1\n2\n";
    const auto pushed = run_coworker({"push", "mail", "--redis", url}, surroundings);
    BOOST_TEST(pushed.code == 0, pushed.errors);
    BOOST_TEST(server("LLEN", "hworker-jobs-mail").integer == 2);
    program_surroundings by_environment;
    by_environment.environment = {"COWORKER_REDIS=" + url};
    BOOST_TEST(run_coworker({"queues"}, by_environment).says("mail"));
    const auto refused = run_coworker({"queues", "--redis", "redis+sentinel://127.0.0.1"});
    BOOST_TEST(refused.code == 2);
    BOOST_TEST(refused.complains("does not name the primary"), refused.errors);
}

BOOST_AUTO_TEST_CASE(speaks_tls_with_the_sentinel_and_the_primary)
{
    redis_server server{{.tcp = true, .tls = true}};
    const one_sentinel sentinel{
        {.primary = server.tls_port(),
         .tls = true,
         .config = {"tls-cert-file " + server.certificate_file(), "tls-key-file " + server.key_file(),
                    "tls-ca-cert-file " + server.certificate_file()}}};
    const auto url = "rediss+sentinel://localhost:" + std::to_string(sentinel.port()) + "/jobs";
    program_surroundings trusting;
    trusting.input = "1\n";
    trusting.environment = {"SSL_CERT_FILE=" + server.certificate_file()};
    const auto pushed = run_coworker({"push", "mail", "--redis", url}, trusting);
    BOOST_TEST(pushed.code == 0, pushed.errors);
    BOOST_TEST(server("LLEN", "hworker-jobs-mail").integer == 1);
}

BOOST_AUTO_TEST_CASE(signs_in_to_a_sentinel_and_never_shows_its_password)
{
    redis_server server{{.tcp = true}};
    const one_sentinel sentinel{{.primary = server.tcp_port(), .config = {"requirepass s3cr&t"}}};
    const auto url = "redis+sentinel://127.0.0.1:" + std::to_string(sentinel.port()) + "/jobs";
    program_surroundings surroundings;
    surroundings.input = "1\n";
    const auto pushed =
        run_coworker({"push", "mail", "--redis", url + "?sentinel_password=s3cr%26t"}, surroundings);
    BOOST_TEST(pushed.code == 0, pushed.errors);
    BOOST_TEST(server("LLEN", "hworker-jobs-mail").integer == 1);
    for (const std::string query : {"?sentinel_password=hidden", "?sentinel_password=hid@hidden"}) {
        const auto refused = run_coworker({"queues", "--redis", url + query});
        BOOST_TEST(refused.code == 1);
        BOOST_TEST(refused.complains("WRONGPASS"), refused.errors);
        BOOST_TEST(refused.complains("coworker: the primary 'jobs' that the Sentinels name: "),
                   refused.errors);
        BOOST_TEST(refused.complains("Sentinels: Sentinel at 127.0.0.1:"), refused.errors);
        BOOST_TEST(!refused.complains("\\n"), refused.errors);
        BOOST_TEST(!refused.complains("hid"), refused.errors);
    }
    const auto unknown = run_coworker({"queues", "--redis", url + "?password=hidden"});
    BOOST_TEST(unknown.code == 2);
    BOOST_TEST(unknown.complains("sentinel_password=PASSWORD"), unknown.errors);
    BOOST_TEST(!unknown.complains("hidden"), unknown.errors);
}

BOOST_AUTO_TEST_SUITE_END()
