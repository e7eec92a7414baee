// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

/// The gateway behind nginx, set up as docs/dashboard.md says. Skipped where nginx is not installed.
namespace {

/// Where nginx is: distributions keep it from the PATH of ordinary users.
std::string find_nginx()
{
    for (const std::string place : {"nginx", "/usr/sbin/nginx", "/usr/local/sbin/nginx"})
        if (std::system(("command -v " + place + " >/dev/null 2>&1").c_str()) == 0)
            return place;
    return {};
}

boost::test_tools::assertion_result has_nginx(boost::unit_test::test_unit_id)
{
    return !find_nginx().empty();
}

} // namespace

BOOST_AUTO_TEST_SUITE(behind_nginx, *boost::unit_test::precondition(has_nginx))

using namespace coworker::test;

namespace {

/// The block of the documentation that sets nginx up.
std::string documented_block()
{
    std::ifstream file{DASHBOARD_PAGE};
    const std::string page{std::istreambuf_iterator<char>{file}, {}};
    const auto begin = page.find("location /coworker/ {");
    return page.substr(begin, page.find("```", begin) - begin);
}

struct nginx_test : managed_gateway_test
{
    temporary_folder folder;
    std::optional<process> nginx;
    std::uint16_t port = 0;

    /// Starts it in front of the gateway.
    asio::awaitable<void> start()
    {
        auto block = documented_block();
        const std::string documented = "127.0.0.1:8080";
        const auto at = block.find(documented);
        BOOST_TEST_REQUIRE(at != block.npos, block);
        block.replace(at, documented.size(), "127.0.0.1:" + std::to_string(server->port()));
        port = static_cast<std::uint16_t>(find_free_port());
        std::ofstream{folder.file("nginx.conf")}
            << "daemon off; master_process off; pid " << folder.file("pid") << "; error_log "
            << folder.file("errors") << ";\nevents {}\nhttp { access_log off; client_body_temp_path "
            << folder.file("bodies") << "; proxy_temp_path " << folder.file("proxied")
            << "; fastcgi_temp_path " << folder.file("f") << "; uwsgi_temp_path " << folder.file("u")
            << "; scgi_temp_path " << folder.file("s") << ";\nserver { listen 127.0.0.1:" << port << ";\n"
            << block << "} }\n";
        nginx.emplace(std::vector<std::string>{find_nginx(), "-c", folder.file("nginx.conf"), "-e",
                                               folder.file("errors")});
        co_await eventually("nginx listens", [this] {
            asio::ip::tcp::socket socket{io};
            boost::system::error_code ec;
            socket.connect({asio::ip::address_v4::loopback(), port}, ec);
            return !ec;
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(events_arrive_at_once, nginx_test)
{
    serve([&]() -> asio::awaitable<void> {
        co_await start();
        http_client client{io.get_executor(), port};
        const auto styles = co_await client.get("/coworker/dashboard.css");
        BOOST_TEST(styles.status == 200u);
        co_await client.send("GET /coworker/v1/events HTTP/1.0\r\nHost: localhost\r\n\r\n");
        auto told = co_await client.receive_until(": listening\n\n");
        BOOST_TEST(told.starts_with("HTTP/1.1 200"), told);
        put("a", "Letter");
        told = co_await client.receive_until("\"id\":\"a\",\"queue\":\"managed:mail\"}\n\n");
        BOOST_TEST(told.find("event: put") != told.npos);
        nginx->signal(SIGTERM);
        nginx->wait();
    });
}

BOOST_AUTO_TEST_SUITE_END()
