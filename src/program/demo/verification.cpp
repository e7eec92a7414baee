#include "program/demo/verification.hpp"

#include "exec/child_process.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include <sys/stat.h>

namespace coworker::demo {
namespace {

constexpr std::size_t sample_size = 64;
constexpr std::uint64_t sample_bytes = 512 * 1024 * 1024;

std::vector<std::size_t> choose_sample(const tally& results)
{
    const auto& files = results.entries();
    std::vector<std::size_t> order(files.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937_64{std::random_device{}()});
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t file) { return files[file].attempt > 1; });

    std::vector<std::size_t> sample;
    std::uint64_t bytes = 0;
    for (const auto file : order) {
        if (sample.size() == sample_size)
            break;
        if (files[file].results == 0 || bytes + files[file].bytes > sample_bytes)
            continue;
        bytes += files[file].bytes;
        sample.push_back(file);
    }
    return sample;
}

asio::awaitable<std::string> output_of(std::vector<std::string> command)
{
    auto output = cli::make_pipe();
    cli::child_process program{command, {.output = output.write.get()}};
    output.write.close();
    asio::readable_pipe pipe{co_await asio::this_coro::executor, output.read.release()};
    std::string text;
    boost::system::error_code end;
    co_await asio::async_read(pipe, asio::dynamic_buffer(text),
                              asio::redirect_error(asio::use_awaitable, end));
    if (end != asio::error::eof)
        throw boost::system::system_error{end};
    program.wait(); // its status only says whether all files could be read
    co_return text;
}

/// `sha256sum --zero` writes: digest, two characters, path, NUL.
std::map<std::string, std::string> parse_sums(const std::string& text)
{
    constexpr std::size_t digest_size = 64;
    std::map<std::string, std::string> sums;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\0', begin), text.size());
        if (end - begin > digest_size + 2)
            sums.emplace(text.substr(begin + digest_size + 2, end - begin - digest_size - 2),
                         text.substr(begin, digest_size));
        begin = end + 1;
    }
    return sums;
}

} // namespace

bool has_changed(const std::string& path, std::time_t since)
{
    struct stat about;
    return ::lstat(path.c_str(), &about) != 0 || about.st_ctime >= since;
}

asio::awaitable<verification> verify_sample(const std::vector<std::string>& paths, const tally& results,
                                            std::time_t demo_began)
{
    const auto sample = choose_sample(results);
    std::vector<std::string> command{"sha256sum", "--zero", "--"};
    for (const auto file : sample)
        command.push_back(paths[file]);
    verification found;
    if (sample.empty())
        co_return found;
    const auto sums = parse_sums(co_await output_of(std::move(command)));
    for (const auto file : sample) {
        const auto sum = sums.find(paths[file]);
        const bool agrees = sum != sums.end() && sum->second == results.entries()[file].digest;
        if (!agrees && has_changed(paths[file], demo_began))
            ++found.changed;
        else if (!agrees)
            found.wrong.push_back(paths[file]);
        else
            ++found.checked;
    }
    co_return found;
}

} // namespace coworker::demo
