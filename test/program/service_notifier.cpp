// SPDX-License-Identifier: MIT
#include "program/service/notifier.hpp"
#include "support/client_test.hpp"
#include "support/coroutine.hpp"
#include "support/temporary_folder.hpp"
#include "work_test.hpp"

#include <boost/asio/local/datagram_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include <unistd.h>

BOOST_AUTO_TEST_SUITE(service_notifier)

using namespace coworker;
using namespace coworker::program;
using namespace std::chrono_literals;
using datagrams = asio::local::datagram_protocol;

namespace {

/// The service manager's side.
struct manager
{
    datagrams::socket socket;

    manager(asio::io_context& io, const std::string& path) : socket{io, datagrams::endpoint{path}} {}

    std::string receive()
    {
        char text[1000];
        return {text, socket.receive(asio::buffer(text))};
    }
};

struct notifier_test
{
    coworker::test::temporary_folder folder;
    std::string path = folder.file("notify");
    asio::io_context io;
    manager service_manager{io, path};
};

} // namespace

BOOST_FIXTURE_TEST_CASE(tells_of_readiness_status_and_end, notifier_test)
{
    notifier{io.get_executor(), {path, 0us}}.ready("working on mail");
    BOOST_TEST(service_manager.receive() == "READY=1\nSTATUS=working on mail");
    notifier{io.get_executor(), {path, 0us}}.status("two\nlines\x1b");
    BOOST_TEST(service_manager.receive() == "STATUS=two lines ");
    notifier{io.get_executor(), {path, 0us}}.stopping();
    BOOST_TEST(service_manager.receive() == "STOPPING=1");
}

BOOST_AUTO_TEST_CASE(speaks_to_abstract_sockets)
{
    const auto name = "coworker-test-" + std::to_string(::getpid());
    asio::io_context io;
    manager service_manager{io, std::string(1, '\0') + name};
    notifier{io.get_executor(), {'@' + name, 0us}}.ready();
    BOOST_TEST(service_manager.receive() == "READY=1");
}

BOOST_AUTO_TEST_CASE(says_nothing_to_nobody)
{
    asio::io_context io;
    for (const std::string socket : {"", "@", "/", "relative", "/nowhere/at/all", "unix:/x"})
        notifier{io.get_executor(), {socket, 1s}}.ready("status");
    notifier{io.get_executor(), {std::string(500, '/'), 1s}}.ready();
}

BOOST_AUTO_TEST_CASE(reads_the_environment_and_takes_it_away)
{
    ::setenv("NOTIFY_SOCKET", "@x", 1);
    ::setenv("WATCHDOG_USEC", "3000000", 1);
    ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
    const auto settings = notifier::from_environment();
    BOOST_TEST(settings.socket == "@x");
    BOOST_TEST((settings.watchdog == 3s));
    for (const auto* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"})
        BOOST_TEST(!::getenv(name));
    BOOST_TEST(notifier::from_environment().socket.empty());

    ::setenv("WATCHDOG_USEC", "3000000", 1);
    ::setenv("WATCHDOG_PID", "1", 1); // meant for another process
    BOOST_TEST((notifier::from_environment().watchdog == 0s));
    for (const auto* nonsense : {"", "-5", "0", "soon", "1s", "99999999999999999999"}) {
        ::setenv("WATCHDOG_USEC", nonsense, 1);
        BOOST_TEST((notifier::from_environment().watchdog == 0s));
    }
}

BOOST_FIXTURE_TEST_CASE(feeds_the_watchdog_while_redis_answers, coworker::test::client_test)
{
    const coworker::test::temporary_folder folder;
    const auto path = folder.file("notify");
    manager service_manager{io, path};
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        notifier service{redis.get_executor(), {path, 20ms}};
        service.watch(redis);
        for (int i = 0; i != 5; ++i) {
            char text[100];
            const auto size =
                co_await service_manager.socket.async_receive(asio::buffer(text), asio::use_awaitable);
            BOOST_TEST((std::string_view{text, size} == "WATCHDOG=1"));
        }
        service.stop();
    });
}

BOOST_FIXTURE_TEST_CASE(touches_a_file_while_redis_answers, coworker::test::client_test)
{
    coworker::test::temporary_folder folder;
    const auto file = folder.file("alive");
    run([&]() -> asio::awaitable<void> {
        notifier service{io.get_executor(), {"", 0us, file}};
        service.watch(redis);
        BOOST_TEST(::unlink(file.c_str()) == 0);
        co_await coworker::test::eventually("the file is there again",
                                            [&] { return ::access(file.c_str(), F_OK) == 0; });
        service.stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_whose_file_cannot_be_written_says_so, coworker::test::work_test)
{
    coworker::test::program_surroundings surroundings;
    surroundings.environment = {"COWORKER_ALIVE_FILE=/nowhere/alive"};
    const auto result = coworker({"work", "mail", "--", "true"}, surroundings);
    BOOST_TEST(result.code == 1);
    BOOST_TEST(
        result.complains("'/nowhere/alive' that COWORKER_ALIVE_FILE names cannot be written: No such file"),
        result.errors);
}

BOOST_AUTO_TEST_CASE(starves_the_watchdog_after_a_long_silence)
{
    const life_signs::time_point start{};
    life_signs signs{start};
    BOOST_TEST(signs.are_recent(start + 59s));
    BOOST_TEST(!signs.are_recent(start + 60s));
    signs.saw_one(start + 60s); // an answer, or an attempt to connect
    BOOST_TEST(signs.are_recent(start + 119s));
}

BOOST_FIXTURE_TEST_CASE(a_worker_tells_its_service_manager, coworker::test::work_test)
{
    asio::io_context io;
    const auto path = sandboxes.file("notify");
    manager service_manager{io, path};
    ::setenv("NOTIFY_SOCKET", path.c_str(), 1); // for the program that is started
    coworker::test::running_program worker{
        work({"mail", "--log-format", "json"}, "echo socket=$NOTIFY_SOCKET >&2; exit 65")};
    ::unsetenv("NOTIFY_SOCKET");
    BOOST_TEST(service_manager.receive() == "READY=1\nSTATUS=working on mail");
    push({"mail"}, "1\n");
    const auto failed = boost::json::parse(worker.wait_for("failed")).as_object();
    BOOST_TEST(failed.at("queue").as_string() == "mail");
    BOOST_TEST(failed.at("level").as_string() == "warning");
    BOOST_TEST(failed.at("message").as_string() == "socket="); // it is none of the command's business
    worker.signal(SIGTERM);
    BOOST_TEST(service_manager.receive().starts_with("STOPPING=1"));
    worker.read_to_end();
    BOOST_TEST(worker.wait() == 0);
}

BOOST_FIXTURE_TEST_CASE(a_gateway_tells_its_service_manager_and_feeds_the_watchdog,
                        coworker::test::program_test)
{
    asio::io_context io;
    const coworker::test::temporary_folder folder;
    const auto path = folder.file("notify");
    manager service_manager{io, path};
    ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
    ::setenv("WATCHDOG_USEC", "20000", 1);
    coworker::test::running_program gateway{{"gateway", "--listen", "127.0.0.1:0", "--redis", server.url()}};
    ::unsetenv("NOTIFY_SOCKET");
    ::unsetenv("WATCHDOG_USEC");
    std::vector<std::string> received;
    while (received.size() != 5)
        received.push_back(service_manager.receive());
    BOOST_TEST(std::count(received.begin(), received.end(), "WATCHDOG=1") == 4);
    BOOST_TEST(std::count_if(received.begin(), received.end(), [](const std::string& text) {
                   return text.starts_with("READY=1\nSTATUS=listening on 127.0.0.1:");
               }) == 1);
    gateway.signal(SIGTERM);
    while (!service_manager.receive().starts_with("STOPPING=1")) {
    }
    gateway.read_to_end();
    BOOST_TEST(gateway.wait() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
