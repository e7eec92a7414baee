// SPDX-License-Identifier: MIT
#include "program/service/log_writer.hpp"

#include "work_test.hpp"

#include <boost/test/unit_test.hpp>

#include <future>
#include <memory>
#include <poll.h>

BOOST_AUTO_TEST_SUITE(log_writer)

using coworker::program::log_writer;

namespace {

/// A pipe with room for one page.
struct small_pipe
{
    int read_end = -1, write_end = -1;
    std::string seen{};

    small_pipe()
    {
        int ends[2];
        BOOST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
        read_end = ends[0];
        write_end = ends[1];
        BOOST_REQUIRE(::fcntl(write_end, F_SETPIPE_SZ, 4096) == 4096);
    }
    ~small_pipe()
    {
        ::close(read_end);
        ::close(write_end);
    }
    small_pipe(const small_pipe&) = delete;
    small_pipe& operator=(const small_pipe&) = delete;

    /// Reads up to the line that begins so; the lines before it are counted.
    std::pair<std::string, std::uint64_t> read_to(std::string_view beginning)
    {
        for (std::uint64_t before = 0;; ++before) {
            auto end = seen.find('\n');
            for (; end == seen.npos; end = seen.find('\n')) {
                char part[4096];
                const auto size = ::read(read_end, part, sizeof part);
                BOOST_REQUIRE(size > 0);
                seen.append(part, static_cast<std::size_t>(size));
            }
            const auto line = seen.substr(0, end);
            seen.erase(0, end + 1);
            if (line.starts_with(beginning))
                return {line, before};
        }
    }
};

std::string describe(std::uint64_t lines)
{
    return "dropped " + std::to_string(lines);
}

const std::string some_text(100, 'x');

} // namespace

BOOST_AUTO_TEST_CASE(nobody_waits_for_whoever_does_not_read)
{
    constexpr std::uint64_t many = 30'000; // three times what may wait
    small_pipe file;
    log_writer log{file.write_end, describe};
    for (std::uint64_t i = 0; i != many; ++i)
        log.add(some_text); // would wait for ever
    // When the writer has its turn decides whether it tells of one loss or of two.
    std::uint64_t dropped = 0, written = 0;
    while (dropped + written < many) {
        const auto line = file.read_to("").first;
        if (line.starts_with("dropped "))
            dropped += std::stoull(line.substr(8));
        else
            ++written;
    }
    BOOST_TEST(dropped > many / 4);
    BOOST_TEST(written > many / 4);
    BOOST_TEST(dropped + written == many);
    log.add("more");
    BOOST_TEST(file.read_to("more").second == 0);
}

BOOST_AUTO_TEST_CASE(lines_are_written_whole_and_in_order_before_it_ends)
{
    small_pipe file;
    auto log = std::make_unique<log_writer>(file.write_end, describe);
    std::string expected;
    for (int i = 0; i != 1000; ++i) {
        log->add(some_text + std::to_string(i));
        expected += some_text + std::to_string(i) + '\n';
    }
    log->add(std::string(10'000, 'y')); // more than a pipe takes at once
    auto ended = std::async(std::launch::async, [&log] { log.reset(); });
    const auto [last, before] = file.read_to("y");
    ended.get();
    BOOST_TEST(last.size() == 10'000);
    BOOST_TEST(before == 1000);
}

BOOST_AUTO_TEST_CASE(it_ends_although_nobody_reads)
{
    small_pipe file;
    auto log = std::make_unique<log_writer>(file.write_end, describe);
    for (int i = 0; i != 1000; ++i)
        log->add(some_text);
    log.reset(); // would wait for ever
    BOOST_TEST(file.read_to("x").second == 0);
    // The thread that is left behind writes the rest.
    for (int i = 1; i != 1000; ++i)
        file.read_to("x");
}

BOOST_AUTO_TEST_CASE(a_file_that_does_not_block_gets_everything_as_well)
{
    small_pipe file;
    ::fcntl(file.write_end, F_SETFL, O_NONBLOCK);
    log_writer log{file.write_end, describe};
    for (int i = 0; i != 1000; ++i)
        log.add(some_text);
    log.add("end");
    BOOST_TEST(file.read_to("end").second == 1000);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(unread_log, coworker::test::work_test)

using namespace coworker::test;

BOOST_AUTO_TEST_CASE(jobs_are_worked_on_and_signals_obeyed_although_nobody_reads_the_log)
{
    constexpr int count = 100;
    std::string jobs;
    for (int i = 0; i != count; ++i)
        jobs += std::to_string(i) + '\n';
    push({"mail"}, jobs);
    const auto path = sandboxes.file("ended");
    BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    const int ended = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    running_program worker{work({"mail", "--log-level", "trace"}, "printf x > " + path)};
    BOOST_REQUIRE(worker.make_pipe_small());
    for (int i = 0; i != count; ++i) {
        pollfd file{ended, POLLIN, 0};
        BOOST_REQUIRE_MESSAGE(::poll(&file, 1, 60'000) == 1, "only " << i << " jobs were run");
        char byte = 0;
        BOOST_REQUIRE(::read(ended, &byte, 1) == 1);
    }
    ::close(ended);
    worker.signal(SIGTERM);
    BOOST_TEST(worker.wait() == 0);
    BOOST_TEST(server("HGET", "hworker-counters-mail", "success").text == std::to_string(count));
    BOOST_TEST(worker.read_to_end().size() <= 4096u + 100u); // it had filled the pipe
}

BOOST_AUTO_TEST_SUITE_END()
