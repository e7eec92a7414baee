// SPDX-License-Identifier: MIT

// A pipeline of three queues. Each picture goes through all of them under one id; the album waits for its
// pictures.
//
//   8_pipeline [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>
#include <vector>

namespace asio = boost::asio;

struct picture
{
    std::string file;
    unsigned width = 0;
};
BOOST_DESCRIBE_STRUCT(picture, (), (file, width))

struct album
{
    std::string title;
};
BOOST_DESCRIBE_STRUCT(album, (), (title))

// Done here; it goes on in the queue "sign", with other data.
coworker::outcome scale(picture job)
{
    job.width = 640;
    return coworker::forward("sign", {.data = coworker::raw_json{coworker::encode(job).value()}});
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue scaling{redis, "scale"}, signing{redis, "sign"}, publishing{redis, "publish"};

    // First what is waited for: a job does not wait for others that do not exist.
    std::vector<std::string> pictures;
    for (const char* file : {"cat.jpg", "dog.jpg"}) {
        const picture job{file};
        pictures.push_back(co_await scaling.async_push("Picture", job));
    }
    const album pets{"Pets"};
    const std::string album_id = co_await publishing.async_push("Album", pets, {.depends = pictures});

    coworker::worker worker{redis, {.concurrency = 4, .order = coworker::queue_order::round_robin}};
    coworker::handlers_by_kind scalers, signers, publishers;
    scalers.on<picture>("Picture", scale);
    signers.on<picture>("Picture", [](picture job) {
        std::cout << job.file << " is " << job.width << " wide, signed\n";
        return coworker::forward("publish");
    });
    publishers.on<picture>("Picture", [](picture job) { std::cout << job.file << " is published\n"; });
    publishers.on<album>("Album", [&](album job) {
        std::cout << "album " << job.title << " is complete\n";
        worker.stop();
    });
    worker.handle(scaling, std::move(scalers));
    worker.handle(signing, std::move(signers));
    worker.handle(publishing, std::move(publishers));
    co_await worker.async_run();

    // Complete jobs stay for a week (the setting `jobs-history`), with all that happened to them.
    coworker::managed_client jobs{redis};
    const auto first = co_await jobs.async_get(pictures.front());
    for (const auto& step : first.value().history)
        std::cout << step.what << (step.queue.empty() ? "" : " into ") << step.queue << '\n';
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
