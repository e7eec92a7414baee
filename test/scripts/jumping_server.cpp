// SPDX-License-Identifier: MIT
#include "jumping_server.hpp"

#include <cstdint>
#include <fstream>

using namespace std::chrono_literals;

namespace coworker::test {
namespace {

void write_offset(const std::string& path, std::chrono::nanoseconds ahead)
{
    const std::int64_t offset = ahead.count();
    // opened as it is: the server has mapped it, and would miss a part that is gone
    std::fstream file{path, std::ios::binary | std::ios::in | std::ios::out};
    if (!file.is_open())
        file.open(path, std::ios::binary | std::ios::out);
    file.write(reinterpret_cast<const char*>(&offset), sizeof offset);
    file.close();
    if (!file)
        throw std::runtime_error{"cannot write " + path};
}

/// A clock shim that is not there leaves the server as it is.
redis_server_options with_clock(const std::string& path)
{
    write_offset(path, {});
    redis_server_options options;
#ifdef COWORKER_CLOCK_SHIM
    options.run_by = {"env", "LD_PRELOAD=" COWORKER_CLOCK_SHIM, "COWORKER_CLOCK=" + path};
#endif
    return options;
}

std::int64_t seconds_of(redis_server& server)
{
    return std::stoll(server("TIME").texts().at(0));
}

} // namespace

jumping_server::jumping_server() : server_{with_clock(folder_.file("clock"))} {}

bool jumping_server::set_clock(std::chrono::nanoseconds ahead)
{
    using namespace std::chrono;
    write_offset(folder_.file("clock"), ahead);
    const auto give_up = steady_clock::now() + 20s;
    do { // a server may go by the time that it has found last
        const auto wanted = duration_cast<seconds>(system_clock::now().time_since_epoch() + ahead).count();
        const auto late = seconds_of(server_) - wanted;
        if (late >= 0 && late <= 5)
            return true;
    } while (steady_clock::now() < give_up);
    return false;
}

} // namespace coworker::test
