// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/interruptible.hpp"
#include "program/queue_name.hpp"
#include "program/service/log_format.hpp"
#include "program/service/metrics_server.hpp"
#include "program/service/notifier.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"

#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>
#include <coworker/metrics.hpp>
#include <coworker/monitor.hpp>

#include <optional>
#include <utility>

/// coworker monitor
namespace coworker::program {
namespace {

using namespace std::chrono_literals;

struct monitor_arguments
{
    std::vector<std::string> queues{};
    std::string lease = "2m";
    std::string worker_grace = "1500ms";
    std::string metrics{}; ///< empty: not given
    log_settings log{};
};

/// Returns jobs to their queues whose worker is gone, or whose lease has ended.
class queue_monitor
{
public:
    queue_monitor(const std::vector<queue_ref>& queues, std::chrono::milliseconds lease,
                  std::chrono::milliseconds grace, const log_settings& log, const surroundings& here)
        : queues_{&queues}, lease_{lease}, grace_{grace}, here_{&here}, log_{log}, service_{
                                                                                       io_.get_executor(),
                                                                                       here.service}
    {}

    /// Serves metrics from now on.
    void serve_metrics(const listen_place& place)
    {
        page_.emplace(io_.get_executor(), place,
                      [this] { return metrics_.prometheus() + metrics_of_process(); });
        log_.say(log_level::info, "metrics: " + page_->url());
    }

    /// Until a signal comes. Returns how many jobs were returned.
    std::uint64_t run()
    {
        redis_ =
            make_client(io_.get_executor(), here_->server, "coworker-monitor", [&](client_options& options) {
                options.tracking = true; // sleeps while nothing is in progress
                options.on_event = service_.listen(log_.observe());
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
        return close_behind(*redis_, watch(), [this] {
            service_.stopping();
            page_.reset();
            service_.stop();
        });
    }

    asio::awaitable<void> watch()
    {
        co_await redis_->async_connect();
        service_.watch(*redis_);
        monitor watching{*redis_, options()};
        watch_queues(watching);
        service_.ready("watching " + counted(queues_->size(), "queue"));
        co_await watching.async_run();
    }

    monitor_options options()
    {
        monitor_options result{.lease = lease_, .worker_grace = grace_};
        result.observers = {log_.observe(*queues_), metrics_.observe(), [this](const event& what) {
                                if (what.kind == event_kind::recovered)
                                    recovered_ += what.count;
                            }};
        return result;
    }

    /// Managed queues have one monitor for all those of a prefix.
    void watch_queues(monitor& watching)
    {
        bool has_managed = false;
        for (const auto& queue : *queues_) {
            if (!queue.is_managed()) {
                raw_list_queue list{*redis_, queue.name()};
                watching.watch(list);
            } else if (!std::exchange(has_managed, true)) {
                managed_queue managed{*redis_, queue.name(), here_->server.managed()};
                watching.watch(managed);
            }
        }
    }

    const std::vector<queue_ref>* queues_;
    std::chrono::milliseconds lease_, grace_;
    const surroundings* here_;
    asio::io_context io_{1};
    service_log log_;
    notifier service_;
    worker_metrics metrics_;
    std::optional<metrics_server> page_;
    std::unique_ptr<client> redis_;
    std::uint64_t recovered_ = 0;
};

exit_code run_monitor(const monitor_arguments& given, surroundings& here)
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
    std::optional<listen_place> metrics;
    if (!given.metrics.empty())
        metrics = read_listen_place("--metrics", given.metrics);
    queue_monitor watching{queues, *lease, *grace, given.log, here};
    if (metrics)
        watching.serve_metrics(*metrics);
    const auto recovered = watching.run();
    here.out.line(counted(recovered, "job") + (recovered == 1 ? " was" : " were") + " returned");
    return exit_code::done;
}

} // namespace

void add_monitor(command_line& line)
{
    const auto given = std::make_shared<monitor_arguments>();
    auto command = line.add(
        "monitor",
        "Return jobs to their queues whose worker is gone, or whose lease has ended, and run none. Workers "
        "do "
        "so themselves; this is for queues whose workers are all gone, or are other libraries'. It tells of "
        "all it returns. SIGTERM or SIGINT ends it.",
        "  coworker monitor mail\n"
        "  coworker monitor mail managed:mail --lease 10m",
        [given](surroundings& here) { return run_monitor(*given, here); });
    command.add_option("QUEUE", given->queues, "NAME, or managed:NAME, which means all managed queues")
        .required();
    command
        .add_option("--lease", given->lease,
                    "Lease duration: how long a job of a list queue stays reserved without being renewed. "
                    "The same as "
                    "for its workers, or longer. Jobs of managed queues have leases of their own")
        .value_name("TIME")
        .with_default();
    command
        .add_option("--worker-grace", given->worker_grace,
                    "How long a worker may be without a connection until its jobs are returned; 0s: until "
                    "their leases "
                    "end. The same as for the workers")
        .value_name("TIME")
        .with_default();
    add_metrics_option(command, given->metrics);
    add_log_options(command, given->log);
}

} // namespace coworker::program
