// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/gateway_service.hpp"
#include "program/commands/gateway_tokens.hpp"
#include "program/listen_place.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"

#include <string>
#include <vector>

/// coworker gateway
namespace coworker::program {
namespace {

struct gateway_arguments
{
    std::string listen = "127.0.0.1:8080";
    std::string token_file{};
    std::string environment_token{};
    std::string certificate_file{}, key_file{};
    std::vector<std::string> types{}, effect_keys{};
    double redis_timeout = 2;
    double shutdown_timeout = 10;
    std::string lease = "2m";
    gateway_options options{};
    log_settings log{};
    bool access_log = false;
};

gateway_tokens read_tokens(const gateway_arguments& given)
{
    if (!given.token_file.empty())
        return read_token_file("--token-file", given.token_file);
    std::vector<gateway_token> tokens;
    if (!given.environment_token.empty())
        tokens.push_back({.name = "token", .token = given.environment_token});
    return tokens;
}

std::chrono::milliseconds milliseconds_of(double value)
{
    return std::chrono::milliseconds{static_cast<std::int64_t>(value * 1000)};
}

void announce(surroundings& here, const gateway_options& options, std::uint16_t port)
{
    const std::string scheme = options.certificate_file.empty() ? "http://" : "https://";
    here.out.line("Listening on " + scheme + to_string(listen_place{options.address, port}));
    here.out.line(
        options.tokens.get().empty()
            ? "Without a token it is open to everybody on this machine, and to this machine only."
            : "Every request but those for /health, /ready and the dashboard's files needs the token.");
    here.out.flush();
}

exit_code serve(const gateway_arguments& given, surroundings& here)
{
    auto options = given.options;
    const auto place = read_listen_place("--listen", given.listen);
    options.address = place.address;
    options.port = place.port;
    options.tokens = read_tokens(given);
    options.certificate_file = given.certificate_file;
    options.key_file = given.key_file;
    options.types = given.types;
    options.effect_keys = given.effect_keys;
    options.managed_prefix = here.server.prefix;
    options.shutdown_timeout = milliseconds_of(given.shutdown_timeout);
    const auto lease = parse_duration(given.lease);
    if (!lease || *lease < std::chrono::milliseconds{100})
        refuse("--lease '" + escaped(given.lease) +
               "' is no time of at least 100ms: write numbers with units, such as 90s or 5m");
    options.lease = *lease;
    gateway_listeners listeners;
    listeners.read_tokens = [&given] { return read_tokens(given); };
    listeners.announce = [&](std::uint16_t port) { announce(here, options, port); };
    listeners.log = given.log;
    listeners.log_each_request = given.access_log;
    listeners.service = here.service;
    return run_gateway(here.server, options, milliseconds_of(given.redis_timeout), listeners);
}

void add_tls_options(command_options command, gateway_arguments& given)
{
    auto certificate =
        command.add_option("--tls-certificate", given.certificate_file, "Speak TLS: certificates, PEM")
            .value_name("FILE")
            .existing_file();
    auto key = command.add_option("--tls-key", given.key_file, "The key of the certificate, PEM")
                   .value_name("FILE")
                   .existing_file()
                   .needs(certificate);
    certificate.needs(key);
}

void add_limits(command_options command, gateway_arguments& given)
{
    auto& options = given.options;
    command.add_option("--body-limit", options.body_limit, "The largest body of a request, in bytes")
        .value_name("BYTES")
        .between(1, 1 << 30)
        .with_default();
    command
        .add_option("--max-waiting", options.max_waiting,
                    "How many jobs may wait in a list queue; more are answered with 429. 0: any number")
        .value_name("NUMBER")
        .between(0, 1'000'000'000)
        .with_default();
    command
        .add_option(
            "--memory-limit", options.memory_limit,
            "Bytes of bodies and answers that all connections may hold together; more is answered with 503")
        .value_name("BYTES")
        .between(1, std::int64_t{1} << 40)
        .with_default();
    command
        .add_option(
            "--connections", options.connection_limit,
            "Open connections at the same time; at the limit, one that is idle is closed for a new client")
        .value_name("NUMBER")
        .between(1, 1'000'000)
        .with_default();
    command
        .add_option(
            "--event-clients", options.event_client_limit,
            "Clients that listen to events at the same time; others are answered with 503. 0: none may")
        .value_name("NUMBER")
        .between(0, 1'000'000)
        .with_default();
    command
        .add_option(
            "--lease", given.lease,
            "How long a job of a list queue stays with a worker over HTTP that does not renew it; the same "
            "as for other workers. Managed queues have a heartbeat in the database")
        .value_name("TIME")
        .with_default();
    command
        .add_option("--max-crashes", options.max_crashes,
                    "How many workers over HTTP a job of a managed queue may take with it before it fails; "
                    "0: any number")
        .value_name("NUMBER")
        .between(0, 1'000'000)
        .with_default();
    command
        .add_option("--redis-timeout", given.redis_timeout,
                    "How long a request waits for Redis before it is answered with 503")
        .value_name("SECONDS")
        .between(0.001, 3600.0)
        .with_default();
    command
        .add_option("--shutdown-timeout", given.shutdown_timeout,
                    "How long requests may go on after the first signal")
        .value_name("SECONDS")
        .between(0.0, 3600.0)
        .with_default();
}

} // namespace

void add_gateway(command_line& line, const std::string& environment_token)
{
    const auto given = std::make_shared<gateway_arguments>();
    given->environment_token = environment_token;
    auto command = line.add(
        "gateway",
        "Serve the HTTP API, the metrics and the dashboard. SIGTERM or SIGINT ends it when the requests "
        "that are under way have been answered, a second one at once. SIGHUP has it read its tokens and its "
        "certificate "
        "anew.",
        "  coworker gateway\n"
        "  coworker gateway --listen 0.0.0.0:8443 --token-file /etc/coworker/token \\\n"
        "           --tls-certificate cert.pem --tls-key key.pem\n"
        "  coworker gateway --type mail --type report",
        [given](surroundings& here) { return serve(*given, here); });
    command
        .add_option("--listen", given->listen,
                    "The IP address and port. Other than the loopback device: with a token only")
        .value_name("HOST:PORT")
        .with_default();
    command
        .add_option(
            "--token-file", given->token_file,
            "A file with tokens, of which clients must send one: a line NAME RIGHTS TOKEN for each, with "
            "RIGHTS read, push, work or all, joined by commas; or the token alone, for everything. "
            "Default: the environment variable COWORKER_TOKEN, else none")
        .value_name("FILE");
    command
        .add_option("--type", given->types,
                    "A queue to which jobs may be pushed, and from which they may be taken; again for more. "
                    "Default: any")
        .value_name("NAME")
        .one_at_a_time();
    command
        .add_option("--effect-keys", given->effect_keys,
                    "How keys begin that workers over HTTP may write to with an acknowledgement; again for "
                    "more. Default: none; jobs may be pushed in any case")
        .value_name("PREFIX")
        .one_at_a_time();
    add_tls_options(command, *given);
    add_limits(command, *given);
    add_log_options(command, given->log);
    command.add_flag(
        "--access-log", given->access_log,
        "Also log each request, at the level info: client, token, method, path, status, bytes, time");
}

} // namespace coworker::program
