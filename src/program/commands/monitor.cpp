#include "program/command_line.hpp"
#include "program/interruptible.hpp"
#include "program/queue_name.hpp"
#include "program/service/log_format.hpp"
#include "program/service/notifier.hpp"
#include "program/terminal/plain_text.hpp"
#include "program/terminal/time_text.hpp"

#include <coworker/job_source.hpp>
#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <optional>

/// coworker monitor
namespace coworker::cli {
namespace {

using namespace std::chrono_literals;

struct monitor_arguments
{
    std::vector<std::string> queues{};
    std::string lease = "2m";
    std::string worker_grace = "1500ms";
    log_settings log{};
};

/// Returns jobs to their queues whose worker is gone, or whose lease has ended.
class queue_monitor
{
public:
    queue_monitor(const std::vector<queue_name>& queues, std::chrono::milliseconds lease,
                  std::chrono::milliseconds grace, const log_settings& log, const surroundings& here)
        : queues_{&queues}, lease_{lease}, grace_{grace}, here_{&here}, log_{log}, service_{
                                                                                       io_.get_executor(),
                                                                                       here.service}
    {}

    /// Until a signal comes. Returns how many jobs were returned.
    std::uint64_t run()
    {
        redis_ = make_session(io_.get_executor(), here_->server, "coworker-monitor",
                              [&](session_options& options) {
                                  options.tracking = true; // sleeps while nothing is in progress
                                  options.on_event = log_.observe();
                              });
        try {
            run_interruptibly(io_, [this] { return work(); });
        } catch (const system_error& error) {
            throw explain(error, here_->server);
        }
        return recovered_;
    }

private:
    asio::awaitable<void> work()
    {
        std::exception_ptr error;
        try {
            co_await watch_all();
        } catch (...) {
            error = std::current_exception();
        }
        service_.stopping();
        service_.stop();
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        for (const auto& source : sources_) {
            try {
                co_await source->close();   // makes room for another monitor
            } catch (const system_error&) { // which comes all the same, a little later
            }
        }
        co_await redis_->stop();
        if (error)
            std::rethrow_exception(error);
    }

    asio::awaitable<void> watch_all()
    {
        co_await redis_->connect();
        service_.watch(*redis_);
        sources_ = make_sources();
        using loop = decltype(asio::co_spawn(io_, watch(*sources_.front()), asio::deferred));
        std::vector<loop> loops;
        for (const auto& source : sources_)
            loops.push_back(asio::co_spawn(io_, watch(*source), asio::deferred));
        service_.ready("watching " + std::to_string(queues_->size()) + " queues");
        auto group = asio::experimental::make_parallel_group(std::move(loops));
        const asio::experimental::wait_for_one first;
        const auto ends = co_await group.async_wait(first, asio::use_awaitable);
        const auto& [order, errors] = ends;
        if (errors[order.front()])
            std::rethrow_exception(errors[order.front()]);
    }

    /// One for each list queue. Managed queues have one monitor for all those of a prefix.
    std::vector<std::unique_ptr<job_source>> make_sources()
    {
        std::vector<std::unique_ptr<job_source>> sources;
        bool has_managed = false;
        for (const auto& queue : *queues_) {
            if (!queue.managed) {
                raw_list_queue list{*redis_, queue.name};
                sources.push_back(list.make_source());
            } else if (!std::exchange(has_managed, true)) {
                managed_queue managed{*redis_, queue.name, here_->server.managed()};
                sources.push_back(managed.make_source());
            }
        }
        return sources;
    }

    asio::awaitable<void> watch(job_source& source)
    {
        asio::steady_timer timer{io_};
        for (;;) {
            std::optional<system_error> error;
            try {
                const auto pause = co_await look(source);
                timer.expires_after(pause);
            } catch (const system_error& caught) {
                error = caught;
            }
            if (error)
                timer.expires_after(pause_after(*error, source));
            co_await timer.async_wait(asio::use_awaitable);
        }
    }

    /// One round. Returns when there should be another.
    asio::awaitable<std::chrono::milliseconds> look(job_source& source)
    {
        const auto found = co_await source.recover(lease_, grace_);
        if (found.recovered != 0) {
            recovered_ += found.recovered;
            log_.observe()({.kind = event_kind::recovered,
                            .queue = source.name(),
                            .message = found.reason,
                            .count = found.recovered});
        }
        if (!found.idle)
            co_return found.pause;
        co_await source.wait_for_leases();
        co_return 0ms;
    }

    std::chrono::milliseconds pause_after(const system_error& error, const job_source& source) const
    {
        constexpr auto after_refusal = 500ms;
        if (error.code() == asio::error::operation_aborted || error.code() == errc::stopped)
            throw error;
        if (error.code() == errc::unanswered)
            return 0ms; // the next call waits for the connection
        log_.observe()({.kind = event_kind::warning, .queue = source.name(), .message = error.what()});
        return after_refusal;
    }

    const std::vector<queue_name>* queues_;
    std::chrono::milliseconds lease_, grace_;
    const surroundings* here_;
    asio::io_context io_{1};
    service_log log_;
    notifier service_;
    std::unique_ptr<session> redis_;
    std::vector<std::unique_ptr<job_source>> sources_;
    std::uint64_t recovered_ = 0;
};

exit_code monitor(const monitor_arguments& given, surroundings& here)
{
    const auto lease = parse_duration(given.lease);
    if (!lease || *lease < 100ms)
        throw failure{exit_code::usage,
                      "--lease '" + escaped(given.lease) + "' is no time of 100ms or more, such as 2m"};
    const auto grace = parse_duration(given.worker_grace);
    if (!grace)
        throw failure{exit_code::usage,
                      "--worker-grace '" + escaped(given.worker_grace) + "' is no time, such as 5s"};
    const auto queues = parse_queue_names(given.queues);
    const auto recovered = queue_monitor{queues, *lease, *grace, given.log, here}.run();
    here.out.line(std::to_string(recovered) + (recovered == 1 ? " job was" : " jobs were") + " returned");
    return exit_code::done;
}

} // namespace

void add_monitor(command_line& line)
{
    const auto given = std::make_shared<monitor_arguments>();
    auto& command = line.add(
        "monitor",
        "Return jobs to their queues whose worker is gone, or whose lease has ended, and run none. Workers "
        "do "
        "so themselves; this is for queues whose workers are all gone, or are other libraries'. It tells of "
        "all it returns. SIGTERM or SIGINT ends it.",
        "  coworker monitor mail\n"
        "  coworker monitor mail managed:mail --lease 10m",
        [given](surroundings& here) { return monitor(*given, here); });
    command.add_option("QUEUE", given->queues, "NAME, or managed:NAME, which means all managed queues")
        ->required();
    command
        .add_option(
            "--lease", given->lease,
            "How long a job may be with a worker of which nothing is heard: what the workers of the list "
            "queues say, or more. Locks of managed queues have ends of their own")
        ->type_name("TIME")
        ->capture_default_str();
    command
        .add_option("--worker-grace", given->worker_grace,
                    "How long a worker may be without a connection until its jobs are returned; 0s: until "
                    "their leases "
                    "end. The same as for the workers")
        ->type_name("TIME")
        ->capture_default_str();
    add_log_options(command, given->log);
}

} // namespace coworker::cli
