// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/queue_list.hpp"
#include "program/commands/worker_run.hpp"
#include "program/queue_name.hpp"
#include "program/service/metrics_server.hpp"
#include "program/service/webhook_post.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"
#include "json/notice_text.hpp"

#include <coworker/list_queue.hpp>
#include <coworker/notices.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>

/// coworker notify
namespace coworker::program {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr const char* secret_variable = "COWORKER_WEBHOOK_SECRET";
constexpr std::chrono::hours longest_try{72};

struct notify_arguments
{
    std::vector<std::string> queues{};
    bool on = false, off = false;
    std::string url{}, secret_file{}, ca{};
    std::string timeout = "15s", patience = "1m";
    std::size_t concurrency = 4;
    std::string metrics{};
    log_settings log{};
};

// --- the setting ---------------------------------------------------------------------

exit_code set_notices(const std::vector<queue_ref>& queues, bool wanted, surroundings& here)
{
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const auto all = inspect(redis, here.server);
        for (const auto& queue : queues) {
            co_await all.async_set_notices(queue, wanted);
            const auto name = shown_name(queue);
            if (here.json)
                here.out.line(json_line{}.text("queue", name).boolean("notices", wanted).str());
            else
                here.out.line("notices about " + escaped(name) +
                              (wanted ? " are written" : " are not written any more"));
        }
        co_return exit_code::done;
    });
}

// --- the sender ----------------------------------------------------------------------

milliseconds read_time(const std::string& option, const std::string& text)
{
    const auto time = parse_duration(text);
    if (!time || *time < 1s)
        refuse(option + " '" + escaped(text) + "' is no time of at least 1s, such as 15s");
    return *time;
}

/// One a line, or separated by blanks; the file says which even if the variable is set.
std::vector<std::string> read_secrets(const std::string& file)
{
    std::string text;
    if (!file.empty()) {
        std::ifstream in{file};
        text.assign(std::istreambuf_iterator<char>{in}, {});
        if (!in)
            refuse("--secret-file '" + escaped(file) + "' cannot be read");
    } else if (const char* const given = std::getenv(secret_variable)) {
        text = given;
    }
    auto secrets = words_of(text);
    if (secrets.empty())
        refuse(std::string{"a secret is missing: --secret-file or "} + secret_variable +
               " gives it, such as from "
               "'echo whsec_$(openssl rand -base64 32)'");
    try {
        (void)sign_webhook("id", "", secrets);
    } catch (const system_error& error) {
        refuse(text_of(error));
    }
    return secrets;
}

/// Sends notices, each until the receiver has taken it.
class notice_sender
{
public:
    notice_sender(const notify_arguments& given, const std::vector<queue_ref>& queues)
        : target_{read_webhook_target(given.url)}, secrets_{read_secrets(given.secret_file)},
          tls_{make_webhook_tls(given.ca)}, timeout_{read_time("--timeout", given.timeout)},
          patience_{read_time("--no-worker-after", given.patience)}, queues_{&queues}
    {}

    asio::awaitable<outcome> send(raw_json stored, job_context& context)
    {
        std::string problem, request;
        try {
            const auto body = detail::describe_notice(stored.text).str();
            request = webhook_request(target_, headers_of(std::string{context.id()}, body), body);
        } catch (const system_error& error) {
            problem = text_of(error);
        }
        if (!problem.empty())
            co_return coworker::failure(problem);
        int status = 0;
        try {
            status = co_await post_webhook(target_, tls_, request, timeout_);
        } catch (const system_error& error) {
            problem = error.code() == asio::error::operation_aborted ? "it did not answer in time"
                                                                     : error.code().message();
        }
        if (status >= 200 && status < 300)
            co_return success();
        co_return retry("the receiver: " + (status == 0 ? problem : "it answered " + std::to_string(status)));
    }

    /// Looks whether queues have workers, for ever.
    asio::awaitable<std::string> watch(client& redis, const server_settings& server)
    {
        const auto all = inspect(redis, server);
        asio::steady_timer timer{redis.get_executor()};
        const auto pause = std::clamp<milliseconds>(patience_ / 4, 250ms, 10s);
        for (;;) {
            timer.expires_after(pause);
            co_await timer.async_wait(asio::use_awaitable);
            try {
                co_await all.async_watch_notices(*queues_, patience_);
            } catch (const system_error& error) {
                if (error.code() == asio::error::operation_aborted)
                    throw;
            }
        }
    }

private:
    std::string headers_of(std::string id, const std::string& body) const
    {
        const auto headers = sign_webhook(std::move(id), body, secrets_);
        return "webhook-id: " + headers.id.str() + "\r\nwebhook-timestamp: " + headers.timestamp.str() +
               "\r\nwebhook-signature: " + headers.signature.str() + "\r\n";
    }

    webhook_target target_;
    std::vector<std::string> secrets_;
    asio::ssl::context tls_;
    milliseconds timeout_, patience_;
    const std::vector<queue_ref>* queues_;
};

/// Where the notices about these queues are, each once.
std::vector<queue_ref> queues_of_notices(const std::vector<queue_ref>& about, const server_settings& server)
{
    std::vector<queue_ref> found;
    for (const auto& each : about) {
        auto queue = queue_ref::list(notices_queue(each, server.prefix));
        if (std::find(found.begin(), found.end(), queue) == found.end())
            found.push_back(std::move(queue));
    }
    return found;
}

handle_options how_to_send()
{
    handle_options options;
    options.max_attempts = 0;
    options.expiry = longest_try;
    options.lease = 2min;
    options.backoff = exponential_backoff{.initial = 1s, .maximum = 15min};
    return options;
}

exit_code send_notices(const notify_arguments& given, const std::vector<queue_ref>& queues,
                       surroundings& here)
{
    notice_sender sender{given, queues};
    asio::io_context io{1};
    client* connected = nullptr;
    worker_run run;
    run.client_name = "coworker-notify";
    run.options.concurrency = given.concurrency;
    run.queues = queues_of_notices(queues, here.server);
    run.log = given.log;
    run.service = here.service;
    if (!given.metrics.empty())
        run.metrics = read_listen_place("--metrics", given.metrics);
    run.prepare = [&](client& redis, worker& one) {
        connected = &redis;
        for (const auto& each : run.queues) {
            list_queue<raw_json> notices{redis, each.name()};
            one.handle(
                notices,
                [&](raw_json stored, job_context& context) {
                    return sender.send(std::move(stored), context);
                },
                how_to_send());
        }
    };
    run.watch = [&]() -> asio::awaitable<std::string> {
        asio::steady_timer timer{io};
        while (connected == nullptr) {
            timer.expires_after(100ms);
            co_await timer.async_wait(asio::use_awaitable);
        }
        co_return co_await sender.watch(*connected, here.server);
    };
    return run_worker(io, here.server, run);
}

exit_code run_notify(const notify_arguments& given, surroundings& here)
{
    const auto queues = parse_queue_names(given.queues);
    if (given.on && given.off)
        refuse("--on and --off exclude each other");
    if (given.on || given.off)
        return set_notices(queues, given.on, here);
    if (given.url.empty())
        refuse("--url says where notices go; --on and --off say of which queues they are written");
    return send_notices(given, queues, here);
}

} // namespace

void add_notify(command_line& line)
{
    const auto given = std::make_shared<notify_arguments>();
    auto command = line.add_with_json(
        "notify",
        "Send notices about queues to an HTTP server, signed as Standard Webhooks says: that a job has "
        "failed for good, a batch has ended, a queue has no worker. Each is sent until it is taken, for "
        "three "
        "days. SIGTERM or SIGINT ends it.",
        "  coworker notify --on mail managed:orders\n"
        "  coworker notify --url https://ops.example.com/hooks --secret-file secret mail managed:orders\n"
        "  coworker notify --off mail",
        [given](surroundings& here) { return run_notify(*given, here); });
    command.add_option("QUEUE", given->queues, "What the notices are about: NAME, or managed:NAME")
        .required();
    command.add_flag("--on", given->on, "Have notices about these queues written from now on, and end");
    command.add_flag("--off", given->off, "Have none written any more, and end");
    command.add_option("--url", given->url, "Where they are sent by POST").value_name("URL").not_empty();
    command
        .add_option(
            "--secret-file", given->secret_file,
            "A file with the secret, 'whsec_' and base64 of 24 to 64 bytes; while one replaces another, with "
            "both. Else COWORKER_WEBHOOK_SECRET has it")
        .value_name("FILE")
        .not_empty();
    command
        .add_option("--ca", given->ca,
                    "Whose certificates to trust, a file in PEM form. Default: those that the system trusts")
        .value_name("FILE")
        .not_empty();
    command.add_option("--timeout", given->timeout, "How long to wait for an answer")
        .value_name("TIME")
        .with_default();
    command
        .add_option("--no-worker-after", given->patience,
                    "For how long jobs have to wait without any worker before it is told")
        .value_name("TIME")
        .with_default();
    command.add_option("--concurrency", given->concurrency, "How many are sent at the same time")
        .value_name("NUMBER")
        .between(1, 100)
        .with_default();
    add_metrics_option(command, given->metrics);
    add_log_options(command, given->log);
}

} // namespace coworker::program
