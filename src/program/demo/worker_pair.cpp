#include "program/demo/worker_pair.hpp"

#include "program/demo/worker_process.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <stdexcept>

namespace coworker::demo {
namespace {

using namespace std::chrono_literals;

constexpr auto time_to_stop = 10s;
constexpr auto between_looks = 20ms;

} // namespace

void worker_pair::start(const std::string& redis_url, const std::string& queue)
{
    unsigned number = 0;
    for (auto& process : processes_) {
        const std::vector<std::string> command{cli::own_program(), worker_word, redis_url, queue,
                                               std::to_string(++number)};
        process = cli::child_process{command};
    }
}

void worker_pair::kill(unsigned number)
{
    processes_.at(number - 1).kill();
    killed_ = number;
}

void worker_pair::check()
{
    unsigned number = 0;
    for (auto& process : processes_)
        if (++number != killed_ && !process.is_running())
            throw std::runtime_error{"worker " + std::to_string(number) + " has " + process.ending()};
}

asio::awaitable<bool> worker_pair::stop()
{
    asio::steady_timer timer{co_await asio::this_coro::executor};
    const auto until = std::chrono::steady_clock::now() + time_to_stop;
    for (auto& process : processes_)
        process.signal(SIGTERM);
    bool good = true;
    unsigned number = 0;
    for (auto& process : processes_) {
        while (process.is_running() && std::chrono::steady_clock::now() < until) {
            timer.expires_after(between_looks);
            co_await timer.async_wait(asio::use_awaitable);
        }
        if (++number != killed_)
            good = good && !process.is_running() && process.wait();
    }
    co_return good;
}

void worker_pair::kill_all() noexcept
{
    for (auto& process : processes_)
        process.kill();
}

} // namespace coworker::demo
