#include "demo/private_redis.hpp"

#include "demo/file_job.hpp"

#include <cerrno>
#include <filesystem>
#include <stdexcept>

#include <unistd.h>

namespace coworker::demo {
namespace {

std::string read_all(int file)
{
    std::string text;
    char part[512];
    for (;;) {
        const auto size = ::read(file, part, sizeof part);
        if (size > 0)
            text.append(part, static_cast<std::size_t>(size));
        else if (size == 0 || errno != EINTR)
            return text;
    }
}

} // namespace

private_redis::private_redis()
{
    auto input = cli::make_pipe();
    auto output = cli::make_pipe();
    keeper_ = cli::child_process{{cli::own_program(), "@keep-redis"},
                            {.input = input.read.get(), .output = output.write.get(), .dies_with_us = false}};
    lifeline_ = std::move(input.write);
    output.write.close();

    constexpr std::string_view ready = "ready ";
    const auto answer = read_all(output.read.get());
    if (!answer.starts_with(ready)) {
        lifeline_.close();
        keeper_.wait();
        throw std::runtime_error{"a private Redis cannot be started: " + answer};
    }
    folder_ = answer.substr(ready.size());
}

private_redis::~private_redis()
{
    lifeline_.close();
    keeper_.wait();
    // Only if somebody killed the keeper:
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::string private_redis::url() const
{
    return "unix://" + encode_path(folder_ + "/redis.sock");
}

} // namespace coworker::demo
