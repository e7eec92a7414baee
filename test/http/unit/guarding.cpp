// SPDX-License-Identifier: MIT
#include "http/guard.hpp"

#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(guarding)

using namespace coworker::detail;

namespace {

unsigned status_of(const guard& door, request_data request, bool is_open = false)
{
    try {
        door.check(request, is_open);
    } catch (const refusal& refused) {
        return refused.what.status;
    }
    return 200;
}

} // namespace

BOOST_AUTO_TEST_CASE(knows_its_token_and_no_other)
{
    const guard door{"s3cret"};
    for (const auto value : {"Bearer s3cret", "bearer s3cret", "BEARER   s3cret"})
        BOOST_TEST(door.knows(value), value);
    for (const auto value : {"", "s3cret", "Bearer", "Bearer ", "Bearer s3cre", "Bearer s3crets",
                             "Bearer S3cret", "Basic s3cret", "Bearers3cret", "Bearer s3cret "})
        BOOST_TEST(!door.knows(value), value);
    BOOST_TEST(status_of(door, {.authorization = "Bearer s3cret"}) == 200u);
    BOOST_TEST(status_of(door, {.authorization = "Bearer wrong"}) == 401u);
    BOOST_TEST(status_of(door, {}) == 401u);
    BOOST_TEST(status_of(door, {}, true) == 200u);
}

BOOST_AUTO_TEST_CASE(answers_without_a_token_to_names_of_this_machine_only)
{
    const guard door{""};
    for (const auto host :
         {"", "localhost", "localhost:8080", "127.0.0.1:1", "127.1.2.3", "[::1]", "[::1]:8080"})
        BOOST_TEST(status_of(door, {.host = host}) == 200u, host);
    for (const auto host :
         {"evil.example", "evil.example:8080", "localhost.evil.example", "10.0.0.1", "[::2]", "["})
        BOOST_TEST(status_of(door, {.host = host}, true) == 403u, host);
    BOOST_TEST(status_of(guard{"s3cret"}, {.authorization = "Bearer s3cret", .host = "jobs.example"}) ==
               200u);
}

BOOST_AUTO_TEST_CASE(refuses_pages_of_other_sites)
{
    const guard door{""};
    request_data request{.host = "localhost:8080"};
    request.origin = "http://localhost:8080";
    BOOST_TEST(status_of(door, request) == 200u);
    for (const auto origin : {"http://evil.example", "null", "http://localhost:9090", "http://localhost"}) {
        request.origin = origin;
        BOOST_TEST(status_of(door, request) == 403u, origin);
    }
    request.origin.clear();
    for (const auto site : {"cross-site", "same-site"}) {
        request.fetch_site = site;
        BOOST_TEST(status_of(door, request) == 403u, site);
    }
    request.fetch_site = "same-origin";
    BOOST_TEST(status_of(door, request) == 200u);
}

BOOST_AUTO_TEST_CASE(listens_without_a_token_on_the_loopback_device_only)
{
    for (const auto address : {"127.0.0.1", "127.3.2.1", "::1"})
        BOOST_CHECK_NO_THROW(check_listen_address(address, ""));
    for (const auto address : {"0.0.0.0", "::", "10.0.0.1"}) {
        const auto refused = coworker::test::error_in([&] { check_listen_address(address, ""); });
        BOOST_TEST((refused == coworker::errc::invalid_option), address);
        BOOST_TEST(refused.says("set a token"), address);
        BOOST_CHECK_NO_THROW(check_listen_address(address, "s3cret"));
    }
    BOOST_TEST((coworker::test::error_in([] { check_listen_address("localhost", "x"); }) ==
                coworker::errc::invalid_option));
}

BOOST_AUTO_TEST_SUITE_END()
