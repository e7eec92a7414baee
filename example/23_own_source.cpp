// SPDX-License-Identifier: MIT

// A source of jobs of your own: a folder. Whoever can write a file queues a job, and any number of workers share the
// folder, on one machine or over a file system that knows `rename`. Nothing is lost when a worker is killed.
//
//   FOLDER/waiting/   jobs, one file each; write it elsewhere and move it here
//   FOLDER/running/   jobs that are leased; the time of the file says since when
//   FOLDER/failed/    jobs that were given up, each with a file that says why
//
//   23_own_source FOLDER [LEASE_MS]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <regex>
#include <sstream>

namespace asio = boost::asio;
namespace files = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

/// What the name of a job's file tells: `ID.ATTEMPT.DUE.json`, or `ID.json` as others write it.
struct job_file
{
    std::string id;
    unsigned attempt = 1;
    std::int64_t due = 0; ///< milliseconds; the earliest job runs first

    std::string name() const
    {
        return id + '.' + std::to_string(attempt) + '.' + std::to_string(due) + ".json";
    }
};

std::int64_t to_number(files::file_time_type time)
{
    return std::chrono::duration_cast<milliseconds>(std::chrono::file_clock::to_sys(time).time_since_epoch())
        .count();
}

std::int64_t now()
{
    return to_number(files::file_time_type::clock::now());
}

job_file read_name(const std::string& stem, std::int64_t written)
{
    static const std::regex form{R"((.+)\.(\d{1,9})\.(\d{1,18}))"};
    std::smatch part;
    if (!std::regex_match(stem, part, form))
        return {stem, 1, written};
    return {part[1], static_cast<unsigned>(std::stoul(part[2])), std::stoll(part[3])};
}

class folder_source final : public coworker::job_source
{
public:
    explicit folder_source(const files::path& folder)
        : name_{folder.string()}, waiting_{folder / "waiting"}, running_{folder / "running"},
          failed_{folder / "failed"}, worker_{std::to_string(std::random_device{}())}
    {}

    const std::string& name() const noexcept override { return name_; }

    asio::awaitable<void> open() override
    {
        for (const auto& each : {waiting_, running_, failed_})
            files::create_directories(each);
        co_return;
    }

    milliseconds lease_time(milliseconds asked) noexcept override { return lease_ = asked; }

    asio::awaitable<fetch_result> ack_and_fetch(std::span<const coworker::acknowledgement> acks,
                                                std::size_t count) override
    {
        fetch_result result;
        for (std::size_t i = 0; i != acks.size(); ++i)
            if (!settle(*acks[i].job, *acks[i].result))
                result.lost.push_back(i);
        auto found = list_waiting();
        std::sort(found.begin(), found.end(),
                  [](const auto& one, const auto& other) { return one.second.due < other.second.due; });
        for (const auto& [path, job] : found) {
            if (result.fetched.size() == count || job.due > now())
                break;
            if (auto taken = take(path, job))
                result.fetched.push_back(std::move(*taken));
        }
        co_return result;
    }

    /// A lease that is renewed begins anew: the file is touched. One that is not there any more has been taken away.
    asio::awaitable<std::vector<std::size_t>> renew(std::span<coworker::fetched_job* const> jobs) override
    {
        std::vector<std::size_t> lost;
        for (std::size_t i = 0; i != jobs.size(); ++i)
            if (!touch(running_ / *jobs[i]->lease))
                lost.push_back(i);
        co_return lost;
    }

    /// The monitor of every worker does this; `rename` lets one of them have the job.
    asio::awaitable<recovery> recover(milliseconds lease, milliseconds) override
    {
        recovery result{0, "their leases had ended", true, lease / 4};
        for (const auto& each : files::directory_iterator{running_}) {
            result.idle = false;
            std::error_code gone;
            const auto leased = to_number(files::last_write_time(each.path(), gone));
            if (gone || now() - leased <= lease.count())
                continue;
            auto job = job_of(each.path().filename().string());
            ++job.attempt;
            result.recovered += move(each.path(), waiting_ / job.name()) ? 1 : 0;
        }
        co_return result;
    }

    /// No call of this source is ever in doubt, so the worker knows all of its jobs.
    asio::awaitable<void> reconcile(std::span<const coworker::fetched_job* const>) override { co_return; }

    asio::awaitable<wake_up> wait_for_jobs() override
    {
        for (;;) {
            for (const auto& [path, job] : list_waiting())
                if (job.due <= now())
                    co_return wake_up::ready;
            co_await pass(50ms); // a program would have inotify tell it
        }
    }

    asio::awaitable<void> wait_for_leases() override
    {
        while (files::is_empty(running_))
            co_await pass(lease_ / 4);
    }

    asio::awaitable<void> close() override { co_return; }

private:
    using found_job = std::pair<files::path, job_file>;

    static asio::awaitable<void> pass(milliseconds time)
    {
        asio::steady_timer timer{co_await asio::this_coro::executor, time};
        co_await timer.async_wait(asio::use_awaitable); // obeys a cancellation
    }

    static bool move(const files::path& from, const files::path& to)
    {
        std::error_code gone;
        files::rename(from, to, gone);
        return !gone;
    }

    static bool touch(const files::path& file)
    {
        std::error_code gone;
        files::last_write_time(file, files::file_time_type::clock::now(), gone);
        return !gone;
    }

    std::vector<found_job> list_waiting() const
    {
        std::vector<found_job> found;
        for (const auto& each : files::directory_iterator{waiting_}) {
            std::error_code gone;
            const auto written = files::last_write_time(each.path(), gone);
            if (!gone && each.path().extension() == ".json")
                found.emplace_back(each.path(), read_name(each.path().stem().string(), to_number(written)));
        }
        return found;
    }

    /// The name of the file while the job runs is the fencing token: nobody else has ever used it.
    std::optional<coworker::fetched_job> take(const files::path& from, const job_file& job)
    {
        const auto token = job.name() + '@' + worker_ + '-' + std::to_string(++taken_);
        const auto file = running_ / token;
        if (!touch(from) || !move(from, file)) // touched first: its lease begins before others can see it
            return std::nullopt;               // another worker was faster
        std::ostringstream text;
        text << std::ifstream{file, std::ios::binary}.rdbuf();
        coworker::fetched_job taken;
        taken.body = job.id + std::move(text).str();
        taken.id_range = {0, job.id.size()};
        taken.text_range = {job.id.size(), taken.body.size() - job.id.size()};
        taken.lease = std::make_shared<const std::string>(token);
        taken.attempt = job.attempt;
        return taken;
    }

    static job_file job_of(const std::string& token)
    {
        return read_name(files::path{token.substr(0, token.rfind('@'))}.stem().string(), 0);
    }

    /// False if the job is not leased with this token any more. Each of these ways ends in one step.
    bool settle(const coworker::fetched_job& job, const coworker::outcome& result)
    {
        using enum coworker::outcome::kind;
        const auto file = running_ / *job.lease;
        auto next = job_of(*job.lease);
        switch (result.what()) {
        case success: {
            std::error_code error;
            return files::remove(file, error);
        }
        case release: // in front, since it is due as early as before
            return move(file, waiting_ / next.name());
        case retry:
            ++next.attempt;
            next.due = now() + result.delay().value_or(0ms).count();
            return move(file, waiting_ / next.name());
        default:
            std::ofstream{failed_ / (job.lease->substr(0, job.lease->rfind('@')) + ".why")} << result.reason()
                                                                                            << '\n';
            return move(file, failed_ / next.name());
        }
    }

    std::string name_;
    files::path waiting_, running_, failed_;
    std::string worker_;
    milliseconds lease_{0};
    std::uint64_t taken_ = 0;
};

struct letter
{
    std::string to;
};
BOOST_DESCRIBE_STRUCT(letter, (), (to))

asio::awaitable<void> run(std::string folder, milliseconds lease)
{
    const auto executor = co_await asio::this_coro::executor;
    coworker::worker worker{executor};
    worker.handle_source<letter>(std::make_unique<folder_source>(folder),
                                 [](const letter& what, coworker::job_context& context) {
                                     if (what.to == "nobody")
                                         return coworker::failure("there is no such person");
                                     if (what.to == "Bob" && context.attempt() == 1)
                                         return coworker::retry("Bob is out", 100ms);
                                     std::cout << "to " << what.to << ", attempt " << context.attempt()
                                               << std::endl;
                                     return coworker::success();
                                 },
                                 {.lease = lease});
    asio::signal_set signals{executor, SIGINT, SIGTERM};
    signals.async_wait([&](boost::system::error_code error, int) {
        if (!error)
            worker.stop();
    });
    co_await worker.async_run();
}

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::cerr << "usage: 23_own_source FOLDER [LEASE_MS]\n";
        return 2;
    }
    asio::io_context io;
    const milliseconds lease{argc > 2 ? std::atol(argv[2]) : 10'000};
    auto end = asio::co_spawn(io, run(argv[1], lease), asio::use_future);
    io.run();
    end.get();
}
