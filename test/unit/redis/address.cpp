// SPDX-License-Identifier: MIT
#include "redis/address.hpp"

#include "coworker/error.hpp"

#include "support/print.hpp"
#include "text/redis_scheme.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(address)

using coworker::detail::parse_url;
using coworker::detail::transport;

BOOST_AUTO_TEST_CASE(fills_in_what_the_url_leaves_out)
{
    const auto found = parse_url("redis://");
    BOOST_TEST((found.kind == transport::tcp));
    BOOST_TEST(found.host == "localhost");
    BOOST_TEST(found.port == "6379");
    BOOST_TEST(found.user.empty());
    BOOST_TEST(found.password.empty());
    BOOST_TEST(found.database == 0);
}

BOOST_AUTO_TEST_CASE(reads_every_part)
{
    const auto found = parse_url("rediss://ada:secret@redis.example:6380/3");
    BOOST_TEST((found.kind == transport::tls));
    BOOST_TEST(found.user == "ada");
    BOOST_TEST(found.password == "secret");
    BOOST_TEST(found.host == "redis.example");
    BOOST_TEST(found.port == "6380");
    BOOST_TEST(found.database == 3);
}

BOOST_AUTO_TEST_CASE(reads_host_and_port)
{
    const struct
    {
        std::string_view url, host, port;
    } rows[] = {
        {"redis://example", "example", "6379"},
        {"redis://example/", "example", "6379"},
        {"redis://example:7000", "example", "7000"},
        {"redis://:7000", "localhost", "7000"},
        {"redis://127.0.0.1:7000/0", "127.0.0.1", "7000"},
        {"redis://[::1]", "::1", "6379"},
        {"redis://[fe80::1]:7000/1", "fe80::1", "7000"},
        {"redis://example?db=1", "example", "6379"},
    };
    for (const auto& [url, host, port] : rows)
        BOOST_TEST_CONTEXT(url)
        {
            const auto found = parse_url(url);
            BOOST_TEST(found.host == host);
            BOOST_TEST(found.port == port);
        }
}

BOOST_AUTO_TEST_CASE(reads_credentials)
{
    const struct
    {
        std::string_view url, user, password;
    } rows[] = {
        {"redis://ada@host", "ada", ""},
        {"redis://:secret@host", "", "secret"},
        {"redis://ada:@host", "ada", ""},
        {"redis://ada:p%40ss%3Aw%2ford%25@host", "ada", "p@ss:w/ord%"},
        {"redis://a%64a:s:t@host", "ada", "s:t"},
        {"redis://ada:p@ss@host", "ada", "p@ss"},
        {"redis://ada:p/ss@host", "ada", "p/ss"},
        {"unix://ada:secret@/run/redis.sock", "ada", "secret"},
        {"unix://ada:p@ss@/run/a@b.sock", "ada", "p@ss"},
    };
    for (const auto& [url, user, password] : rows)
        BOOST_TEST_CONTEXT(url)
        {
            const auto found = parse_url(url);
            BOOST_TEST(found.user == user);
            BOOST_TEST(found.password == password);
        }
}

BOOST_AUTO_TEST_CASE(reads_unix_sockets)
{
    const auto found = parse_url("unix:///run/my%20redis.sock?db=2");
    BOOST_TEST((found.kind == transport::unix_socket));
    BOOST_TEST(found.path == "/run/my redis.sock");
    BOOST_TEST(found.database == 2);
    BOOST_TEST((parse_url("redis+socket:///run/redis.sock").kind == transport::unix_socket));
    // An @ in a path makes no credentials of what stands before it.
    for (const char* url : {"unix:///run/a@b.sock", "unix:///run/a@b.sock?db=2", "unix://bob@/run/a@b.sock"})
        BOOST_TEST(parse_url(url).path == "/run/a@b.sock", url);
    BOOST_TEST(parse_url("unix:///run/a@b.sock").user == "");
    BOOST_TEST(parse_url("unix:///run/x@/y.sock").path == "/run/x@/y.sock");
}

BOOST_AUTO_TEST_CASE(reads_the_database_from_path_or_query)
{
    BOOST_TEST(parse_url("redis://host/15").database == 15);
    BOOST_TEST(parse_url("redis://host?db=15").database == 15);
    BOOST_TEST(parse_url("redis://host/").database == 0);
    BOOST_TEST(parse_url("redis://host/0").database == 0);
}

BOOST_AUTO_TEST_CASE(reads_the_nodes_of_a_cluster)
{
    const auto some = parse_url("redis+cluster://ada:secret@one:7000,two,[::1]:7002/");
    BOOST_TEST(some.nodes.size() == 3u);
    BOOST_TEST((some.nodes[0] == std::pair<std::string, std::string>{"one", "7000"}));
    BOOST_TEST((some.nodes[1] == std::pair<std::string, std::string>{"two", "6379"}));
    BOOST_TEST((some.nodes[2] == std::pair<std::string, std::string>{"::1", "7002"}));
    BOOST_TEST(some.user == "ada");
    BOOST_TEST(some.password == "secret");
    BOOST_TEST(some.display() == "redis+cluster://one:7000,two:6379,[::1]:7002");
    BOOST_TEST(parse_url("redis://one").nodes.empty());
    BOOST_TEST(parse_url("rediss+cluster://one").display() == "rediss+cluster://one:6379");
    BOOST_TEST((parse_url("rediss+cluster://one").kind == transport::tls));
}

BOOST_AUTO_TEST_CASE(says_which_part_of_a_url_is_wrong)
{
    const struct
    {
        std::string_view url, part;
    } rows[] = {
        {"", "scheme"},
        {"localhost:6379", "scheme"},
        {"redis:/localhost", "scheme"},
        {"http://localhost", "scheme"},
        {"redis+cluster://localhost:7000,localhost:x", "port"},
        {"redis+cluster://localhost:7000/1", "database"},
        {"redis+sentinel://localhost:7000", "scheme"},
        {"REDIS://localhost", "scheme"},
        {"redis://host:port", "port"},
        {"redis://host:70000", "port"},
        {"redis://host:-1", "port"},
        {"redis://host:6379x", "port"},
        {"redis://[::1", "IPv6"},
        {"redis://[::1]6379", "]"},
        {"redis://host/x", "database"},
        {"redis://host/-1", "database"},
        {"redis://host/1/2", "database"},
        {"redis://host/99999999999999999999", "database"},
        {"redis://host?db=", "database"},
        {"redis://host?timeout=5", "unknown parameter"},
        {"unix://relative/path", "absolute"},
        {"unix://", "absolute"},
        {"redis://a%:b@host", "%"},
        {"redis://a%4:b@host", "%"},
        {"redis://a%zz:b@host", "%"},
        {"redis://a%-1:b@host", "%"},
    };
    for (const auto& [url, part] : rows) {
        const auto names_part = [part = part](const coworker::system_error& error) {
            return error.code() == coworker::errc::invalid_option &&
                   std::string_view{error.what()}.find(part) != std::string_view::npos;
        };
        BOOST_TEST_CONTEXT(url)
        BOOST_CHECK_EXCEPTION(parse_url(url), coworker::system_error, names_part);
    }
}

BOOST_AUTO_TEST_CASE(says_which_schemes_there_are)
{
    using coworker::detail::complaint_of_scheme;
    constexpr std::string_view sentinel[] = {"redis+sentinel"};
    BOOST_TEST(complaint_of_scheme("http://host") ==
               "unknown scheme 'http'; use redis, rediss, unix, redis+cluster or rediss+cluster");
    BOOST_TEST(complaint_of_scheme("http://host", sentinel) ==
               "unknown scheme 'http'; use redis, rediss, unix, redis+cluster, rediss+cluster or "
               "redis+sentinel");
    BOOST_TEST(complaint_of_scheme("redis+sentinel://host", sentinel) == "");
    BOOST_TEST(complaint_of_scheme("p4ssword://host").find("p4ssword") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(shows_itself_without_the_password)
{
    BOOST_TEST(parse_url("redis://ada:secret@host:7000/3").display() == "redis://host:7000/3");
    BOOST_TEST(parse_url("rediss://host").display() == "rediss://host:6379");
    BOOST_TEST(parse_url("unix://:secret@/run/redis.sock?db=2").display() == "unix:///run/redis.sock?db=2");
    BOOST_TEST(parse_url("unix:///run/redis.sock").display() == "unix:///run/redis.sock");
    BOOST_TEST(parse_url("redis://[::1]:7000").display() == "redis://[::1]:7000");
}

BOOST_AUTO_TEST_SUITE_END()
