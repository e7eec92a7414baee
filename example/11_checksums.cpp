// SPDX-License-Identifier: MIT

// Two programs in one: the first pushes a job for each file, the second, of which there may be many, computes
// checksums. scripts/demo starts two workers, kills one of them, and checks that nothing was lost; with --cluster in a
// Redis Cluster, one of whose nodes it kills as well.
//
//   11_checksums push URL < FILES             one path a line
//   11_checksums work URL RESULTS             until SIGTERM; appends to the file RESULTS:
//                                             TIME started PATH, TIME done SHA256  PATH, TIME failed PATH
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <openssl/evp.h>

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace asio = boost::asio;

struct file
{
    std::string path;
};
BOOST_DESCRIBE_STRUCT(file, (), (path))

/// The files are dealt out to these queues. In a Redis Cluster, what stands in the braces decides about the node.
const std::array<std::string, 3> queue_names{"{checksums-a}", "{checksums-b}", "{checksums-c}"};

// --- push ---------------------------------------------------------------------------

asio::awaitable<void> push(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    std::array<std::vector<file>, queue_names.size()> jobs;
    std::size_t pushed = 0;
    for (std::string path; std::getline(std::cin, path);)
        jobs[pushed++ % jobs.size()].push_back({path});
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        coworker::list_queue<file> files{redis, queue_names[i]};
        co_await files.async_push_many(jobs[i]); // thousands in a round trip
    }
    std::cout << pushed << " jobs are in Redis\n";
}

// --- work ---------------------------------------------------------------------------

/// Hexadecimal. Blocks meanwhile. Throws if the file cannot be read.
std::string sha256_of(const std::string& path)
{
    std::ifstream input{path, std::ios::binary};
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
    bool good = input.is_open() && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
    std::vector<char> bytes(64 * 1024);
    while (good && !input.eof()) {
        input.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        good = !input.bad() &&
               EVP_DigestUpdate(context.get(), bytes.data(), static_cast<std::size_t>(input.gcount())) == 1;
    }
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (!good || EVP_DigestFinal_ex(context.get(), digest, &size) != 1)
        throw std::runtime_error{"cannot be read"};
    std::string text;
    for (unsigned i = 0; i != size; ++i)
        for (const auto half : {digest[i] / 16, digest[i] % 16})
            text += "0123456789abcdef"[half];
    return text;
}

/// A file of lines. What was added stays, even if this process is killed at once.
class record
{
public:
    explicit record(const char* path) : file_{::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)}
    {
        if (file_ < 0)
            throw std::runtime_error{std::string{path} + " cannot be written"};
    }
    ~record() { ::close(file_); }
    record(const record&) = delete;
    record& operator=(const record&) = delete;

    void add(const std::string& text)
    {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        const auto line = std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(now).count()) +
                          ' ' + text + '\n';
        if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            throw std::runtime_error{"the results cannot be written"};
    }

private:
    int file_;
};

asio::awaitable<void> work(std::string url, const char* results_path)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::worker worker{redis, {.concurrency = 32}};
    record results{results_path};
    asio::thread_pool threads{1}; // hashing must not hold up the worker's own thread

    const auto hash = [&](file job) -> asio::awaitable<coworker::outcome> {
        results.add("started " + job.path);
        std::string digest;
        try {
            digest = co_await coworker::async_run_blocking(threads.get_executor(),
                                                           [&job] { return sha256_of(job.path); });
        } catch (const std::runtime_error& error) {
            results.add("failed " + job.path);
            co_return coworker::failure(job.path + ' ' + error.what()); // trying again would not help
        }
        // The result is stored before the job is acknowledged: a worker killed in between repeats the job.
        results.add("done " + digest + "  " + job.path);
        co_return coworker::success();
    };
    for (const auto& name : queue_names) {
        coworker::list_queue<file> files{redis, name};
        worker.handle(files, hash);
    }

    asio::signal_set signals{executor, SIGINT, SIGTERM};
    signals.async_wait([&](const boost::system::error_code& ec, int) {
        if (!ec)
            worker.stop();
    });
    co_await worker.async_run();
}

int main(int argc, char** argv)
{
    const std::string mode = argc > 2 ? argv[1] : "";
    if (!(mode == "push" && argc == 3) && !(mode == "work" && argc == 4)) {
        std::cerr << "usage: " << argv[0] << " push URL < FILES, or work URL RESULTS\n";
        return 2;
    }
    asio::io_context io;
    auto task = mode == "push" ? push(argv[2]) : work(argv[2], argv[3]);
    auto end = asio::co_spawn(io, std::move(task), asio::use_future);
    io.run();
    try {
        end.get();
    } catch (const std::exception& error) {
        std::cerr << "checksums: " << error.what() << '\n';
        return 1;
    }
}
