// SPDX-License-Identifier: MIT
#include "program/redis_access.hpp"

#include "program/embedded_redis/embedded_redis.hpp"
#include "program/sentinel_url.hpp"
#include "text/redis_scheme.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

namespace coworker::program {
namespace {

constexpr const char* default_url = "redis://localhost:6379";

/// Of a URL what is no secret: scheme, hosts, ports and path. Errs on the side of showing too little.
std::string without_secrets(std::string url)
{
    const auto scheme = url.find("://");
    const auto begin = scheme == url.npos ? 0 : scheme + 3;
    const auto mark = url.find_first_of("?#");
    if (mark != url.npos && (mark < begin || url.find('@', mark) != url.npos))
        return "one whose URL is not shown"; // what belongs to a password cannot be told
    url.resize(std::min(mark, url.size()));
    const auto at = url.rfind('@');
    if (at == url.npos)
        return url;
    return at < begin ? url.substr(at + 1) : url.substr(0, begin) + url.substr(at + 1);
}

constexpr std::string_view embedded_name = "embedded", embedded_prefix = "embedded:";

bool names_embedded(std::string_view url)
{
    return url == embedded_name || url.starts_with(embedded_prefix);
}

std::string embedded_folder(const std::string& url)
{
    if (url == embedded_name)
        return default_redis_folder();
    if (url.size() == embedded_prefix.size())
        throw failure{exit_code::usage,
                      "which folder? Write embedded:DIR, or embedded alone for one of this user's"};
    return url.substr(embedded_prefix.size());
}

/// Starts the server if it does not run yet.
embedded_redis& embedded(const server_settings& server)
{
    try {
        if (!server.embedded)
            server.embedded = std::make_shared<embedded_redis>(embedded_folder(server.chosen_url()));
    } catch (const failure&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw failure{exit_code::failed, error.what()};
    }
    return *server.embedded;
}

bool speaks_tls(std::string_view url)
{
    return url.starts_with("rediss");
}

/// What an option says comes before the URL, and that before the environment. Takes the URL's own out of it.
tls_files files_for(const server_settings& server, std::string& url)
{
    const auto in_url = take_tls_files(url);
    const auto& given = server.files;
    const auto& from_environment = server.environment_files;
    if (!speaks_tls(url)) {
        if (!given.empty() || !in_url.empty())
            throw failure{exit_code::usage, "a certificate or a key is for TLS only: the URL of the server "
                                            "begins with rediss:// then"};
        return {}; // the environment may be that of several programs
    }
    tls_files files;
    for (const auto member : {&tls_files::ca, &tls_files::certificate, &tls_files::key})
        files.*member = !(given.*member).empty()    ? given.*member
                        : !(in_url.*member).empty() ? in_url.*member
                                                    : from_environment.*member;
    if (files.certificate.empty() != files.key.empty())
        throw failure{exit_code::usage,
                      "TLS to Redis: a certificate and its key belong together (--redis-cert, --redis-key)"};
    return files;
}

client_options options_for(const server_settings& server, std::string client_name)
{
    client_options options;
    auto url = url_of(server);
    auto files = files_for(server, url);
    options.ca_file = std::move(files.ca);
    options.certificate_file = std::move(files.certificate);
    options.key_file = std::move(files.key);
    if (auto sentinel = parse_sentinel_url(url)) {
        options.url = std::move(sentinel->url);
        options.sentinels = std::move(sentinel->sentinels);
        options.sentinel_primary = std::move(sentinel->primary);
        options.sentinel_user = std::move(sentinel->user);
        options.sentinel_password = std::move(sentinel->password);
    } else if (!url.empty()) {
        if (const auto why = detail::complaint_of_scheme(url, sentinel_schemes); !why.empty())
            throw failure{exit_code::usage, "Redis URL: " + why + ". " + where_redis_is(server)};
        options.url = url;
    }
    options.client_name = std::move(client_name);
    options.thread_safe = false; // the program has one thread
    options.tracking = false;    // nothing waits for jobs here
    return options;
}

asio::awaitable<exit_code> connect_and_run(const server_settings& server, const redis_task& task)
{
    const auto redis = make_client(co_await asio::this_coro::executor, server, "coworker-cli");
    exit_code code = exit_code::failed;
    const auto work = [&]() -> asio::awaitable<void> {
        co_await redis->async_connect();
        code = co_await task(*redis);
    };
    co_await close_behind(*redis, work(), {});
    co_return code;
}

} // namespace

std::string text_of(const system_error& error)
{
    const std::string text = error.what();
    return text.ends_with(']') ? text.substr(0, text.rfind(" [")) : text;
}

failure explain(const system_error& error, const server_settings& server)
{
    const auto text = text_of(error);
    if (error.code() == errc::invalid_option || error.code() == errc::invalid_queue_name ||
        error.code() == errc::invalid_job_id)
        return {exit_code::usage, text};
    if (error.code() == errc::unavailable || error.code() == errc::authentication_refused ||
        error.code() == errc::timed_out)
        return {exit_code::failed, text + ". " + where_redis_is(server)};
    return {exit_code::failed, text};
}

std::string url_of(const server_settings& server)
{
    const auto& url = server.chosen_url();
    return names_embedded(url) ? embedded(server).url() : url;
}

void set_environment(const server_settings& server)
{
    auto url = server.chosen_url();
    const auto files = names_embedded(url) ? tls_files{} : files_for(server, url);
    if (names_embedded(url))
        url = std::string{embedded_prefix} + embedded(server).folder();
    // They have other working directories.
    const auto whole = [](const std::string& file) {
        return file.empty() ? file : std::filesystem::absolute(file).native();
    };
    for (const auto& [name, value] : {std::pair{"COWORKER_REDIS", url},
                                      {"COWORKER_REDIS_CA", whole(files.ca)},
                                      {"COWORKER_REDIS_CERT", whole(files.certificate)},
                                      {"COWORKER_REDIS_KEY", whole(files.key)}})
        if (!value.empty())
            ::setenv(name, value.c_str(), 1);
}

std::string where_redis_is(const server_settings& server)
{
    const auto* source = !server.url.empty()               ? " (--redis)"
                         : !server.environment_url.empty() ? " (COWORKER_REDIS)"
                                                           : " (the default)";
    const auto& url = server.chosen_url();
    if (server.embedded)
        return "The server is the embedded one in " + server.embedded->folder() + source +
               "; its log is there.";
    return "The server is " + (url.empty() ? default_url : without_secrets(url)) + source +
           "; --redis URL or the environment variable COWORKER_REDIS names another, such as "
           "redis://localhost:6379, or 'embedded' for one of coworker's own.";
}

std::unique_ptr<client> make_client(const asio::any_io_executor& executor, const server_settings& server,
                                    std::string client_name,
                                    const std::function<void(client_options&)>& adjust)
{
    auto options = options_for(server, std::move(client_name));
    if (adjust)
        adjust(options);
    try {
        return std::make_unique<client>(executor, std::move(options));
    } catch (const system_error& error) {
        throw failure{exit_code::usage, text_of(error) + ". " + where_redis_is(server)};
    }
}

asio::awaitable<void> close_behind(client& redis, asio::awaitable<void> work, std::function<void()> ended)
{
    std::exception_ptr error;
    try {
        co_await std::move(work);
    } catch (...) {
        error = std::current_exception();
    }
    if (ended)
        ended();
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await redis.async_stop();
    if (error)
        std::rethrow_exception(error);
}

exit_code with_redis(const server_settings& server, const redis_task& task)
{
    asio::io_context io{1};
    std::exception_ptr error;
    exit_code code = exit_code::failed;
    asio::co_spawn(io, connect_and_run(server, task), [&](std::exception_ptr thrown, exit_code result) {
        error = thrown;
        code = result;
    });
    io.run();
    try {
        if (error)
            std::rethrow_exception(error);
    } catch (const system_error& thrown) {
        throw explain(thrown, server);
    }
    return code;
}

} // namespace coworker::program
