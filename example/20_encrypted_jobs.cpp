// SPDX-License-Identifier: MIT

// Jobs that are compressed and encrypted in Redis, and how a key is replaced while jobs wait.
//
//   20_encrypted_jobs [URL]
#include <coworker/coworker.hpp>
#include <coworker/sodium.hpp>
#include <coworker/zstd.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <cstdlib>
#include <iostream>
#include <string>

namespace asio = boost::asio;

struct report
{
    std::string patient;
    std::string text;
};
BOOST_DESCRIBE_STRUCT(report, (), (patient, text))

/// What all programs that share these queues have in common. The keys of a real program come from its secrets:
/// `head -c 32 /dev/urandom | base64` makes one.
coworker::payload_codecs codecs_with(const coworker::key_ring& keys)
{
    coworker::sodium_options seal;
    seal.context = "clinic"; // a job of another application is not accepted, even if it has the same keys
    // Compress first: what is encrypted cannot be compressed any more.
    return {coworker::zstd_codec(), coworker::sodium_codec(keys, seal)};
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue reports{redis, "reports"};

    // A program that does not encrypt yet; and one that does.
    const report plain{"Ada", "well"};
    co_await reports.async_push("Report", plain);
    const auto spring =
        codecs_with(coworker::key_ring{"2026-spring:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="});
    const report large{"Bob", "better " + std::string(100'000, '.')};
    const auto id = co_await reports.with(spring).async_push("Report", large);

    coworker::managed_client jobs{redis};
    const auto stored = (co_await jobs.async_get(id)).value().data;
    std::cout << "in Redis: " << stored.substr(0, 34) << "…, " << (stored.size() < 1000 ? "small" : "large")
              << '\n';

    // A new key: the first one writes, and all of them read. In a real program both are in KEYS:
    // export KEYS="2026-autumn:…,2026-spring:…"
    ::setenv("KEYS",
             "2026-autumn:ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA="
             ",2026-spring:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
             1);
    const auto autumn = codecs_with(coworker::key_ring::from_environment("KEYS"));
    const report last{"Cleo", "best"};
    co_await reports.with(autumn).async_push("Report", last);

    // A worker reads all of these: each job says what was done with it.
    coworker::handle_options options;
    options.middleware = {coworker::open_payloads(autumn)};
    coworker::worker worker{redis};
    coworker::handlers_by_kind handlers;
    handlers.on<report>("Report", [&](const report& job) {
        std::cout << job.patient << " is " << job.text.substr(0, job.text.find(' ')) << '\n';
        if (job.patient == "Cleo")
            worker.stop();
    });
    worker.handle(reports, std::move(handlers), options);
    co_await worker.async_run();
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
