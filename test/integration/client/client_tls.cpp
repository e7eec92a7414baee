// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
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

BOOST_FIXTURE_TEST_CASE(each_mistake_has_a_message_of_its_own, tls_test)
{
    auto elsewhere = options();
    elsewhere.url = "rediss://127.0.0.1:" + std::to_string(server.tls_port());
    BOOST_TEST(push_refused(elsewhere).says("certificate is refused: "), "another name");
    BOOST_TEST(push_refused(elsewhere).says("mismatch"), "another name");

    auto plain = options();
    plain.url = "redis://localhost:" + std::to_string(server.tls_port());
    const auto hung_up = push_refused(plain);
    BOOST_TEST(hung_up.says("for TLS begins with rediss://"), hung_up);

    auto untrusting = options();
    untrusting.ca_file = "";
    const auto unknown = push_refused(untrusting);
    BOOST_TEST(unknown.says("certificate is refused: self"), unknown);
}

BOOST_FIXTURE_TEST_CASE(a_server_without_tls_is_named_as_such, redis_test)
{
    asio::ip::tcp::acceptor acceptor{io, {asio::ip::make_address("127.0.0.1"), 0}};
    run([&]() -> asio::awaitable<void> {
        auto how = observed_options();
        how.url = "rediss://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port());
        client redis{io.get_executor(), how};
        background connecting{io.get_executor(), [](client& subject) -> asio::awaitable<void> {
                                  (void)co_await error_of(subject.async_connect());
                              }(redis)};
        auto visitor = co_await acceptor.async_accept(asio::use_awaitable);
        const std::string refusal = "-ERR unknown command\r\n";
        co_await asio::async_write(visitor, asio::buffer(refusal), asio::use_awaitable);
        const auto told = co_await events.wait_for(event_kind::disconnected);
        BOOST_TEST(told.message.find("without it begins with redis://") != std::string::npos, told.message);
        co_await redis.async_stop();
        co_await connecting.join();
    });
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
