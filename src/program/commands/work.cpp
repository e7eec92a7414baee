// SPDX-License-Identifier: MIT
#include "exec/command_runner.hpp"
#include "exec/program_file.hpp"
#include "program/command_line.hpp"
#include "program/commands/job_command.hpp"
#include "program/commands/job_line.hpp"
#include "program/commands/line_workers.hpp"
#include "program/commands/work_options.hpp"
#include "program/commands/worker_run.hpp"
#include "program/service/many_files.hpp"
#include "program/service/metrics_server.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"
#include "json/effect_maker.hpp"

#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>

/// coworker work
namespace coworker::program {
namespace {

/// Runs the command for one job of a queue.
class command_handler
{
public:
    command_handler(exec::command_runner& runner, std::string queue, const work_settings& settings)
        : runner_{&runner}, queue_{std::move(queue)}, settings_{&settings}
    {}

    asio::awaitable<outcome> operator()(raw_json job, job_context& context)
    {
        auto variables = job_variables(context, queue_);
        for (const auto& variable : variables)
            if (variable.find('\0') != variable.npos)
                co_return coworker::failure(
                    "its id, kind or batch has a zero byte, which no environment variable can hold",
                    ":not-started");
        exec::command_end end = co_await start(job, variables, context);
        // The job cannot help it, so no attempt is used up.
        while (is_shortage(end) && !context.cancelled()) {
            asio::steady_timer pause{co_await asio::this_coro::executor, std::chrono::seconds{1}};
            co_await pause.async_wait(asio::use_awaitable);
            end = co_await start(job, variables, context);
        }
        // Whatever it says then, it was told to end and may have done half of its work: the worker knows why.
        if (context.cancelled())
            throw system_error{asio::error::operation_aborted};
        co_return job_outcome(end, settings_->final_statuses);
    }

private:
    asio::awaitable<exec::command_end> start(const raw_json& job, const std::vector<std::string>& variables,
                                             job_context& context)
    {
        exec::command_end end;
        try {
            exec::command_input input;
            input.text = job.text;
            input.variables = variables;
            if (settings_->log.format == log_format::json)
                input.about = job_members(context, queue_);
            end = co_await runner_->run(std::move(input), context.cancellation_slot());
        } catch (const std::system_error& error) {
            end = {exec::command_end::kind::not_started, error.code().value(), error.what()};
        }
        co_return end;
    }

    /// Of descriptors, processes or memory on this machine.
    static bool is_shortage(const exec::command_end& end)
    {
        return end.how == exec::command_end::kind::not_started &&
               (end.number == EMFILE || end.number == ENFILE || end.number == EAGAIN || end.number == ENOMEM);
    }

    exec::command_runner* runner_;
    std::string queue_;
    const work_settings* settings_;
};

/// Hands each job of a queue to a process that stays.
class line_handler
{
public:
    line_handler(line_workers& workers, detail::effect_maker& effects, const queue_ref& queue,
                 bool checkpoints)
        : workers_{&workers}, effects_{&effects}, queue_{shown_name(queue)}, rules_{queue.is_managed(),
                                                                                    queue.is_managed() &&
                                                                                        checkpoints}
    {}

    asio::awaitable<outcome> operator()(raw_json job, job_context& context)
    {
        std::string checkpoint;
        job_signals signals;
        if (rules_.checkpoints) {
            if (auto stored = co_await context.async_checkpoint<raw_json>())
                checkpoint = std::move(stored->text);
            signals = co_await context.async_signals();
        }
        std::map<std::string, std::string> steps;
        if (rules_.is_managed)
            steps = co_await context.async_steps();
        auto line = job_line(job.text, context, queue_, checkpoint, steps, signals);
        auto answer = co_await workers_->run(std::move(line), context, rules_);
        if (answer.effects.empty())
            co_return std::move(answer.result);
        const auto problem = co_await hand_over(context, std::move(answer.effects));
        if (!problem.empty())
            co_return retry("the process' answer cannot be used: " + escaped(problem), std::nullopt,
                            ":no-answer");
        co_return std::move(answer.result);
    }

private:
    /// Returns what is wrong with them; then none is carried out, since the job is retried.
    asio::awaitable<std::string> hand_over(job_context& context,
                                           std::vector<detail::effect_submission> effects)
    {
        std::string problem;
        try {
            co_await effects_->add(context.effects(), std::move(effects));
        } catch (const detail::refusal& refused) {
            problem = refused.detail;
        }
        co_return problem;
    }

    line_workers* workers_;
    detail::effect_maker* effects_;
    std::string queue_;
    line_rules rules_;
};

/// What one process works with.
class command_worker
{
public:
    command_worker(const work_settings& settings, const surroundings& here)
        : settings_{&settings}, here_{&here}
    {}

    exit_code run()
    {
        // A command that uses coworker itself finds the same server.
        set_environment(here_->server);
        try {
            runner_.emplace(io_.get_executor(),
                            settings_->what); // its processes keep the limits they were given
            if (settings_->lines)
                line_workers_.emplace(*runner_, io_.get_executor(), *settings_);
            allow_many_files(); // each command that runs takes one, with --lines three
        } catch (const std::runtime_error& error) {
            throw failure{exit_code::failed, error.what()};
        }
        worker_run run;
        run.client_name = "coworker-work";
        run.options = settings_->worker;
        run.log = settings_->log;
        run.service = here_->service;
        run.metrics = settings_->metrics;
        for (const auto& queue : settings_->queues)
            run.queues.push_back(queue.name);
        run.prepare = [this](client& redis, worker& worker) { prepare(redis, worker); };
        run.hurry = [this] { runner_->be_short(); };
        run.watch = [this] { return watch(); };
        return run_worker(io_, here_->server, run);
    }

private:
    void prepare(client& redis, worker& worker)
    {
        lists_.emplace(redis);
        effects_.emplace(redis, here_->server.managed().prefix, *lists_);
        for (const auto& queue : settings_->queues) {
            auto how = settings_->how;
            how.weight = queue.weight;
            if (settings_->lines)
                handle(redis, worker, queue.name,
                       line_handler{*line_workers_, *effects_, queue.name, settings_->checkpoints}, how);
            else
                handle(redis, worker, queue.name,
                       command_handler{*runner_, shown_name(queue.name), *settings_}, how);
        }
    }

    template<class Handler>
    void handle(client& redis, worker& worker, const queue_ref& queue, Handler handler,
                const handle_options& how)
    {
        if (queue.is_managed()) {
            managed_queue managed{redis, queue.name(), here_->server.managed()};
            handlers_by_kind handlers;
            for (const auto& kind : settings_->kinds)
                handlers.on<raw_json>(kind.name, handler, {.versions = kind.versions});
            if (settings_->kinds.empty())
                handlers.otherwise<raw_json>(handler);
            worker.handle(managed, std::move(handlers), how);
        } else {
            raw_list_queue list{redis, queue.name()};
            worker.handle(list, handler, how);
        }
    }

    asio::awaitable<std::string> watch()
    {
        try {
            co_await runner_->wait_for_loss();
        } catch (const boost::system::system_error&) { // the worker has ended
            if (line_workers_)
                line_workers_->stop();
            throw;
        }
        co_return "the process that starts commands was killed; the jobs were released";
    }

    const work_settings* settings_;
    const surroundings* here_;
    asio::io_context io_{1};
    std::optional<exec::command_runner> runner_;
    std::optional<line_workers> line_workers_;
    std::optional<detail::known_list_queues> lists_; ///< to which jobs are pushed as effects
    std::optional<detail::effect_maker> effects_;
};

exit_code work(const work_arguments& given, surroundings& here)
{
    const auto settings = make_work_settings(given, here.words_behind);
    return command_worker{settings, here}.run();
}

void add_queues_option(command_options command, work_arguments& given)
{
    command
        .add_option("QUEUE", given.queues,
                    "NAME, or managed:NAME; with --order weighted also with a weight behind it: mail=3")
        .required();
    command
        .add_option(
            "--order", given.order,
            "Whose job is next: strict, a queue only when those before it are empty; round-robin, one of "
            "each in turn; weighted, by their weights")
        .value_name("ORDER")
        .one_of({"strict", "round-robin", "weighted"})
        .with_default();
    command
        .add_option(
            "--kind", given.kinds,
            "Take only jobs of this kind; may be repeated. With versions behind it: Mail=2,3. Managed "
            "queues only. Default: all kinds")
        .value_name("KIND");
}

void add_limits(command_options command, work_arguments& given)
{
    command
        .add_option("--concurrency", given.concurrency,
                    "How many commands run at the same time. Default: as "
                    "many as there are processors")
        .value_name("NUMBER")
        .between(1, 10'000);
    command
        .add_option(
            "--lease", given.lease,
            "Lease duration: how long a job stays reserved without being renewed. The worker renews it, so "
            "commands may run for longer. List queues only: managed ones have a heartbeat in the database")
        .value_name("TIME")
        .with_default();
    command
        .add_option(
            "--worker-grace", given.worker_grace,
            "How long a worker may be without a connection until its jobs run elsewhere; 0s: until their "
            "leases end. The same for all workers of a queue")
        .value_name("TIME")
        .with_default();
    command
        .add_option("--timeout", given.timeout,
                    "A command that takes longer is ended, and its job runs again later, as after any "
                    "failure. Default: none")
        .value_name("TIME");
    command
        .add_option(
            "--grace", given.grace,
            "How long a command that is told to end (SIGTERM) may take until it is killed; a 20th of the "
            "lease at most")
        .value_name("TIME")
        .with_default();
    command
        .add_option("--shutdown-timeout", given.shutdown_timeout,
                    "How long commands may go on after the first signal. Default: until they end")
        .value_name("TIME");
}

void add_retries(command_options command, work_arguments& given)
{
    command
        .add_option("--retries", given.retries,
                    "How often a job whose command fails may run again. List queues only: each job of a "
                    "managed one has "
                    "its own number")
        .value_name("NUMBER")
        .between(0, 1'000'000)
        .with_default();
    command
        .add_option(
            "--max-crashes", given.max_crashes,
            "How many workers a job of a managed queue may take with it before it fails; 0: any number")
        .value_name("NUMBER")
        .between(0, 1'000'000)
        .with_default();
    command
        .add_option(
            "--backoff", given.backoff,
            "How long to wait before the first retry, doubled for each further one: such as 5s, or that and "
            "the longest wait, such as 5s..10m; 0s is at once. A random part of up to a half is left out")
        .value_name("TIMES")
        .with_default();
    command
        .add_option("--fail-on", given.final_statuses,
                    "Exit statuses, with commas between them, that fail a job at once, however many retries "
                    "remain. Default: 65 (EX_DATAERR)")
        .value_name("STATUS")
        .separated_by(',')
        .between(1, 255);
}

} // namespace

void add_work(command_line& line)
{
    const auto given = std::make_shared<work_arguments>();
    auto command = line.add(
        "work",
        "Run a command for each job of some queues: coworker work QUEUE... -- COMMAND [ARG...]\n"
        "The job's payload is the command's standard input. The environment says more: COWORKER_JOB_ID, "
        "COWORKER_QUEUE, COWORKER_ATTEMPT, COWORKER_QUEUED_AT; for managed queues also COWORKER_KIND, "
        "COWORKER_PRIORITY, COWORKER_RETRIES_LEFT and COWORKER_TAGS (a JSON array), and, if the job has "
        "them, "
        "COWORKER_METADATA (a JSON object), COWORKER_BATCH and COWORKER_PARENTS (a JSON array of ids). It "
        "runs "
        "in a new empty folder, "
        "which is removed afterwards; what it leaves running is killed.\n"
        "Exit status 0: the job is done. 65: it fails at once (--fail-on). Any other, a signal or the "
        "timeout: it runs again after a wait (--backoff), and fails when its retries are used up. The last "
        "line "
        "of standard error is the reason.\n"
        "SIGTERM or SIGINT: running commands may end; a second one kills them and gives their jobs back. "
        "SIGTSTP: takes no more jobs, and stays.",
        "  coworker work mail -- ./send-mail --from ada@example.com\n"
        "  coworker work urgent mail --concurrency 8 --timeout 5m -- ./send-mail\n"
        "  coworker work mail=3 reports=1 --order weighted -- sh -c 'jq -r .to | xargs notify'\n"
        "  coworker work managed:mail --backoff 10s..1h -- ./by-kind",
        [given](surroundings& here) { return work(*given, here); });
    add_queues_option(command, *given);
    add_limits(command, *given);
    add_retries(command, *given);
    command
        .add_option("--sandbox", given->sandboxes,
                    "The folder in which commands get their working directories. Default: $TMPDIR, else /tmp")
        .value_name("DIR");
    command.add_flag("--lines", given->lines,
                     "Keep the processes: each gets a line of JSON per job on standard input, and answers "
                     "with one on standard output, such as {\"id\":…,\"outcome\":\"success\"}");
    command.add_flag(
        "--checkpoints", given->checkpoints,
        "With --lines: let jobs of managed queues store checkpoints, and give each the one that an earlier "
        "attempt has stored, and the signals that have come. Costs two requests to Redis for each job");
    command
        .add_option(
            "--jobs-per-process", given->jobs_per_child,
            "With --lines: how many jobs a process gets before a new one takes its place; 0: any number")
        .value_name("NUMBER")
        .between(0, 1'000'000'000)
        .with_default();
    add_metrics_option(command, given->metrics);
    command.add_flag("--verbose", given->verbose,
                     "The same as --log-level debug: tell of every job that ended");
    add_log_options(command, given->log);
}

} // namespace coworker::program
