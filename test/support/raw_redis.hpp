// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::test {

/// What Redis answered (RESP2).
struct redis_value
{
    enum class kind
    {
        nil,
        status,
        error,
        text,
        integer,
        array
    };

    kind type = kind::nil;
    std::string text;         ///< of a status, an error or a text
    std::int64_t integer = 0; ///< of an integer
    std::vector<redis_value> elements;

    bool is_nil() const noexcept { return type == kind::nil; }
    bool is_error() const noexcept { return type == kind::error; }

    /// The elements of an array of texts.
    std::vector<std::string> texts() const;
    /// An array of names and values in turn, as HGETALL answers.
    std::map<std::string, std::string> pairs() const;
    /// All texts and integers in it, in a row; an error is one that begins with '-'.
    std::vector<std::string> parts() const;
};

/// A plain, synchronous connection for looking at a server and poking it behind coworker's back. It shares no
/// code with what is tested.
class raw_redis
{
public:
    /// @param limit  for how long to wait for an answer; then it throws, and the connection is closed
    explicit raw_redis(const std::string& socket_path, std::chrono::seconds limit = std::chrono::minutes{1});
    /// @param let_answer  called before each wait for an answer
    raw_redis(const std::string& socket_path, std::function<void()> let_answer);
    ~raw_redis();
    raw_redis(raw_redis&& other) noexcept;
    raw_redis& operator=(raw_redis&& other) noexcept;

    bool is_open() const noexcept { return socket_ >= 0; }

    /// Sends a command and returns the answer; throws if it is an error.
    template<class... Words>
    redis_value operator()(const Words&... words)
    {
        return command({to_word(words)...});
    }
    redis_value command(const std::vector<std::string>& words);

    /// The same, but an error is an answer like any other.
    redis_value try_command(const std::vector<std::string>& words);

    /// Sends several commands at once; errors are answers.
    std::vector<redis_value> pipeline(std::span<const std::vector<std::string>> commands);

    /// Waits for something that Redis sends unasked, such as a published message.
    redis_value receive() { return read_value(); }

    // Shorthands.
    std::int64_t integer(const std::vector<std::string>& words) { return command(words).integer; }
    std::string text(const std::vector<std::string>& words) { return command(words).text; }

    /// A line of INFO, such as "tracking_total_keys"; empty if there is none.
    std::string info(const std::string& section, std::string_view field);

private:
    static std::string to_word(std::string_view text) { return std::string{text}; }
    template<class Number>
    requires std::is_arithmetic_v<Number>
    static std::string to_word(Number number) { return std::to_string(number); }

    void send(std::string_view bytes);
    void receive_more();
    std::string read_line();
    std::string read_bytes(std::size_t count);
    redis_value read_value();

    int socket_ = -1;
    std::function<void()> let_answer_;
    std::string received_;
    std::size_t read_ = 0; ///< of `received_`
};

} // namespace coworker::test
