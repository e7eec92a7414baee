// SPDX-License-Identifier: MIT

// Middleware: code around every handler and every push. Here it logs runs, and carries a trace from a request over HTTP
// to the handlers of the jobs that the request pushed.
//
//   18_middleware [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <chrono>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace asio = boost::asio;

struct letter
{
    std::string to;
};
BOOST_DESCRIBE_STRUCT(letter, (), (to))

// --- tracing, of which coworker knows nothing: with OpenTelemetry, its tracer and its spans stand here ---

/// A step of a trace: what was done, and as a part of what.
struct span
{
    std::string name;
    coworker::trace_context context;
    std::string parent; ///< the id of the span that it is a part of
    std::string status = "ok";
};

/// Collects spans, and prints them as a tree.
class tracer
{
public:
    /// Begins a span: a part of `parent`, or the first one of a new trace.
    static span begin(std::string name, const std::optional<coworker::trace_context>& parent)
    {
        if (!parent)
            return {std::move(name), coworker::trace_context::make(), ""};
        return {std::move(name), parent->child(), std::string{parent->span_id()}};
    }

    void end(span ended) { spans_[ended.parent].push_back(std::move(ended)); }

    void print(const std::string& below, int depth = 0) const
    {
        const auto children = spans_.find(below);
        if (children == spans_.end())
            return;
        for (const auto& each : children->second) {
            std::cout << std::string(2 * static_cast<std::size_t>(depth), ' ') << each.name << ": "
                      << each.status << '\n';
            print(std::string{each.context.span_id()}, depth + 1);
        }
    }

private:
    std::map<std::string, std::vector<span>> spans_;
};

// --- middleware: the same for all queues and handlers ---

/// Logs how each run ended, and how long it took.
asio::awaitable<coworker::outcome> log_run(coworker::job_context& context, coworker::next_handler next)
{
    const auto begin = std::chrono::steady_clock::now();
    auto result = co_await next();
    const auto took =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
    const bool done = result.what() == coworker::outcome::kind::success;
    std::cout << context.kind() << ", attempt " << context.attempt() << ": "
              << (done ? "done" : "not done: " + result.reason()) << " after " << took.count() << " us\n";
    co_return result;
}

/// Makes a span of each run. Handlers find it in their context, and begin their own spans below it.
coworker::middleware trace_runs(tracer& spans)
{
    return [&spans](coworker::job_context& context,
                    coworker::next_handler next) -> asio::awaitable<coworker::outcome> {
        auto run = tracer::begin("run " + std::string{context.kind()}, context.trace());
        context.set_trace(run.context);
        std::exception_ptr error;
        coworker::outcome result;
        try {
            result = co_await next();
            if (result.what() != coworker::outcome::kind::success)
                run.status = result.reason();
        } catch (const std::exception& thrown) {
            run.status = thrown.what();
            error = std::current_exception();
        }
        spans.end(std::move(run));
        if (error)
            std::rethrow_exception(error); // the worker decides what it means
        co_return result;
    };
}

// --- the program ---

/// What answers a request over HTTP: its header `traceparent` says whose work this is a part of.
asio::awaitable<void> sign_up(coworker::managed_queue mail, tracer& spans, std::string traceparent)
{
    auto request = tracer::begin("POST /signup", coworker::trace_context::parse(traceparent));
    // All that is pushed with this handle carries the trace.
    const auto traced = mail.with(coworker::carry_trace(request.context));
    const letter welcome{"ada@example.com"};
    co_await traced.async_push("Welcome", welcome);
    spans.end(std::move(request));
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue mail{redis, "mail"};
    tracer spans;
    co_await sign_up(mail, spans, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");

    // The first middleware is the outermost: it sees what all others make of a job.
    coworker::worker_options options;
    options.middleware = {log_run, trace_runs(spans)};
    coworker::worker worker{redis, options};

    coworker::handlers_by_kind handlers;
    handlers.on<letter>(
        "Welcome", [&](letter job, coworker::job_context& context) -> asio::awaitable<coworker::outcome> {
            if (context.attempt() == 1)
                co_return coworker::retry("mail server is busy", std::chrono::milliseconds{0});
            auto smtp = tracer::begin("smtp", context.trace());
            spans.end(std::move(smtp));
            // What a handler pushes belongs to the same trace.
            co_await mail.with(coworker::carry_trace(*context.trace())).async_push("Count", job);
            co_return coworker::success();
        });
    handlers.on<letter>("Count", [&](letter) { worker.stop(); });
    worker.handle(mail, std::move(handlers));
    co_await worker.async_run();

    std::cout << "a part of 4bf92f3577b34da6a3ce929d0e0e4736:\n";
    spans.print("00f067aa0ba902b7");
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
