// SPDX-License-Identifier: MIT

// Many jobs in one handler: rows are written to a table 100 at a time, as a database wants it. The table is a file here, and
// one transaction is one write and one fsync. Rows that are wrong fail, the others are not held up by them; and a row that
// was written before, by a worker that died, is not written again.
//
//   29_bulk_insert [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <cstdio>
#include <iostream>
#include <set>
#include <span>
#include <string>
#include <unistd.h>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct measurement
{
    std::string sensor;
    double celsius = 0;
};
BOOST_DESCRIBE_STRUCT(measurement, (), (sensor, celsius))

/// A table in a file, with the id of a job as its key.
class table
{
public:
    /// Stores rows in one transaction. Those whose key is there already are left as they are.
    void insert(const std::vector<std::pair<std::string, measurement>>& rows)
    {
        std::string lines;
        for (const auto& [key, row] : rows)
            if (keys_.insert(key).second)
                lines += key + ' ' + row.sensor + ' ' + std::to_string(row.celsius) + '\n';
        std::fwrite(lines.data(), 1, lines.size(), file_);
        std::fflush(file_);
        ::fsync(::fileno(file_)); // what takes long, however many rows there are
        ++transactions;
    }

    std::size_t size() const { return keys_.size(); }

    int transactions = 0;

private:
    std::FILE* file_ = std::tmpfile();
    std::set<std::string> keys_;
};

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, url};
    coworker::list_queue<measurement> measurements{redis, "measurements"};
    std::vector<measurement> jobs;
    for (int i = 0; i != 1'000; ++i)
        jobs.push_back({"sensor-" + std::to_string(i % 7), i == 500 ? -300.0 : 20.0});
    co_await measurements.async_push_many(jobs);

    table stored;
    std::size_t failed = 0;
    coworker::worker_options how;
    how.concurrency = 200; // twice the size of a run: one gathers while another one is written
    coworker::worker worker{redis, how};
    const auto insert = [&](std::span<coworker::held_job<measurement>> all) {
        std::vector<std::pair<std::string, measurement>> rows;
        std::vector<coworker::outcome> outcomes;
        for (auto& each : all) {
            if (each.job.celsius < -273.15) {
                outcomes.push_back(coworker::failure("colder than it can be"));
                ++failed;
            } else {
                rows.emplace_back(each.context().id(), std::move(each.job));
                outcomes.push_back(coworker::success());
            }
        }
        stored.insert(rows); // if this threw, all of them would run again
        if (stored.size() + failed == 1'000)
            worker.stop();
        return outcomes;
    };
    worker.handle_many(measurements, insert, {.up_to = 100, .wait = 50ms});
    co_await worker.async_run();
    std::cout << stored.size() << " rows were stored and " << failed << " refused, in "
              << (stored.transactions < 100 ? "a few" : "too many") << " transactions\n";
    std::cerr << stored.transactions << " transactions\n";
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
