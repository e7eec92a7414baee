// SPDX-License-Identifier: MIT
#include "perform.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <random>
#include <stdexcept>
#include <string_view>
#include <thread>

/// beanstalkd, beside which coworker is measured, at its best: one connection that blocks, as there is nothing else to
/// wait for. Commands are sent without waiting for the answers to those before, many in a write, and where many answers
/// will come the kernel does not wake this process for the first of them.
namespace bench {
namespace {

using asio::ip::tcp;

constexpr long window = 100; ///< jobs that are pushed, or reserved, at a time
constexpr long bulk = 1'000; ///< jobs in a write
constexpr long busy = 100;   ///< commands that the server has left when it is sent more

class beanstalkd
{
public:
    /// "RESERVED 7 104" with 104 bytes of data, or a line alone, such as "INSERTED 7".
    struct answer
    {
        std::string_view word, id, data; ///< until the next one
    };

    explicit beanstalkd(const std::string& url)
    {
        const auto host = url.find("://") + 3, colon = url.rfind(':');
        tcp::resolver resolver{io_};
        asio::connect(socket_, resolver.resolve(url.substr(host, colon - host), url.substr(colon + 1)));
        socket_.set_option(tcp::no_delay{true});
    }

    // These wait for `flush`, or for `next` to need their answers.

    void put(const letter& job)
    {
        const auto text = coworker::encode(job).value();
        command("put 0 0 60 ").add(std::to_string(text.size())).add("\r\n").add(text).add("\r\n");
    }
    void reserve() { command("reserve\r\n"); }
    void reserve_now() { command("reserve-with-timeout 0\r\n"); }
    void remove(std::string_view id) { command("delete ").add(id).add("\r\n"); }

    void flush()
    {
        asio::write(socket_, asio::buffer(unsent_));
        unsent_.clear();
        unanswered_ += std::exchange(commands_, 0);
    }

    /// Waits for an answer.
    answer next()
    {
        for (;;) {
            if (const auto found = take()) {
                --unanswered_;
                return *found;
            }
            if (commands_ != 0 && unanswered_ <= busy)
                flush();
            read_more();
        }
    }

    /// Waits until as many jobs are there.
    void expect_inserted(long count)
    {
        for (; count != 0; --count)
            if (const auto what = next(); what.word != "INSERTED")
                refuse(what);
    }

    [[noreturn]] static void refuse(const answer& what)
    {
        throw std::runtime_error{"beanstalkd answered " + std::string{what.word}};
    }

private:
    beanstalkd& command(std::string_view text)
    {
        ++commands_;
        return add(text);
    }
    beanstalkd& add(std::string_view text)
    {
        unsent_ += text;
        return *this;
    }

    void read_more()
    {
        std::copy(received_.begin() + static_cast<std::ptrdiff_t>(begin_),
                  received_.begin() + static_cast<std::ptrdiff_t>(end_), received_.begin());
        end_ -= std::exchange(begin_, 0);
        if (end_ == received_.size())
            received_.resize(2 * end_);
        constexpr long shortest = 9, most = 50; // "DELETED\r\n"; answers to wait for
        wait_for(std::max(1L, std::clamp(unanswered_ - busy, 0L, most) * shortest));
        end_ += socket_.read_some(asio::buffer(received_) + end_);
    }

    /// Waits until as many bytes are there, without being woken before. `read_some` alone would take what there is, and
    /// then wait for as many again.
    void wait_for(long bytes)
    {
        if (std::exchange(awaited_, bytes) != bytes)
            socket_.set_option(tcp::socket::receive_low_watermark{static_cast<int>(bytes)});
        if (bytes > 1)
            socket_.wait(tcp::socket::wait_read);
    }

    /// The first answer of those received, if the whole of it is there.
    std::optional<answer> take()
    {
        constexpr std::string_view line_end = "\r\n";
        const auto text = std::string_view{received_}.substr(begin_, end_ - begin_);
        const auto line = text.substr(0, text.find(line_end));
        if (line.size() == text.size())
            return std::nullopt;
        auto whole = line.size() + line_end.size();
        const auto cut = [](std::string_view& from) {
            const auto word = from.substr(0, from.find(' '));
            from.remove_prefix(std::min(word.size() + 1, from.size()));
            return word;
        };
        auto rest = line;
        answer found{.word = cut(rest), .id = cut(rest), .data = {}};
        if (found.word == "RESERVED") {
            std::size_t size = 0;
            std::from_chars(rest.data(), rest.data() + rest.size(), size);
            if (text.size() < whole + size + line_end.size())
                return std::nullopt;
            found.data = text.substr(whole, size);
            whole += size + line_end.size();
        }
        begin_ += whole;
        return found;
    }

    asio::io_context io_{1};
    tcp::socket socket_{io_};
    std::string unsent_;
    long commands_ = 0, unanswered_ = 0; ///< not sent yet; sent
    long awaited_ = 1;
    std::string received_ = std::string(1 << 16, '\0');
    std::size_t begin_ = 0, end_ = 0; ///< of what was received and not taken
};

void push_one_after_another(beanstalkd& to, const task& what)
{
    for (long i = 0; i != what.count; ++i) {
        to.put(make_letter(i, what.size));
        to.expect_inserted(1);
    }
}

void push_in_flight(beanstalkd& to, const task& what)
{
    for (long i = 0; i != what.count; ++i) {
        if (i >= window)
            to.expect_inserted(1);
        to.put(make_letter(i, what.size));
    }
    to.expect_inserted(std::min(what.count, window));
}

/// Each write is made while the server is busy with the one before.
void push_in_bulk(beanstalkd& to, const task& what)
{
    long before = 0;
    for (long i = 0; i < what.count;) {
        const long now = std::min(bulk, what.count - i);
        for (const long end = i + now; i != end; ++i)
            to.put(make_letter(i, what.size));
        to.flush();
        to.expect_inserted(std::exchange(before, now));
    }
    to.expect_inserted(before);
}

/// At such times as coworker's own tasks.
void push_paced(beanstalkd& to, const task& what)
{
    std::mt19937 random;
    std::uniform_int_distribution<int> microseconds{2'000, 3'000};
    for (long i = 0; i != what.count; ++i) {
        std::this_thread::sleep_for(std::chrono::microseconds{microseconds(random)});
        to.put(make_letter(latencies::now(), what.size));
        to.expect_inserted(1);
    }
}

measured push_to(beanstalkd& to, const task& what)
{
    const meter counting;
    if (what.how == "one")
        push_one_after_another(to, what);
    else if (what.how == "flight")
        push_in_flight(to, what);
    else if (what.how == "bulk")
        push_in_bulk(to, what);
    else if (what.how == "paced")
        push_paced(to, what);
    else
        throw std::runtime_error{"there is no way to push to beanstalkd called " + what.how};
    return counting.stop();
}

/// Counts from the first job until the last one is deleted.
///
/// While a `reserve` waits for a job, beanstalkd carries out nothing that was sent after it, no `delete` either. So one
/// waits when there are no jobs, and as long as there are some, up to 100 are asked for by commands that do not wait.
measured work_on(beanstalkd& from, const task& what, const announce& ready)
{
    from.reserve();
    from.flush();
    ready("");
    long asked = 1; // for a job, without an answer so far
    std::optional<meter> counting;
    latencies times;
    for (long left = what.count; left != 0;) {
        const auto got = from.next();
        if (got.word == "RESERVED") {
            if (!counting)
                counting.emplace();
            const auto job = coworker::decode<letter>(got.data).value();
            if (what.how == "latency")
                times.note(job.number);
            from.remove(got.id);
            --asked;
            for (int i = 0; i != 2 && asked != window; ++i, ++asked)
                from.reserve_now();
        } else if (got.word == "TIMED_OUT") {
            if (--asked == 0) {
                from.reserve();
                ++asked;
            }
        } else if (got.word == "DELETED") {
            --left;
        } else {
            beanstalkd::refuse(got);
        }
    }
    auto result = counting ? counting->stop() : measured{};
    times.tell(result);
    return result;
}

} // namespace

measured perform_on_beanstalkd(const task& what, const announce& ready)
{
    beanstalkd server{what.url};
    return what.what == "push" ? push_to(server, what) : work_on(server, what, ready);
}

} // namespace bench
