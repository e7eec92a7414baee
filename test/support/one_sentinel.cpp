// SPDX-License-Identifier: MIT
#include "support/one_sentinel.hpp"

#include "support/append_only_file.hpp"
#include "support/redis_server.hpp"

#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace coworker::test {

one_sentinel::one_sentinel(sentinel_options options) : options_{std::move(options)}
{
    for (int attempt = 0; attempt != 4; ++attempt) // another program may take the free port first
        if (start())
            return;
    throw std::runtime_error{"a Sentinel does not start:\n" + read_file(folder_.file("log"))};
}

bool one_sentinel::start()
{
    port_ = find_free_port();
    write_configuration();
    process_.emplace(std::vector<std::string>{"redis-server", folder_.file("sentinel.conf"), "--sentinel"},
                     folder_.file("log"));
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (process_->is_running() && std::chrono::steady_clock::now() < give_up) {
        try {
            const auto answer = raw().try_command({"PING"});
            return !answer.is_error() || answer.text.starts_with("NOAUTH");
        } catch (const std::exception&) {
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
        }
    }
    return false;
}

void one_sentinel::write_configuration() const
{
    std::ofstream file{folder_.file("sentinel.conf")};
    file << "port " << (options_.tls ? 0 : port_) << "\nbind " << options_.address << "\nunixsocket "
         << folder_.file("sock") << "\ndir " << folder_.path() << '\n';
    if (options_.tls)
        file << "tls-port " << port_ << "\ntls-replication yes\ntls-auth-clients no\n";
    for (const auto& line : options_.config)
        file << line << '\n';
    file << "sentinel monitor " << options_.name << " 127.0.0.1 " << options_.primary << " 1\n";
}

} // namespace coworker::test
