// SPDX-License-Identifier: MIT
#include "gateway_program_test.hpp"
#include "support/client_list.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>

BOOST_AUTO_TEST_SUITE(gateway_command)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(serves_the_api_and_says_where, gateway_program_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await start();
        co_await until_logged("this machine only");
        const auto reply = co_await queue_a_job();
        BOOST_TEST(reply.status == 201);
        BOOST_TEST(waiting("mail").size() == 1);
    });
    program->signal(SIGTERM);
    BOOST_TEST(program->wait() == 0);
}

/// Those who wait for a job would cost a command for each queue ten times a second.
BOOST_FIXTURE_TEST_CASE(has_redis_tell_it_of_jobs, gateway_program_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await start();
        const auto reply = co_await queue_a_job(); // it is connected
        BOOST_TEST(reply.status == 201);
    });
    bool is_told = false;
    for (auto& connection : client_list(server))
        if (connection["name"].starts_with("coworker-gateway"))
            is_told = is_told || connection["flags"].find('t') != std::string::npos;
    BOOST_TEST(is_told);
}

BOOST_FIXTURE_TEST_CASE(takes_the_token_from_a_file_or_the_environment, gateway_program_test)
{
    const auto file = write("token", "secret-1\n");
    for (const auto& [arguments, environment] :
         {std::pair<std::vector<std::string>, std::string>{{"--token-file", file}, "COWORKER_TOKEN=another"},
          {{}, "COWORKER_TOKEN=secret-1"}}) {
        run([&]() -> asio::awaitable<void> {
            co_await start(arguments, environment);
            co_await until_logged("needs the token");
            const auto without = co_await get("/v1/queues");
            BOOST_TEST(without.status == 401);
            const auto with = co_await get("/v1/queues", "Authorization: Bearer secret-1\r\n");
            BOOST_TEST(with.status == 200);
            BOOST_TEST(logged().find("secret-1") == std::string::npos);
        });
        program.reset();
        std::ofstream{log};
    }
}

BOOST_FIXTURE_TEST_CASE(opens_as_many_files_as_it_may, gateway_program_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await start({}, "A=B", "ulimit -S -n 64");
        std::ifstream limits{"/proc/" + std::to_string(program->id()) + "/limits"};
        std::string line;
        while (std::getline(limits, line) && !line.starts_with("Max open files"))
            ;
        BOOST_TEST(line.find(" 64 ") == line.npos, line);
    });
}

BOOST_FIXTURE_TEST_CASE(answers_although_no_file_descriptor_is_left, gateway_program_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await start({}, "A=B", "ulimit -n 40");
        std::vector<http_client> idle;
        for (int i = 0; i != 100; ++i)
            idle.emplace_back(io.get_executor(), port);
        const auto begin = std::chrono::steady_clock::now();
        const auto reply = co_await get("/health");
        BOOST_TEST(reply.status == 200);
        BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds{20}));
        co_await until_logged("so an idle one is closed: Too many open files");
    });
}

BOOST_FIXTURE_TEST_CASE(takes_configured_types_only, gateway_program_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<std::string> given{"--type", "report", "--type", "video"};
        co_await start(given);
        const auto reply = co_await queue_a_job();
        BOOST_TEST(reply.status == 422);
        const auto queues = co_await get("/v1/queues");
        BOOST_TEST(queues.json().at("queues").as_array().size() == 2);
    });
}

BOOST_FIXTURE_TEST_CASE(uses_the_prefix_and_lets_as_many_clients_listen_as_told, gateway_program_test)
{
    put("j", "k");
    run([&]() -> asio::awaitable<void> {
        const std::vector<std::string> given{"--event-clients", "0", "--prefix", "other:"};
        co_await start(given);
        const auto queues = co_await get("/v1/queues?kind=managed");
        BOOST_TEST(queues.json().at("queues").as_array().empty());
        const auto reply = co_await get("/v1/events");
        BOOST_TEST(reply.status == 503);
    });
}

BOOST_FIXTURE_TEST_CASE(starts_while_redis_is_away, gateway_program_test)
{
    server.kill();
    run([&]() -> asio::awaitable<void> {
        const std::vector<std::string> given{"--redis-timeout", "0.2"};
        co_await start(given);
        co_await until_logged("Redis is away");
        const auto refused = co_await queue_a_job();
        BOOST_TEST(refused.status == 503);
        BOOST_TEST(refused.field("retry-after") == "1");
        server.restart();
        unsigned status = 0;
        for (int i = 0; status != 201 && i != 100; ++i) {
            const auto reply = co_await queue_a_job(); // waits for Redis
            status = reply.status;
        }
        BOOST_TEST(status == 201);
    });
    program->signal(SIGINT);
    BOOST_TEST(program->wait() == 0);
}

BOOST_FIXTURE_TEST_CASE(ends_at_once_at_a_second_signal, gateway_program_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<std::string> given{"--redis-timeout", "600", "--shutdown-timeout", "600"};
        co_await start(given);
        const auto ready = co_await get("/ready");
        BOOST_TEST(ready.status == 200);
        server.freeze();
        http_client client{io.get_executor(), port};
        co_await client.send("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
        const auto alive = co_await get("/health"); // the gateway has read what was sent before
        BOOST_TEST(alive.status == 200);
        program->signal(SIGTERM);
        co_await until_logged("a second signal");
        BOOST_TEST(program->is_running());
        program->signal(SIGTERM);
        co_await eventually("it has ended", [&] { return !program->is_running(); });
    });
    BOOST_TEST(program->wait() == 0);
    server.thaw();
}

BOOST_FIXTURE_TEST_CASE(speaks_tls_with_a_certificate, gateway_program_test)
{
    const auto certificate = folder.file("certificate.pem"), key = folder.file("key.pem");
    process::run({"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
                  "-keyout", key, "-out", certificate});
    run([&]() -> asio::awaitable<void> {
        const std::vector<std::string> given{"--tls-certificate", certificate, "--tls-key", key};
        co_await start(given);
        co_await until_logged("https://127.0.0.1:");
    });
    process::run({"openssl", "s_client", "-connect", "127.0.0.1:" + std::to_string(port), "-CAfile",
                  certificate, "-verify_return_error"});
}

BOOST_FIXTURE_TEST_CASE(reads_its_tokens_anew_when_told_to, gateway_program_test)
{
    const auto file = write("token", "secret-1\n# and\n\n look read look-1\n");
    run([&]() -> asio::awaitable<void> {
        const auto status = [&](std::string token) -> asio::awaitable<unsigned> {
            const auto reply = co_await get("/v1/queues", "Authorization: Bearer " + token + "\r\n");
            co_return reply.status;
        };
        const std::vector<std::string> given{"--token-file", file};
        co_await start(given);
        write("token", "chief all secret-2\nlook push,read look-2\nshop push push-2");
        const auto before = co_await status("secret-1");
        BOOST_TEST(before == 200);
        program->signal(SIGHUP);
        co_await until_logged("were read anew");
        for (const auto& [token, expected] : {std::pair<std::string, unsigned>{"secret-1", 401},
                                              {"look-1", 401},
                                              {"secret-2", 200},
                                              {"look-2", 200},
                                              {"push-2", 403}}) {
            const auto after = co_await status(token);
            BOOST_TEST(after == expected, token);
        }
        for (const std::string useless : {"two words\n", "secret-2\nchief read secret-2\n", ""}) {
            write("token", useless);
            const auto size = logged().size();
            program->signal(SIGHUP);
            co_await eventually("the gateway refuses the new token", [&] {
                return logged().find("nothing was read anew", size) != std::string::npos;
            });
            const auto still = co_await status("secret-2");
            BOOST_TEST(still == 200);
        }
    });
    program->signal(SIGTERM);
    BOOST_TEST(program->wait() == 0);
}

BOOST_FIXTURE_TEST_CASE(reads_its_certificate_anew_when_told_to, gateway_program_test)
{
    const auto certificate = folder.file("certificate.pem"), key = folder.file("key.pem");
    const auto make = [&] {
        process::run({"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
                      "-keyout", key, "-out", certificate});
    };
    const auto check = [&](const std::string& expected) {
        process::run({"openssl", "s_client", "-connect", "127.0.0.1:" + std::to_string(port), "-CAfile",
                      expected, "-verify_return_error"});
    };
    make();
    run([&]() -> asio::awaitable<void> {
        const std::vector<std::string> given{"--tls-certificate", certificate, "--tls-key", key};
        co_await start(given);
        check(certificate);
        make();
        program->signal(SIGHUP);
        co_await until_logged("were read anew");
        check(certificate);
        const auto second = write("second.pem", [&] {
            std::ifstream file{certificate};
            return std::string{std::istreambuf_iterator<char>{file}, {}};
        }());
        write("key.pem", "no key");
        program->signal(SIGHUP);
        co_await until_logged("nothing was read anew");
        check(second);
    });
}

BOOST_FIXTURE_TEST_CASE(is_not_ended_by_signals_that_mean_something_else, gateway_program_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await start();
        for (const int number : {SIGUSR1, SIGUSR2, SIGALRM, SIGTSTP})
            program->signal(number);
        const auto reply = co_await queue_a_job();
        BOOST_TEST(reply.status == 201);
    });
    program->signal(SIGQUIT);
    BOOST_TEST(program->wait() == 0);
}

BOOST_FIXTURE_TEST_CASE(starts_where_its_output_cannot_be_written, gateway_program_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<std::string> words{"sh", "-c",
                                             "exec '" COWORKER_PROGRAM "' gateway --redis " + server.url() +
                                                 " --listen 127.0.0.1:0 >/dev/full"};
        program.emplace(words, log);
        co_await until_logged("standard output cannot be written");
        co_await until_logged(" connected");
    });
    program->signal(SIGTERM);
    BOOST_TEST(program->wait() == 0);
}

BOOST_FIXTURE_TEST_CASE(refuses_what_makes_no_sense, gateway_program_test)
{
    const auto refused = [&](const std::vector<std::string>& arguments, const std::string& words) {
        auto all = arguments;
        all.insert(all.begin(), "gateway");
        const auto result = coworker(all);
        BOOST_TEST(result.code == 2, result.errors);
        BOOST_TEST(result.complains(words), result.errors);
    };
    for (const auto* place :
         {"nonsense", "8080", "127.0.0.1:", ":8080", "::1:8080", "127.0.0.1:80a", "127.0.0.1:65536"})
        refused({"--listen", place}, "HOST:PORT");
    refused({"--listen", "0.0.0.0:0"}, "set a token");
    refused({"--listen", "example.com:0"}, "IP address");
    refused({"--token-file", folder.file("none")}, "cannot be read");
    refused({"--token-file", write("blank", "# a comment\ntwo words\n")}, "line 2 is no token");
    refused({"--token-file", write("right", "shop push,pull secret\n")}, "line 1: the rights");
    refused({"--token-file", write("odd", "s\xc3\xa4\n")}, "without blanks");
    refused({"--token-file", write("twice", "a read x\nb read x\n")}, "is the same as 'a'");
    refused({"--token-file", write("empty", "\n")}, "has no token");
    refused({"--tls-certificate", write("certificate", "x")}, "--tls-key");
    refused({"--tls-certificate", write("certificate", "x"), "--tls-key", write("key", "x")},
            "certificate_file");
    refused({"--type", std::string(513, 'a')}, "512 bytes");
    refused({"--effect-keys", ""}, "keys of effects");
    refused({"--body-limit", "0"}, "--body-limit");
    refused({"--event-clients", "-1"}, "--event-clients");
    refused({"--redis", "nonsense://"}, "--redis");
}

BOOST_FIXTURE_TEST_CASE(says_why_it_cannot_begin, gateway_program_test)
{
    run([&]() -> asio::awaitable<void> { co_await start(); });
    const auto taken = coworker({"gateway", "--listen", "127.0.0.1:" + std::to_string(port)});
    BOOST_TEST(taken.code == 1);
    BOOST_TEST(taken.complains("cannot listen on 127.0.0.1:"));

    server("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    server("CONFIG", "SET", "maxmemory", "100mb");
    const auto unfit = coworker({"gateway", "--listen", "localhost:0"});
    BOOST_TEST(unfit.code == 1);
    BOOST_TEST(unfit.complains("maxmemory-policy"), unfit.errors);
}

BOOST_AUTO_TEST_SUITE_END()
