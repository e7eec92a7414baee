// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/one_sentinel.hpp"

#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/// Sentinels that ask for a password, speak TLS, or have an IPv6 address.
BOOST_AUTO_TEST_SUITE(client_sentinels)

using namespace coworker;
using namespace coworker::test;

namespace {

/// All that a client needs to ask a Sentinel.
const std::string permitted = "+ping +sentinel|get-master-addr-by-name +sentinel|sentinels +sentinel|master";

bool has_ipv6()
{
    const int probe = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_addr = in6addr_loopback;
    const bool can_bind = ::bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(probe);
    return can_bind;
}

struct client_sentinels_test : redis_test
{
    client_sentinels_test() : redis_test{{.tcp = true, .tls = true}} {}

    sentinel_options watching(std::vector<std::string> config = {}) const
    {
        return {.primary = server.tcp_port(), .config = std::move(config)};
    }

    sentinel_options watching_with_tls() const
    {
        return {.primary = server.tls_port(), .tls = true, .config = certificate()};
    }

    std::vector<std::string> certificate() const
    {
        return {"tls-cert-file " + server.certificate_file(), "tls-key-file " + server.key_file(),
                "tls-ca-cert-file " + server.certificate_file()};
    }

    client_options options_for(const one_sentinel& sentinel, const std::string& host = "127.0.0.1") const
    {
        client_options how;
        how.url = "redis://primary";
        how.sentinels = {host + ':' + std::to_string(sentinel.port())};
        how.sentinel_primary = "jobs";
        how.connect_timeout = patience;
        how.on_event = events.observe();
        return how;
    }

    client_options tls_options_for(const one_sentinel& sentinel, const std::string& host = "localhost") const
    {
        auto how = options_for(sentinel, host);
        how.url = "rediss://localhost";
        how.ca_file = server.certificate_file();
        return how;
    }

    /// Pushes a job. Returns what went wrong.
    thrown push_with(client_options how)
    {
        thrown result;
        run([&]() -> asio::awaitable<void> {
            client redis{io.get_executor(), std::move(how)};
            list_queue<int> numbers{redis, "numbers"};
            result = co_await error_of(numbers.async_push(1));
            co_await redis.async_stop();
        });
        return result;
    }

    /// The same in vain: it is tried again and again, as long as there is time.
    thrown push_refused(client_options how)
    {
        return error_found_by([&](std::chrono::milliseconds limit) {
            how.connect_timeout = limit;
            return push_with(how);
        });
    }

    std::int64_t pushed() { return server("LLEN", "hworker-jobs-numbers").integer; }

    /// The client hears from the Sentinel that another server is the primary now.
    void follows(client_options how, raw_redis sentinel, bool with_tls)
    {
        redis_server successor{{.tcp = true, .tls = true}};
        how.health_check_interval = std::chrono::milliseconds{100};
        how.verify_certificate = false; // each server has its own
        run([&]() -> asio::awaitable<void> {
            client redis{io.get_executor(), std::move(how)};
            list_queue<int> numbers{redis, "numbers"};
            co_await numbers.async_push(1);
            sentinel("SENTINEL", "REMOVE", "jobs");
            sentinel("SENTINEL", "MONITOR", "jobs", "127.0.0.1",
                     with_tls ? successor.tls_port() : successor.tcp_port(), 1);
            co_await events.wait_for(event_kind::reconnected);
            co_await numbers.async_push(2);
            co_await redis.async_stop();
        });
        BOOST_TEST(pushed() == 1);
        BOOST_TEST(successor("LLEN", "hworker-jobs-numbers").integer == 1);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(signs_in_with_a_password, client_sentinels_test)
{
    const one_sentinel sentinel{watching({"requirepass secret"})};
    auto how = options_for(sentinel);
    how.sentinel_password = "secret";
    BOOST_TEST(!push_with(how).code);
    BOOST_TEST(pushed() == 1);
}

BOOST_FIXTURE_TEST_CASE(a_password_that_a_sentinel_refuses_is_told, client_sentinels_test)
{
    const one_sentinel sentinel{watching({"requirepass secret"})};
    auto how = options_for(sentinel);
    auto error = push_refused(how);
    BOOST_TEST(error == errc::unavailable);
    BOOST_TEST(error.says("NOAUTH"), error);
    how.sentinel_password = "wrong";
    error = push_refused(how);
    BOOST_TEST(error == errc::unavailable);
    BOOST_TEST(error.says("WRONGPASS"), error);
    BOOST_TEST(!error.says("wrong"), error);
}

BOOST_FIXTURE_TEST_CASE(signs_in_as_a_user_who_may_only_ask_for_the_primary, client_sentinels_test)
{
    const one_sentinel sentinel{
        watching({"user default off", "user asker on >secret resetchannels -@all " + permitted})};
    auto how = options_for(sentinel);
    how.sentinel_password = "secret";
    BOOST_TEST(push_refused(how) == errc::unavailable); // it is not the default user's
    how.sentinel_user = "asker";
    BOOST_TEST(!push_with(how).code);
    BOOST_TEST(pushed() == 1);
}

BOOST_FIXTURE_TEST_CASE(the_primary_has_a_password_of_its_own, client_sentinels_test)
{
    server("ACL", "SETUSER", "worker", "on", ">other", "~*", "&*", "+@all");
    const one_sentinel sentinel{watching({"requirepass secret"})};
    auto how = options_for(sentinel);
    how.sentinel_password = "secret";
    how.url = "redis://worker:other@primary";
    BOOST_TEST(!push_with(how).code);
    how.url = "redis://worker:wrong@primary";
    BOOST_TEST(push_with(how) ==
               errc::authentication_refused); // which takes another question to the Sentinel
}

BOOST_FIXTURE_TEST_CASE(goes_on_asking_with_the_password, client_sentinels_test)
{
    const one_sentinel sentinel{
        watching({"user default on nopass +@all", "user asker on >secret resetchannels -@all " + permitted})};
    auto admin = sentinel.raw();
    auto how = options_for(sentinel);
    how.sentinel_user = "asker";
    how.sentinel_password = "secret";
    follows(how, std::move(admin), false);
}

BOOST_FIXTURE_TEST_CASE(asks_again_behind_a_rest, client_sentinels_test)
{
    const one_sentinel sentinel{watching()};
    redis_server successor{{.tcp = true}};
    client redis{io, options_for(sentinel)};
    list_queue<int> numbers{redis, "numbers"};
    auto first = numbers.async_push(1, asio::use_future);
    io.run(); // until it rests
    first.get();
    auto admin = sentinel.raw();
    admin("SENTINEL", "REMOVE", "jobs");
    admin("SENTINEL", "MONITOR", "jobs", "127.0.0.1", successor.tcp_port(), 1);
    auto second = numbers.async_push(2, asio::use_future);
    io.restart();
    io.run();
    second.get();
    BOOST_TEST(pushed() == 1);
    BOOST_TEST(successor("LLEN", "hworker-jobs-numbers").integer == 1);
}

BOOST_FIXTURE_TEST_CASE(asks_sentinels_that_speak_tls_only, client_sentinels_test)
{
    const one_sentinel sentinel{watching_with_tls()};
    BOOST_TEST(!push_with(tls_options_for(sentinel)).code);
    BOOST_TEST(pushed() == 1);
}

BOOST_FIXTURE_TEST_CASE(goes_on_asking_with_tls, client_sentinels_test)
{
    const one_sentinel sentinel{watching_with_tls()};
    follows(tls_options_for(sentinel), sentinel.raw(), true);
}

BOOST_FIXTURE_TEST_CASE(a_wrong_password_of_the_primary_is_told_with_tls, client_sentinels_test)
{
    const one_sentinel sentinel{watching_with_tls()};
    auto how = tls_options_for(sentinel);
    how.url = "rediss://nobody:wrong@localhost";
    BOOST_TEST(push_with(how) == errc::authentication_refused);
}

BOOST_FIXTURE_TEST_CASE(a_certificate_may_have_the_name_of_the_url_or_of_a_sentinel, client_sentinels_test)
{
    const one_sentinel sentinel{watching_with_tls()};
    auto how = tls_options_for(sentinel, "127.0.0.1");
    BOOST_TEST(!push_with(how).code);
    how.url = "rediss://primary";
    auto error = push_refused(how);
    BOOST_TEST(error == errc::unavailable);
    BOOST_TEST(error.says("certificate"), error);
    how = tls_options_for(sentinel, "localhost");
    how.url = "rediss://primary";
    BOOST_TEST(!push_with(how).code);
    how.ca_file = "";
    error = push_refused(how);
    BOOST_TEST(error == errc::unavailable);
    BOOST_TEST(error.says("certificate"), error);
}

BOOST_FIXTURE_TEST_CASE(asks_sentinels_at_ipv6_addresses, client_sentinels_test)
{
    if (!has_ipv6()) {
        BOOST_TEST_MESSAGE("left out: the loopback device has no IPv6 address");
        return;
    }
    auto where = watching();
    where.address = "::1";
    const one_sentinel sentinel{where};
    follows(options_for(sentinel, "[::1]"), sentinel.raw(), false);
}

BOOST_FIXTURE_TEST_CASE(places_that_make_no_sense_are_refused_at_once, client_sentinels_test)
{
    for (const auto* place : {"", ":26379", "[::1", "[::1]26379", "[]:26379", "one:port", "one:70000"}) {
        client_options how;
        how.sentinels = {"two", place};
        const auto error = error_in([&] { client{io.get_executor(), how}; });
        BOOST_TEST(error == errc::invalid_option, place);
        BOOST_TEST(error.says("Sentinel '" + std::string{place} + "'"), error);
    }
}

BOOST_AUTO_TEST_SUITE_END()
