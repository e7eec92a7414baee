// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/gateway_service.hpp"
#include "program/terminal/plain_text.hpp"

#include <charconv>
#include <fstream>

/// coworker gateway
namespace coworker::program {
namespace {

struct gateway_arguments
{
    std::string listen = "127.0.0.1:8080";
    std::string token_file{};
    std::string environment_token{};
    double redis_timeout = 2;
    double shutdown_timeout = 10;
    gateway_options options{};
    log_settings log{};
};

/// "HOST:PORT" into the options. An address of IPv6 stands in brackets.
void read_place(const std::string& text, gateway_options& options)
{
    const auto colon = text.rfind(':');
    const auto host = text.substr(0, colon);
    const auto digits = colon == text.npos ? std::string{} : text.substr(colon + 1);
    const auto* end = digits.data() + digits.size();
    const auto [read, ec] = std::from_chars(digits.data(), end, options.port);
    const bool has_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
    if (digits.empty() || ec != std::errc{} || read != end || host.empty() ||
        (host.find(':') != host.npos && !has_brackets))
        refuse("--listen '" + escaped(text) +
               "' is not HOST:PORT, such as 127.0.0.1:8080, 0.0.0.0:8080, [::1]:8080 or localhost:0 (any "
               "free port)");
    if (host == "localhost")
        options.address = "127.0.0.1";
    else
        options.address = has_brackets ? host.substr(1, host.size() - 2) : host;
}

/// The token in the first line of a file.
std::string read_token_file(const std::string& name)
{
    std::ifstream file{name};
    std::string token;
    if (!std::getline(file, token))
        refuse("--token-file '" + escaped(name) + "' cannot be read, or is empty");
    while (!token.empty() && (token.back() == '\r' || token.back() == ' '))
        token.pop_back();
    return token;
}

std::string token_of(const gateway_arguments& given)
{
    if (given.token_file.empty() && given.environment_token.empty())
        return {};
    const auto token = given.token_file.empty() ? given.environment_token : read_token_file(given.token_file);
    bool is_visible = !token.empty();
    for (const char c : token)
        is_visible = is_visible && c > ' ' && c <= '~';
    if (!is_visible)
        refuse("the token has to be visible ASCII characters without blanks, as 'openssl rand -hex 32' makes "
               "them");
    return token;
}

std::chrono::milliseconds milliseconds_of(double value)
{
    return std::chrono::milliseconds{static_cast<std::int64_t>(value * 1000)};
}

void announce(surroundings& here, const gateway_options& options, std::uint16_t port)
{
    const auto& address = options.address;
    std::string place = options.certificate_file.empty() ? "http://" : "https://";
    place += address.find(':') == address.npos ? address : '[' + address + ']';
    place += ':';
    place += std::to_string(port);
    here.out.line("Listening on " + place);
    here.out.line(
        options.token.empty()
            ? "Without a token it is open to everybody on this machine, and to this machine only."
            : "Every request but those for /health, /ready and the dashboard's files needs the token.");
    here.out.flush();
}

exit_code serve(const gateway_arguments& given, surroundings& here)
{
    auto options = given.options;
    read_place(given.listen, options);
    options.token = token_of(given);
    options.managed_prefix = here.server.prefix;
    options.shutdown_timeout = milliseconds_of(given.shutdown_timeout);
    gateway_listeners listeners;
    listeners.announce = [&](std::uint16_t port) { announce(here, options, port); };
    listeners.log = given.log;
    listeners.service = here.service;
    return run_gateway(here.server, options, milliseconds_of(given.redis_timeout), listeners);
}

void add_tls_options(command_options command, gateway_options& options)
{
    auto certificate =
        command.add_option("--tls-certificate", options.certificate_file, "Speak TLS: certificates, PEM")
            .value_name("FILE")
            .existing_file();
    auto key = command.add_option("--tls-key", options.key_file, "The key of the certificate, PEM")
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
    command.add_option("--connections", options.connection_limit, "Clients at the same time; others wait")
        .value_name("NUMBER")
        .between(1, 1'000'000)
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
        "that are under way have been answered, a second one at once.",
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
        .add_option("--token-file", given->token_file,
                    "A file with the token that clients must send. Default: the environment variable "
                    "COWORKER_TOKEN, else none")
        .value_name("FILE");
    command.add_option("--type", given->options.types, "A type of jobs to take; again for more. Default: all")
        .value_name("NAME")
        .one_at_a_time();
    add_tls_options(command, given->options);
    add_limits(command, *given);
    add_log_options(command, given->log);
}

} // namespace coworker::program
