// SPDX-License-Identifier: MIT
#include "http/route.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(routing)

using namespace coworker::detail;

namespace {

answer refused(std::string_view method, std::string_view target)
{
    try {
        find_route(method, target);
    } catch (const refusal& refused) {
        return refused.what;
    }
    return {};
}

} // namespace

BOOST_AUTO_TEST_CASE(finds_what_a_path_leads_to)
{
    BOOST_TEST(find_route("POST", "/jobber/queue").route->facts.id == "push");
    BOOST_TEST(find_route("GET", "/queues").route->facts.id == "queues");
    BOOST_TEST(find_route("HEAD", "/health").route->facts.id == "health");
    const auto retry = find_route("POST", "/queues/mail-2/failed/retry");
    BOOST_TEST(retry.route->facts.id == "retry_failed");
    BOOST_TEST(retry.name == "mail-2");
    const auto page = find_route("GET", "/queues/m%61il/failed?offset=5&count=%31%30&flag");
    BOOST_TEST(page.name == "mail");
    BOOST_TEST(number_in_query(page, "offset", 0, 100) == 5u);
    BOOST_TEST(number_in_query(page, "count", 0, 100) == 10u);
    BOOST_TEST(number_in_query(page, "other", 7, 100) == 7u);
    BOOST_TEST(find_route("GET", "http://localhost:8080/queues").route->facts.id == "queues");
    BOOST_CHECK_THROW(number_in_query(page, "flag", 7, 100), refusal);
    BOOST_CHECK_THROW(number_in_query(page, "count", 7, 9), refusal);
}

BOOST_AUTO_TEST_CASE(says_that_there_is_nothing)
{
    for (const auto path :
         {"", "/jobber", "/jobber/queue/", "/jobber/queue/x", "//queues", "/queues/", "/queues//pause",
          "/Queues", "/queues/mail/nothing", "*", "http://localhost", "ftp://localhost/queues"})
        BOOST_TEST(refused("GET", path).status == 404u, path);
}

BOOST_AUTO_TEST_CASE(says_which_methods_a_path_takes)
{
    const auto push = refused("GET", "/jobber/queue");
    BOOST_TEST(push.status == 405u);
    BOOST_TEST_REQUIRE(push.fields.size() == 1u);
    BOOST_TEST(push.fields[0].first == "Allow");
    BOOST_TEST(push.fields[0].second == "POST");
    BOOST_TEST(refused("DELETE", "/queues/mail").fields.at(0).second == "GET, HEAD");
}

BOOST_AUTO_TEST_CASE(refuses_names_and_escapes_that_are_not_valid)
{
    for (const auto path : {"/queues/a%20b", "/queues/%2e%2e", "/queues/-a", "/queues/a%", "/queues/a%4",
                            "/queues/a%zz", "/queues/a%2Fb", "/queues/a%00", "/queues/a?x=%"})
        BOOST_TEST(refused("GET", path).status == 400u, path);
    BOOST_TEST(refused("GET", "/queues/" + std::string(128, 'a')).status == 200u);
    BOOST_TEST(refused("GET", "/queues/" + std::string(129, 'a')).status == 400u);
}

BOOST_AUTO_TEST_SUITE_END()
