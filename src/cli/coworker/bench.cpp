#include "coworker/bench_queue.hpp"
#include "coworker/command_line.hpp"
#include "coworker/interruptible.hpp"
#include "coworker/json_line.hpp"
#include "coworker/table.hpp"
#include "coworker/time_text.hpp"

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <cstdio>
#include <random>

/// coworker bench
namespace coworker::cli {
namespace {

struct bench_arguments
{
    bool managed = false;
    std::uint64_t jobs = 0; ///< 0: not given
    std::size_t payload = 100;
    std::size_t concurrency = 100;
};

struct figures
{
    double pushed = 0, worked = 0; ///< jobs a second
    std::vector<double> waits{};   ///< from push to handler, in seconds; sorted
};

std::string random_name()
{
    std::random_device random;
    char name[48];
    std::snprintf(name, sizeof name, "coworker-bench-%08x%08x", random(), random());
    return name;
}

double at(const std::vector<double>& sorted, double part)
{
    if (sorted.empty())
        return 0;
    const auto last = static_cast<double>(sorted.size() - 1);
    return sorted[static_cast<std::size_t>(part * last)];
}

std::string as_rate(double rate)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.0f", rate);
    return text;
}

void show(surroundings& here, const figures& found)
{
    const double median = at(found.waits, 0.5), slow = at(found.waits, 0.99);
    if (here.json) {
        json_line line;
        line.number("pushed_per_second", found.pushed).number("worked_per_second", found.worked);
        line.number("latency_median_seconds", median).number("latency_99_seconds", slow);
        here.out.line(line.str());
        return;
    }
    table rows{{{"MEASURED"}, {"RESULT", true}, {"UNIT"}}};
    rows.add({"queued, thousands in a call", as_rate(found.pushed), "jobs/s"});
    rows.add({"worked on by handlers that do nothing", as_rate(found.worked), "jobs/s"});
    rows.add({"from push to handler, median", format_span(std::chrono::duration<double>{median}), ""});
    rows.add({"from push to handler, slowest of 100", format_span(std::chrono::duration<double>{slow}), ""});
    rows.write(here.out);
}

/// The measurements, one after the other.
class bench
{
public:
    bench(const bench_arguments& given, surroundings& here) : here_{&here}
    {
        const auto jobs = given.managed ? 10'000 : 200'000;
        plan_ = {given.managed, random_name(), given.jobs != 0 ? given.jobs : jobs, given.payload,
                 given.concurrency};
    }

    /// Returns false if it was interrupted.
    bool run(figures& found)
    {
        redis_ = connect("coworker-bench");
        worker_redis_ = connect("coworker-bench-worker");
        try {
            return run_interruptibly(io_, [this, &found] { return measure(found); });
        } catch (const system_error& error) {
            throw explain(error, here_->server);
        }
    }

private:
    std::unique_ptr<session> connect(const std::string& name)
    {
        return make_session(io_.get_executor(), here_->server, name,
                            [](session_options& options) { options.tracking = true; });
    }

    void announce()
    {
        if (here_->json)
            return;
        here_->out.line(std::to_string(plan_.jobs) + " jobs of " + std::to_string(plan_.payload) +
                        " bytes in a " + (plan_.managed ? "managed" : "list") + " queue of its own, '" +
                        plan_.name + "', which is removed afterwards");
        here_->out.flush();
    }

    asio::awaitable<void> measure(figures& found)
    {
        std::exception_ptr error;
        try {
            co_await redis_->connect();
            co_await worker_redis_->connect();
            announce();
            bench_queue queue{*redis_, *worker_redis_, plan_};
            found.pushed = co_await queue.push();
            found.worked = co_await queue.work();
            found.waits = co_await queue.wait();
            std::sort(found.waits.begin(), found.waits.end());
        } catch (...) {
            error = std::current_exception();
        }
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        try {
            co_await remove_all(*redis_, plan_);
        } catch (...) {
            if (!error)
                error = std::current_exception();
        }
        co_await worker_redis_->stop();
        co_await redis_->stop();
        if (error)
            std::rethrow_exception(error);
    }

    surroundings* here_;
    bench_plan plan_;
    asio::io_context io_{1};
    std::unique_ptr<session> redis_, worker_redis_;
};

exit_code measure(const bench_arguments& given, surroundings& here)
{
    bench all{given, here};
    figures found;
    if (!all.run(found)) {
        complain("coworker: interrupted; the queue was removed");
        return exit_code::failed;
    }
    show(here, found);
    return exit_code::done;
}

} // namespace

void add_bench(command_line& line)
{
    const auto given = std::make_shared<bench_arguments>();
    auto& command = line.add_with_json("bench",
                                       "Measure how fast jobs come and go between this machine and a Redis, "
                                       "for some seconds. It has a queue of its "
                                       "own with a random name, and removes it; other queues are left alone, "
                                       "but everything on that server is "
                                       "slower meanwhile.",
                                       "  coworker bench\n"
                                       "  coworker bench --managed --jobs 50000\n"
                                       "  coworker bench --redis embedded --json",
                                       [given](surroundings& here) { return measure(*given, here); });
    command.add_flag("--managed", given->managed, "A managed queue in place of a list queue");
    command.add_option("--jobs", given->jobs, "How many jobs. Default: 200000, or 10000 with --managed")
        ->type_name("NUMBER")
        ->check(CLI::Range(1, 10'000'000));
    command.add_option("--payload", given->payload, "The size of a job's JSON, in bytes")
        ->type_name("BYTES")
        ->check(CLI::Range(2, 1'000'000))
        ->capture_default_str();
    command.add_option("--concurrency", given->concurrency, "How many jobs the worker runs at the same time")
        ->type_name("NUMBER")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
}

} // namespace coworker::cli
