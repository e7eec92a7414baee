// SPDX-License-Identifier: MIT
#include "outbox/outbox_test.hpp"
#include "support/temporary_folder.hpp"

#include "mysql/mysql_address.hpp"
#include "mysql/mysql_connection.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <string>

/// Where a MySQL is, how one connects to it, and what is said if one cannot.
BOOST_FIXTURE_TEST_SUITE(mysql_addresses, coworker::test::outbox_test)

using namespace coworker;
using namespace coworker::test;
using detail::mysql_tls;
using detail::read_mysql_address;

BOOST_AUTO_TEST_CASE(have_their_parts_encoded)
{
    const auto all =
        read_mysql_address("mariadb://a%40n:p%3A%2F:w@[::1]:3307/sh%20op?socket=%2Fs&tls=verify&ca=a&cert=b&"
                           "key=c&plugins=d&option_file=e");
    BOOST_TEST(all.user == "a@n");
    BOOST_TEST(all.password == "p:/:w");
    BOOST_TEST(all.host == "::1");
    BOOST_TEST(all.port == 3307u);
    BOOST_TEST(all.database == "sh op");
    BOOST_TEST(all.socket == "/s");
    BOOST_TEST((all.tls == mysql_tls::verify));
    BOOST_TEST(all.ca + all.certificate + all.key + all.plugins + all.option_file == "abcde");
    const auto none = read_mysql_address("mysql://");
    BOOST_TEST(none.user + none.password + none.host + none.database + none.socket == "");
    BOOST_TEST(none.port == 0u);
    BOOST_TEST((none.tls == mysql_tls::unset));
    BOOST_TEST(read_mysql_address("mysql://db/shop").host == "db");
}

BOOST_AUTO_TEST_CASE(are_refused_without_the_password_if_they_are_none)
{
    for (const auto* url :
         {"", "mysql:", "mysql:/a", "postgresql://a", "mysql://u:secret@db:0/", "mysql://u:secret@db:x/",
          "mysql://u:secret@db:65536/", "mysql://u:secret@[::1]3306/", "mysql://u:secret%2@db/",
          "mysql://u:secret@db/a%00b", "mysql://u:secret@db/?tls=maybe", "mysql://u:secret@db/?port=1"}) {
        try {
            (void)read_mysql_address(url);
            BOOST_ERROR("was read: " << url);
        } catch (const system_error& error) {
            BOOST_TEST(error.code() == errc::invalid_option);
            BOOST_TEST(std::string{error.what()}.find("secret") == std::string::npos);
        }
    }
}

BOOST_AUTO_TEST_CASE(lead_to_a_server_with_tls_or_without_or_to_what_it_says)
{
    (*sql)("CREATE OR REPLACE USER ann IDENTIFIED BY 'secret'; GRANT ALL ON *.* TO ann");
    const auto socket = connection.substr(connection.find("socket="));
    const auto ca = "&ca=" + socket.substr(7, socket.rfind('/') - 7) + "/certificate.pem";
    const auto name = connection.substr(9, connection.find('?') - 9);
    run([&]() -> asio::awaitable<void> {
        const auto says = [&](std::string user, std::string schema,
                              std::string options) -> asio::awaitable<std::string> {
            const auto address =
                read_mysql_address("mysql://" + user + "@/" + schema + "?" + socket + options);
            try {
                const auto opened = co_await detail::mysql_connection::open(address);
                const std::string ask{"SHOW SESSION STATUS LIKE 'Ssl_version'"};
                auto answers = co_await opened->query(ask);
                co_return answers.at(0).rows.at(0).at(1).value_or("").substr(0, 4);
            } catch (const outbox_database_error& error) {
                co_return error.what();
            }
        };
        BOOST_TEST((co_await says("ann:secret", name, "&tls=off")) == "");
        BOOST_TEST((co_await says("ann:secret", name, "&tls=required")) == "TLSv");
        BOOST_TEST((co_await says("ann:secret", name, "&tls=verify" + ca)) == "TLSv");
        BOOST_TEST((co_await says("ann:secret", name, "&tls=verify")).starts_with("TLS/SSL error: "));
        BOOST_TEST((co_await says("ann:wrong", name, "")) ==
                   "Access denied for user 'ann'@'localhost' (using password: YES)");
        BOOST_TEST((co_await says("ann:secret", "nowhere", "")) == "Unknown database 'nowhere'");
    });
}

BOOST_AUTO_TEST_CASE(take_what_they_leave_out_from_an_option_file)
{
    (*sql)("CREATE OR REPLACE USER bob IDENTIFIED BY 'secret'; GRANT ALL ON *.* TO bob");
    const temporary_folder folder;
    std::ofstream{folder.file("options")} << "[client]\nuser = bob\n[coworker]\npassword = secret\n";
    run([&]() -> asio::awaitable<void> {
        const auto jobs =
            database.table(connection + "&option_file=" + folder.file("options"), "coworker_outbox");
        co_await jobs->connect();
        BOOST_TEST((*sql)("SELECT 1 FROM information_schema.processlist WHERE user = 'bob'").size() == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
