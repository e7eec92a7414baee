// SPDX-License-Identifier: MIT
#include "gateway/route.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(routing)

using namespace coworker::detail;

namespace {

answer refused(std::string_view method, std::string_view target)
{
    try {
        find_route(method, target);
    } catch (const refusal& refused) {
        return answer_of(refused);
    }
    return {};
}

} // namespace

BOOST_AUTO_TEST_CASE(finds_what_a_path_leads_to)
{
    BOOST_TEST(find_route("POST", "/jobber/queue").route->facts.id == "push");
    BOOST_TEST(find_route("GET", "/v1/queues").route->facts.id == "queues");
    BOOST_TEST(find_route("HEAD", "/health").route->facts.id == "health");
    const auto retry = find_route("POST", "/v1/queues/mail-2/jobs/retry");
    BOOST_TEST(retry.route->facts.id == "retry_jobs");
    BOOST_TEST(retry.name == "mail-2");
    BOOST_TEST(retry.queue == coworker::queue_ref::list("mail-2"));
    const auto page = find_route("GET", "/v1/queues/m%61il/jobs?offset=5&count=%31%30&flag");
    BOOST_TEST(page.name == "mail");
    BOOST_TEST(number_in_query(page, "offset", 0, 100) == 5u);
    BOOST_TEST(number_in_query(page, "count", 0, 100) == 10u);
    BOOST_TEST(number_in_query(page, "other", 7, 100) == 7u);
    BOOST_TEST(find_route("GET", "http://localhost:8080/v1/queues").route->facts.id == "queues");
    const auto job = find_route("GET", "/v1/queues/mail/jobs/a%2Fb%00%ff");
    BOOST_TEST(job.route->facts.id == "job");
    BOOST_TEST(job.name == "mail");
    BOOST_TEST((job.inner == std::string{"a/b\0\xff", 5}));
    BOOST_TEST(find_route("GET", "/v1/queues/mail/jobs/retry").route->facts.id == "job");
    BOOST_CHECK_THROW(number_in_query(page, "flag", 7, 100), refusal);
    BOOST_CHECK_THROW(number_in_query(page, "count", 7, 9), refusal);
}

BOOST_AUTO_TEST_CASE(names_queues_as_the_command_line_does)
{
    using coworker::queue_ref;
    const auto queue_of = [](const char* target) { return find_route("GET", target).queue; };
    BOOST_TEST(queue_of("/v1/queues/mail") == queue_ref::list("mail"));
    BOOST_TEST(queue_of("/v1/queues/managed:mail/jobs") == queue_ref::managed("mail"));
    BOOST_TEST(queue_of("/v1/queues/managed%3Amail/jobs") == queue_ref::managed("mail"));
    BOOST_TEST(queue_of("/v1/queues/list:managed:mail") == queue_ref::list("managed:mail"));
    BOOST_TEST(queue_of("/v1/queues/mail:high") == queue_ref::list("mail:high"));
    BOOST_TEST(refused("GET", "/v1/queues/managed:").status == 400u);
}

BOOST_AUTO_TEST_CASE(says_that_there_is_nothing)
{
    for (const auto path :
         {"", "/jobber", "/jobber/queue/", "/jobber/queue/x", "//queues", "/v1/queues/", "/v1/queues//pause",
          "/Queues", "/v1/queues/mail/jobs/", "/v1/queues/mail/jobs/a/b", "/v1/queues/mail/nothing", "*",
          "/v1/managed/queues", "/v1/managed/queues/mail/jobs", "/v1/queues/mail/in_progress",
          "http://localhost", "ftp://localhost/v1/queues"})
        BOOST_TEST(refused("GET", path).status == 404u, path);
}

BOOST_AUTO_TEST_CASE(names_the_path_with_a_version_to_those_who_left_it_out)
{
    const auto answer = refused("GET", "/queues/managed:mail?x=1");
    BOOST_TEST(answer.status == 404u);
    BOOST_TEST(answer.body.find("use /v1/queues/{queue}.") != std::string::npos, answer.body);
    BOOST_TEST(refused("POST", "/queues/mail/take").body.find("/v1/queues/{queue}/take") !=
               std::string::npos);
    BOOST_TEST(refused("GET", "/v1/jobber/queue").status == 404u);
    BOOST_TEST(refused("GET", "/v1/v1/queues").status == 404u);
}

BOOST_AUTO_TEST_CASE(says_which_methods_a_path_takes)
{
    const auto push = refused("GET", "/jobber/queue");
    BOOST_TEST(push.status == 405u);
    BOOST_TEST_REQUIRE(push.fields.size() == 1u);
    BOOST_TEST(push.fields[0].first == "Allow");
    BOOST_TEST(push.fields[0].second == "POST");
    BOOST_TEST(refused("DELETE", "/v1/queues/mail").fields.at(0).second == "GET, HEAD");
}

BOOST_AUTO_TEST_CASE(refuses_names_and_escapes_that_are_not_valid)
{
    for (const auto path : {"/v1/queues/a%", "/v1/queues/a%4", "/v1/queues/a%zz", "/v1/queues/a%C3",
                            "/v1/queues/a?x=%", "/v1/queues/a%ff/jobs/a"})
        BOOST_TEST(refused("GET", path).status == 400u, path);
    BOOST_TEST(refused("GET", "/v1/queues/" + std::string(512, 'a')).status == 200u);
    BOOST_TEST(refused("GET", "/v1/queues/" + std::string(513, 'a')).status == 400u);
    BOOST_TEST(refused("GET", "/v1/queues/managed:" + std::string(512, 'a')).status == 200u);
    BOOST_TEST(refused("GET", "/v1/queues/managed:" + std::string(513, 'a')).status == 400u);
    BOOST_TEST(refused("GET", "/v1/queues/a/jobs/" + std::string(1024, 'a')).status == 200u);
    BOOST_TEST(refused("GET", "/v1/queues/a/jobs/" + std::string(1025, 'a')).status == 400u);
}

BOOST_AUTO_TEST_SUITE_END()
