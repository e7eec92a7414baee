// SPDX-License-Identifier: MIT
#include "program/commands/gateway_service.hpp"

#include "program/commands/gateway_log.hpp"
#include "program/listen_place.hpp"
#include "program/service/many_files.hpp"
#include "program/service/service_signals.hpp"
#include "program/terminal/output.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

namespace coworker::program {
namespace {

std::string place_of(const gateway_options& options)
{
    return to_string(listen_place{options.address, options.port});
}

/// A gateway with its client and its signals, and what they come to.
class gateway_service
{
public:
    gateway_service(const server_settings& server, const gateway_options& options,
                    std::chrono::milliseconds redis_timeout, const gateway_listeners& listeners)
        : server_{server}, options_{options}, listeners_{listeners}, log_{listeners.log},
          requests_{log_, listeners.log_each_request}, service_{io_.get_executor(), listeners.service}
    {
        allow_many_files();
        options_.on_request =
            request_observer{[this](const gateway_request& request) { requests_.note(request); }};
        options_.on_event = log_.observe();
        redis_ = make_client(io_.get_executor(), server, "coworker-gateway", [&](client_options& client) {
            client.connect_timeout = redis_timeout;
            client.command_timeout = redis_timeout;
            client.tracking = true; // workers over HTTP wait for jobs
            client.on_event = service_.listen(log_.observe());
        });
    }

    exit_code run()
    {
        listen();
        announce();
        service_.watch(*redis_);
        service_.ready("listening on " + place_of(options_));
        asio::co_spawn(io_, serve(),
                       asio::bind_cancellation_slot(at_once_.slot(), [this](std::exception_ptr thrown) {
                           if (!error_)
                               error_ = std::move(thrown);
                       }));
        asio::co_spawn(io_, watch_signals(), [](std::exception_ptr) {});
        asio::co_spawn(io_, connect(), [](std::exception_ptr) {});
        io_.run();
        if (error_ && !hurried_)
            std::rethrow_exception(error_);
        return exit_code::done;
    }

private:
    void listen()
    {
        try {
            gateway_ = std::make_unique<gateway>(*redis_, options_);
        } catch (const system_error& error) {
            throw failure{exit_code::usage, text_of(error)};
        }
        try {
            gateway_->listen();
        } catch (const system_error& error) {
            throw failure{exit_code::failed, "cannot listen on " + place_of(options_) + ": " +
                                                 error.code().message() +
                                                 "; --listen HOST:PORT names another place"};
        }
    }

    /// A service does not depend on whether its output can be written.
    void announce()
    {
        try {
            listeners_.announce(gateway_->port());
        } catch (const failure& error) {
            log_.say(log_level::warning, error.what());
        } catch (const output_closed&) {
        }
    }

    asio::awaitable<void> serve()
    {
        return close_behind(*redis_, answer_requests(), [this] {
            service_.stop();
            signals_.cancel();
        });
    }

    asio::awaitable<void> answer_requests() { co_await gateway_->async_run(); }

    /// Tells at once when Redis is away, not only with the first request. A server that cannot be used at all is
    /// something that somebody has to change, so the gateway ends.
    asio::awaitable<void> connect()
    {
        try {
            co_await redis_->async_connect();
        } catch (const system_error& error) {
            if (error.code() == errc::stopped)
                co_return;
            if (error.code() == errc::unavailable || error.code() == errc::timed_out) {
                log_.say(log_level::warning,
                         "Redis is away; requests are answered with 503 until it comes. " +
                             where_redis_is(server_));
                co_return;
            }
            error_ = std::make_exception_ptr(
                failure{exit_code::failed, text_of(error) + ". " + where_redis_is(server_)});
            gateway_->stop();
        }
    }

    asio::awaitable<void> watch_signals()
    {
        for (bool stops = false;;) {
            const auto wanted = co_await signals_.wait();
            if (wanted == wish::reload && !stops) {
                reload();
            } else if (wanted == wish::stop && !std::exchange(stops, true)) {
                service_.stopping();
                log_.say(log_level::info, "stopping; a second signal ends requests that still run");
                gateway_->stop();
            } else if (wanted == wish::stop) {
                hurried_ = true;
                at_once_.emit(asio::cancellation_type::terminal);
            }
        }
    }

    /// What cannot be used changes nothing: the gateway goes on with what it has.
    void reload()
    {
        try {
            gateway_->reload(listeners_.read_tokens());
            log_.say(log_level::info, "the tokens and the certificate were read anew");
        } catch (const failure& error) {
            log_.say(log_level::error, std::string{"nothing was read anew: "} + error.what());
        } catch (const system_error& error) {
            log_.say(log_level::error, "nothing was read anew: " + text_of(error));
        }
    }

    const server_settings& server_;
    gateway_options options_;
    const gateway_listeners& listeners_;
    service_log log_;
    gateway_log requests_;
    asio::io_context io_{1};
    notifier service_;
    service_signals signals_{io_};
    asio::cancellation_signal at_once_;
    std::unique_ptr<client> redis_;
    std::unique_ptr<gateway> gateway_;
    std::exception_ptr error_;
    bool hurried_ = false; ///< told to stop twice
};

} // namespace

exit_code run_gateway(const server_settings& server, gateway_options options,
                      std::chrono::milliseconds redis_timeout, const gateway_listeners& listeners)
{
    gateway_service service{server, options, redis_timeout, listeners};
    return service.run();
}

} // namespace coworker::program
