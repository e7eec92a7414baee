// SPDX-License-Identifier: MIT
#include "gateway/guard.hpp"

#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(guarding)

using namespace coworker::detail;
using coworker::gateway_right;
using coworker::gateway_token;

namespace {

guard guard_with(std::string token)
{
    return guard{{{.name = "chief", .token = std::move(token)}}};
}

unsigned status_of(const guard& door, request_data request,
                   std::optional<gateway_right> needed = gateway_right::all)
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
    const auto door = guard_with("s3cret");
    for (const auto value : {"Bearer s3cret", "bearer s3cret", "BEARER   s3cret"}) {
        BOOST_TEST((door.visitor_of(value).rights == gateway_right::all), value);
        BOOST_TEST(door.visitor_of(value).name == "chief");
    }
    for (const auto value : {"", "s3cret", "Bearer", "Bearer ", "Bearer s3cre", "Bearer s3crets",
                             "Bearer S3cret", "Basic s3cret", "Bearers3cret", "Bearer s3cret "}) {
        BOOST_TEST((door.visitor_of(value).rights == gateway_right::none), value);
        BOOST_TEST(door.visitor_of(value).name == "", value);
    }
    BOOST_TEST(status_of(door, {.authorization = "Bearer s3cret"}) == 200u);
    BOOST_TEST(status_of(door, {.authorization = "Bearer wrong"}) == 401u);
    BOOST_TEST(status_of(door, {}) == 401u);
    BOOST_TEST(status_of(door, {}, std::nullopt) == 200u);
}

BOOST_AUTO_TEST_CASE(lets_each_token_do_what_it_allows)
{
    const guard door{
        {{.name = "chief", .token = "s3cret"},
         {.name = "guest", .token = "look", .rights = gateway_right::look},
         {.name = "shop", .token = "more", .rights = gateway_right::look | gateway_right::push}}};
    struct row
    {
        const char* token;
        std::vector<gateway_right> may;
    };
    using enum gateway_right;
    for (const auto& each : std::vector<row>{{"s3cret", {none, look, push, work, all}},
                                             {"look", {none, look}},
                                             {"more", {none, look, push}},
                                             {"loo", {}}})
        for (const auto right : {none, look, push, work, all}) {
            const auto field = std::string{"Bearer "} + each.token;
            const bool may = std::ranges::count(each.may, right) != 0;
            const auto otherwise = each.may.empty() ? 401u : 403u;
            BOOST_TEST(status_of(door, {.authorization = field}, right) == (may ? 200u : otherwise), field);
        }
    BOOST_TEST(status_of(door, {}, look) == 401u);
}

BOOST_AUTO_TEST_CASE(refuses_tokens_that_cannot_be_told_apart_or_sent)
{
    const gateway_token good{.name = "a", .token = "x"};
    for (const auto& wrong :
         std::vector<gateway_token>{{.name = "", .token = "y"},
                                    {.name = "two words", .token = "y"},
                                    {.name = std::string(101, 'n'), .token = "y"},
                                    {.name = "b", .token = ""},
                                    {.name = "b", .token = "y z"},
                                    {.name = "b", .token = "x"},
                                    {.name = "a", .token = "y"},
                                    {.name = "b", .token = "y", .rights = gateway_right::none}})
        BOOST_TEST((coworker::test::error_in([&] {
                        guard{{good, wrong}};
                    }) == coworker::errc::invalid_option));
}

BOOST_AUTO_TEST_CASE(answers_without_a_token_to_names_of_this_machine_only)
{
    const guard door{{}};
    for (const auto host : {"", "localhost", "localhost:8080", "127.0.0.1:1", "127.1.2.3", "[::1]",
                            "[::1]:8080", "LOCALHOST", "Localhost:8080", "localhost.", "localhost.:8080"})
        BOOST_TEST(status_of(door, {.host = host}) == 200u, host);
    for (const auto host : {"evil.example", "evil.example:8080", "localhost.evil.example", "10.0.0.1",
                            "[::2]", "[", "localhost..", "."})
        BOOST_TEST(status_of(door, {.host = host}, std::nullopt) == 403u, host);
    BOOST_TEST(status_of(guard_with("s3cret"), {.authorization = "Bearer s3cret", .host = "jobs.example"}) ==
               200u);
}

BOOST_AUTO_TEST_CASE(refuses_pages_of_other_sites)
{
    const guard door{{}};
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
        BOOST_CHECK_NO_THROW(check_listen_address(address, false));
    for (const auto address : {"0.0.0.0", "::", "10.0.0.1"}) {
        const auto refused = coworker::test::error_in([&] { check_listen_address(address, false); });
        BOOST_TEST((refused == coworker::errc::invalid_option), address);
        BOOST_TEST(refused.says("set a token"), address);
        BOOST_CHECK_NO_THROW(check_listen_address(address, true));
    }
    BOOST_TEST((coworker::test::error_in([] { check_listen_address("localhost", true); }) ==
                coworker::errc::invalid_option));
}

BOOST_AUTO_TEST_SUITE_END()
