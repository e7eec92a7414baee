// SPDX-License-Identifier: MIT
#include "program/commands/worker_run.hpp"

#include "program/commands/queue_list.hpp"
#include "program/service/metrics_server.hpp"
#include "program/service/service_signals.hpp"
#include "program/terminal/text_functions.hpp"

#include <coworker/metrics.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <optional>
#include <utility>

namespace coworker::program {
namespace {

constexpr std::chrono::seconds longest_warning{2};

/// What to say of a queue that is not there, while jobs wait in one of the other kind; empty: nothing.
asio::awaitable<std::string> mistaken_kind(const inspector& all, queue_ref queue)
{
    const bool exists = co_await all.async_queue_exists(queue);
    if (exists)
        co_return std::string{};
    const auto kind = queue.is_managed() ? queue_kind::list : queue_kind::managed;
    const queue_ref other{kind, queue.name()};
    const auto found = co_await all.async_queue(other);
    if (!found || found->waiting + found->scheduled + found->depends == 0)
        co_return std::string{};
    co_return "there is no queue '" + shown_name(queue) + "' yet, but jobs wait in '" + shown_name(other) +
        "', which is a " + std::string{to_string(kind)} + " queue";
}

class running_worker
{
public:
    running_worker(asio::io_context& io, const server_settings& server, const worker_run& run)
        : io_{&io}, server_{&server}, run_{&run}, log_{run.log}, service_{io.get_executor(), run.service}
    {}

    void go()
    {
        std::exception_ptr error;
        serve_metrics();
        redis_ = make_client(io_->get_executor(), *server_, run_->client_name, [&](client_options& options) {
            options.tracking = true; // a worker waits for jobs
            options.on_event = service_.listen(counted_until_it_works());
        });
        asio::co_spawn(*io_, work(),
                       asio::bind_cancellation_slot(at_once_.slot(),
                                                    [&](std::exception_ptr thrown) { error = thrown; }));
        asio::co_spawn(*io_, watch_signals(), [](std::exception_ptr) {});
        if (run_->watch)
            asio::co_spawn(*io_, watch(),
                           asio::bind_cancellation_slot(end_watch_.slot(), [](std::exception_ptr) {}));
        io_->run();
        if (!complaint_.empty())
            throw failure{exit_code::failed, complaint_};
        if (error && !hurried_) // else it is only what a cancelled worker says
            std::rethrow_exception(error);
    }

private:
    void serve_metrics()
    {
        if (!run_->metrics)
            return;
        page_.emplace(io_->get_executor(), *run_->metrics,
                      [this] { return metrics_.prometheus() + metrics_of_process(); });
        log_.say(log_level::info, "metrics: " + page_->url());
    }

    /// The worker tells its observers what happens to the connection, as soon as there is one.
    observer counted_until_it_works()
    {
        if (!run_->metrics)
            return {};
        return [this, count = metrics_.observe()](const event& what) {
            if (!worker_)
                count(what);
        };
    }

    asio::awaitable<void> work()
    {
        return close_behind(*redis_, handle_jobs(), [this] {
            service_.stop();
            signals_.cancel();
            page_.reset();
            end_watch_.emit(asio::cancellation_type::terminal);
        });
    }

    asio::awaitable<void> handle_jobs()
    {
        co_await redis_->async_connect();
        service_.watch(*redis_);
        co_await asio::co_spawn(*io_, warn_of_mistaken_kinds(),
                                asio::cancel_after(longest_warning, asio::use_awaitable));
        auto options = run_->options;
        options.observers = {log_.observe(run_->queues)};
        if (run_->metrics)
            options.observers.push_back(metrics_.observe());
        worker_.emplace(*redis_, std::move(options));
        run_->prepare(*redis_, *worker_);
        if (stopped_)
            worker_->stop();
        else
            be_ready();
        if (is_quiet_)
            be_quiet();
        co_await worker_->async_run();
    }

    void be_ready()
    {
        std::string text;
        for (const auto& queue : run_->queues)
            text += (text.empty() ? "working on " : ", ") + shown_name(queue);
        service_.ready(text);
        log_.say(log_level::info, text);
    }

    /// Who pushes to one kind of queue and works on the other would wait for ever. This must not keep anybody from
    /// working, whatever this user may ask Redis, and however long that takes.
    asio::awaitable<void> warn_of_mistaken_kinds()
    {
        const auto all = inspect(*redis_, *server_);
        try {
            for (const auto& queue : run_->queues) {
                const auto warning = co_await mistaken_kind(all, queue);
                if (!warning.empty())
                    log_.say(log_level::warning, warning);
            }
        } catch (const system_error&) {
        }
    }

    /// There is nothing to reload. A SIGHUP may come beside another signal, from a terminal or a service manager, so only
    /// the others are counted.
    asio::awaitable<void> watch_signals()
    {
        for (bool was_asked = false;;) {
            const auto wanted = co_await signals_.wait();
            if (wanted == wish::quiet) {
                be_quiet();
            } else if (wanted == wish::stop && std::exchange(was_asked, true)) {
                cancel();
            } else {
                stop();
            }
        }
    }

    void be_quiet()
    {
        is_quiet_ = true;
        if (!worker_ || stopped_)
            return;
        worker_->stop_fetching();
        const auto running = worker_->running();
        service_.status("quiet: fetches no more jobs");
        log_.say(log_level::info, "quiet: fetches no more jobs; " + counted(running, "job") + " still " +
                                      (running == 1 ? "runs" : "run") + ", and SIGTERM ends the worker");
    }

    void stop()
    {
        if (std::exchange(stopped_, true))
            return;
        if (!worker_) { // still connecting
            cancel();
            return;
        }
        const auto running = worker_->running();
        const auto jobs = counted(running, "running job");
        service_.stopping("waiting for " + jobs + " to end");
        if (running != 0)
            log_.say(log_level::info,
                     "stopping when " + jobs +
                         (running == 1 ? " has ended; a second signal releases it at once"
                                       : " have ended; a second signal releases them at once"));
        worker_->stop();
    }

    asio::awaitable<void> watch()
    {
        const auto reason = co_await run_->watch();
        complaint_ = reason;
        cancel();
    }

    void cancel()
    {
        hurried_ = true;
        if (run_->hurry)
            run_->hurry();
        at_once_.emit(asio::cancellation_type::terminal);
    }

    asio::io_context* io_;
    const server_settings* server_;
    const worker_run* run_;
    service_log log_;
    notifier service_;
    worker_metrics metrics_;
    std::optional<metrics_server> page_;
    service_signals signals_{*io_};
    asio::cancellation_signal at_once_, end_watch_;
    std::unique_ptr<client> redis_;
    std::optional<worker> worker_;
    std::string complaint_;
    bool stopped_ = false;
    bool is_quiet_ = false;
    bool hurried_ = false;
};

} // namespace

exit_code run_worker(asio::io_context& io, const server_settings& server, const worker_run& run)
{
    running_worker all{io, server, run};
    try {
        all.go();
    } catch (const system_error& error) {
        throw explain(error, server);
    }
    return exit_code::done;
}

} // namespace coworker::program
