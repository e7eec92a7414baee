// SPDX-License-Identifier: MIT

// A program of somebody else's: uses a bit of everything that must be linked, but no server.
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/describe/class.hpp>

#include <iostream>
#include <sstream>

namespace asio = boost::asio;

struct email
{
    std::string to;
    std::string subject;
};
BOOST_DESCRIBE_STRUCT(email, (), (to, subject))

int main()
{
    asio::io_context io;
    std::ostringstream log;
    coworker::client redis{io.get_executor(), {.url = "unix:///nonexistent/redis.sock"}};
    coworker::list_queue<email> emails{redis, "emails"};
    coworker::worker worker{redis, {.observers = {coworker::log_to(log)}}};
    worker.handle(emails, [](email mail, coworker::job_context&) -> asio::awaitable<coworker::outcome> {
        std::cout << mail.to << '\n';
        co_return coworker::success();
    });

    // A worker that is stopped before it runs returns at once.
    worker.stop();
    bool returned = false;
    worker.async_run([&](coworker::error_code error) { returned = !error; });
    io.run();

    // What the library throws is caught, and its codes are known.
    bool refused = false;
    try {
        coworker::client nowhere{io, "ftp://localhost"};
    } catch (const coworker::system_error& error) {
        refused = error.code() == coworker::errc::invalid_option;
    }

    const auto text = coworker::encode(email{"ada@example.com", "Welcome"}).value();
    const auto mail = coworker::decode<email>(text).value();
    return returned && refused && mail.subject == "Welcome" ? 0 : 1;
}
