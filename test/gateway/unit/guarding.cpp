// SPDX-License-Identifier: MIT
#include "gateway/guard.hpp"

#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(guarding)

using namespace coworker::detail;

namespace {

unsigned status_of(const guard& door, request_data request, guard::right needed = guard::right::act)
{
    try {
        door.check(request, needed);
    } catch (const refusal& refused) {
        return refused.status;
    }
    return 200;
}

} // namespace

BOOST_AUTO_TEST_CASE(knows_its_token_and_no_other)
{
    const guard door{"s3cret"};
    for (const auto value : {"Bearer s3cret", "bearer s3cret", "BEARER   s3cret"})
        BOOST_TEST((door.right_of(value) == guard::right::act), value);
    for (const auto value : {"", "s3cret", "Bearer", "Bearer ", "Bearer s3cre", "Bearer s3crets",
                             "Bearer S3cret", "Basic s3cret", "Bearers3cret", "Bearer s3cret "})
        BOOST_TEST((door.right_of(value) == guard::right::none), value);
    BOOST_TEST(status_of(door, {.authorization = "Bearer s3cret"}) == 200u);
    BOOST_TEST(status_of(door, {.authorization = "Bearer wrong"}) == 401u);
    BOOST_TEST(status_of(door, {}) == 401u);
    BOOST_TEST(status_of(door, {}, guard::right::none) == 200u);
}

BOOST_AUTO_TEST_CASE(lets_the_token_for_reading_look_and_not_act)
{
    const guard door{"s3cret", "look"};
    const request_data reader{.authorization = "Bearer look"};
    BOOST_TEST((door.right_of("Bearer look") == guard::right::look));
    BOOST_TEST((door.right_of("Bearer s3cret") == guard::right::act));
    BOOST_TEST((door.right_of("Bearer loo") == guard::right::none));
    BOOST_TEST(status_of(door, reader, guard::right::none) == 200u);
    BOOST_TEST(status_of(door, reader, guard::right::look) == 200u);
    BOOST_TEST(status_of(door, reader, guard::right::act) == 403u);
    BOOST_TEST(status_of(door, {.authorization = "Bearer s3cret"}) == 200u);
    BOOST_TEST(status_of(door, {}, guard::right::look) == 401u);
    for (const auto* token : {"", "same"})
        BOOST_TEST((coworker::test::error_in([&] {
                        guard{token, "same"};
                    }) == coworker::errc::invalid_option));
}

BOOST_AUTO_TEST_CASE(answers_without_a_token_to_names_of_this_machine_only)
{
    const guard door{""};
    for (const auto host : {"", "localhost", "localhost:8080", "127.0.0.1:1", "127.1.2.3", "[::1]",
                            "[::1]:8080", "LOCALHOST", "Localhost:8080", "localhost.", "localhost.:8080"})
        BOOST_TEST(status_of(door, {.host = host}) == 200u, host);
    for (const auto host : {"evil.example", "evil.example:8080", "localhost.evil.example", "10.0.0.1",
                            "[::2]", "[", "localhost..", "."})
        BOOST_TEST(status_of(door, {.host = host}, guard::right::none) == 403u, host);
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
    request.origin = {};
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
