// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;

BOOST_AUTO_TEST_SUITE(client_tls)

namespace {

struct tls_test : redis_test
{
    tls_test() : redis_test{{.tls = true}} {}

    client_options options() const
    {
        return {.url = server.tls_url(), .ca_file = server.certificate_file(), .connect_timeout = patience};
    }

    /// Pushes a job in vain. Returns what went wrong: it is tried again and again, as long as there is time.
    thrown push_refused(client_options options)
    {
        return error_found_by([&](std::chrono::milliseconds limit) {
            options.connect_timeout = limit;
            return push_with(options);
        });
    }

    /// Pushes a job. Returns what went wrong.
    thrown push_with(client_options options)
    {
        thrown result;
        run([&]() -> asio::awaitable<void> {
            client redis{io.get_executor(), std::move(options)};
            list_queue<int> numbers{redis, "numbers"};
            result = co_await error_of(numbers.async_push(1));
            co_await redis.async_stop();
        });
        return result;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_server_with_a_trusted_certificate_is_reached, tls_test)
{
    BOOST_TEST(!push_with(options()).code);
    BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 1);
}

BOOST_FIXTURE_TEST_CASE(an_unknown_certificate_is_refused, tls_test)
{
    auto untrusting = options();
    untrusting.ca_file = "";
    const auto error = push_refused(untrusting);
    BOOST_TEST(error == errc::unavailable);
    BOOST_TEST(error.says("certificate"), error);
    BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(a_certificate_for_another_name_is_refused, tls_test)
{
    auto other_name = options();
    auto url = other_name.url.str();
    url.replace(url.find("localhost"), 9, "127.0.0.1");
    other_name.url = url;
    const auto error = push_refused(other_name);
    BOOST_TEST(error == errc::unavailable);
    BOOST_TEST(error.says("certificate"), error);
}

BOOST_FIXTURE_TEST_CASE(the_check_can_be_left_out, tls_test)
{
    auto careless = options();
    careless.ca_file = "";
    careless.verify_certificate = false;
    BOOST_TEST(!push_with(careless).code);
}

BOOST_FIXTURE_TEST_CASE(the_program_configures_the_context_itself, tls_test)
{
    auto own = options();
    own.ca_file = "";
    own.configure_tls = [&](asio::ssl::context& tls) { tls.load_verify_file(server.certificate_file()); };
    BOOST_TEST(!push_with(own).code);
}

BOOST_FIXTURE_TEST_CASE(a_missing_certificate_file_is_named_at_once, tls_test)
{
    auto missing = options();
    missing.ca_file = "/nowhere/ca.pem";
    const auto error = error_in([&] { client{io.get_executor(), missing}; });
    BOOST_TEST(error == errc::invalid_option);
    BOOST_TEST(error.says("/nowhere/ca.pem"), error);
}

BOOST_AUTO_TEST_SUITE_END()
