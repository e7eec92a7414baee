// SPDX-License-Identifier: MIT
#pragma once

#include "http_client.hpp"
#include "program_test.hpp"
#include "support/coroutine.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <boost/asio/io_context.hpp>

#include <fstream>
#include <iterator>
#include <optional>

namespace coworker::test {

/// `coworker gateway` on a free port.
struct gateway_program_test : program_test
{
    asio::io_context io{1};
    temporary_folder folder;
    std::string log = folder.file("log");
    std::optional<process> program;
    std::uint16_t port = 0;

    std::string logged() const
    {
        std::ifstream file{log};
        return {std::istreambuf_iterator<char>{file}, {}};
    }

    std::string write(const std::string& name, const std::string& text) const
    {
        std::ofstream{folder.file(name)} << text;
        return folder.file(name);
    }

    asio::awaitable<void> until_logged(std::string text)
    {
        return eventually("the gateway says " + text,
                          [this, text] { return logged().find(text) != std::string::npos; });
    }

    /// Starts it and waits until it listens.
    ///
    /// @param limits  what a shell does before, such as "ulimit -n 40"
    asio::awaitable<void> start(std::vector<std::string> arguments = {}, std::string environment = "A=B",
                                std::string limits = "true")
    {
        std::vector<std::string> words{"sh",
                                       "-c",
                                       limits + R"(; exec "$@")",
                                       "sh",
                                       "env",
                                       "-u",
                                       "COWORKER_TOKEN",
                                       "COWORKER_REDIS=" + server.url(),
                                       environment,
                                       COWORKER_PROGRAM,
                                       "gateway",
                                       "--listen",
                                       "127.0.0.1:0"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        program.emplace(words, log);
        const std::string words_before = "Listening on http";
        co_await until_logged("\n");
        co_await until_logged(words_before);
        const auto text = logged();
        const auto place = text.find("127.0.0.1:", text.find(words_before));
        port = static_cast<std::uint16_t>(std::stoi(text.substr(place + 10)));
    }

    asio::awaitable<http_reply> get(std::string path, std::string fields = "")
    {
        http_client client{io.get_executor(), port};
        co_return co_await client.get(path, fields);
    }

    asio::awaitable<http_reply> queue_a_job()
    {
        http_client client{io.get_executor(), port};
        co_return co_await client.post("/jobber/queue", R"({"type":"mail","payload":{"to":"ada"}})");
    }

    template<class Test>
    void run(Test test)
    {
        run_coroutine(io, test());
    }
};

} // namespace coworker::test
