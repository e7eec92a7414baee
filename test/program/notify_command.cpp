// SPDX-License-Identifier: MIT
#include "support/coroutine.hpp"
#include "webhook_receiver.hpp"
#include "work_test.hpp"

#include <coworker/notices.hpp>

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdlib>
#include <fstream>

/// coworker notify
BOOST_AUTO_TEST_SUITE(notify_command)

using namespace coworker::test;
namespace asio = boost::asio;

namespace {

const std::string secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                  next_secret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

struct notify_test : work_test
{
    asio::io_context io;
    temporary_folder folder;

    notify_test() { std::ofstream{folder.file("secret")} << secret << '\n' << next_secret << '\n'; }

    std::vector<std::string> notify(const std::string& url, std::vector<std::string> more) const
    {
        more.insert(more.begin(), {"notify", "--redis", server.url(), "--url", url, "--secret-file",
                                   folder.file("secret")});
        return more;
    }

    void wait_until(const std::string& what, const std::function<bool()>& condition)
    {
        run_coroutine(io, eventually(what, condition));
    }

    /// As if a script had written it.
    void write_notice(const std::string& id)
    {
        server("LPUSH", "hworker-jobs-mail:notices",
               "[\"" + id + R"(",{"type":"job.failed","at":"120","queue":"mail","layout":"list",)" +
                   R"("state":"failed","id":"j","attempts":"1","message":"m"}])");
    }

    bool is_sent()
    {
        return server.has_none("hworker-jobs-mail:notices", "hworker-progress-mail:notices",
                               "hworker-scheduled-mail:notices");
    }
};

bool is_signed(const received_webhook& one, const std::string& by)
{
    const coworker::webhook_headers headers{one.id(), one.header("webhook-timestamp"),
                                            one.header("webhook-signature")};
    const std::vector<std::string> secrets{by};
    return coworker::verify_webhook(headers, one.body, secrets);
}

} // namespace

BOOST_FIXTURE_TEST_CASE(sends_what_becomes_of_jobs_and_batches, notify_test)
{
    BOOST_TEST(coworker({"notify", "--on", "mail", "managed:mail"}).code == 0);
    BOOST_TEST(coworker({"queues", "--json"}).says("\"notices\":true"));
    push({"mail", "--id-field", "id"}, "{\"id\":\"of-list\"}\n");
    BOOST_TEST(coworker({"batches", "open", "B", "--notice"}).code == 0);
    push({"managed:mail", "--kind", "Letter", "--retries", "0", "--batch", "B", "--id-field", "id"},
         "{\"id\":\"of-batch\"}\n");
    BOOST_TEST(coworker({"batches", "seal", "B"}).code == 0);
    running_program worker{work({"mail", "managed:mail"}, "exit 65")};
    webhook_receiver receiver;
    running_program sender{notify(receiver.url(), {"mail", "managed:mail", "managed:other"})};
    wait_until("all notices have come", [&] { return receiver.received().size() >= 3; });
    BOOST_TEST(ends_well(sender));
    BOOST_TEST(ends_well(worker));

    BOOST_TEST(receiver.count("job.failed") == 2u);
    BOOST_TEST(receiver.count("batch.ended") == 1u);
    std::string bodies;
    for (const auto& each : receiver.received()) {
        BOOST_TEST(is_signed(each, secret));
        BOOST_TEST(is_signed(each, next_secret));
        BOOST_TEST(!is_signed(each, "whsec_BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"));
        BOOST_TEST(each.head.starts_with("POST /hooks?a=b HTTP/1.1\r\nHost: 127.0.0.1:"));
        BOOST_TEST(each.header("Content-Type") == "application/json");
        bodies += each.body + '\n';
    }
    for (const auto* part : {R"("id":"of-list","kind":null,"queue":"mail","state":"failed","attempts":1)",
                             R"("id":"of-batch","kind":"Letter","queue":"managed:mail","state":"failed")",
                             R"("id":"B","state":"failed")"})
        BOOST_TEST(bodies.find(part) != std::string::npos, part << " in " << bodies);
    BOOST_TEST(coworker({"notify", "--off", "mail", "managed:mail"}).code == 0);
    BOOST_TEST(!coworker({"queues", "--json"}).says("\"notices\":true"));
}

BOOST_FIXTURE_TEST_CASE(sends_again_until_it_is_taken_whatever_the_receiver_does, notify_test)
{
    const std::vector<std::string> bad{"HTTP/1.1 500 No\r\n\r\n",
                                       webhook_receiver::hangs,
                                       webhook_receiver::endless,
                                       "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n",
                                       "nonsense\r\n",
                                       std::string(100'000, 'x'),
                                       "HTTP/1.1 204",
                                       "HTTP/1.1 2x4 No\r\n"};
    webhook_receiver receiver{[&](const received_webhook& one, std::size_t earlier) {
        return earlier == 0 ? bad.at(std::stoul(one.id()))
                            : "HTTP/1.1 103 Soon\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n";
    }};
    for (std::size_t i = 0; i != bad.size(); ++i)
        write_notice(std::to_string(i));
    running_program sender{notify(receiver.url(), {"mail", "--timeout", "1s", "--concurrency", "20"})};
    wait_until("all are taken", [&] { return receiver.received().size() >= 2 * bad.size() && is_sent(); });
    BOOST_TEST(ends_well(sender));
    for (std::size_t i = 0; i != bad.size(); ++i)
        BOOST_TEST(receiver.times(std::to_string(i)) == 2u, i);
    const auto seen = sender.seen();
    for (const auto* why : {"it answered 500", "it answered 302", "it did not answer in time"})
        BOOST_TEST(seen.find(why) != std::string::npos, why << " in " << seen);
}

BOOST_FIXTURE_TEST_CASE(loses_none_when_it_is_killed, notify_test)
{
    constexpr int count = 60, kills = 4;
    webhook_receiver receiver;
    for (int i = 0; i != count; ++i)
        write_notice(std::to_string(i));
    const auto arguments = notify(receiver.url(), {"mail", "--concurrency", "1"});
    for (int i = 1; i <= kills; ++i) {
        running_program victim{arguments};
        const auto before = receiver.received().size();
        wait_until("some have come", [&] { return receiver.received().size() > before || is_sent(); });
        victim.signal(SIGKILL);
        victim.read_to_end();
    }
    running_program last{arguments};
    wait_until("all are sent", [&] { return is_sent(); });
    BOOST_TEST(ends_well(last));
    for (int i = 0; i != count; ++i)
        BOOST_TEST(receiver.times(std::to_string(i)) >= 1u, i);
    BOOST_TEST(server("EXISTS", "hworker-failed-mail:notices").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(tells_once_that_a_queue_has_no_worker_and_once_that_it_has, notify_test)
{
    coworker({"notify", "--on", "mail", "managed:mail"});
    webhook_receiver receiver;
    const auto arguments = notify(receiver.url(), {"mail", "managed:mail", "--no-worker-after", "1s"});
    running_program one{arguments}, other{arguments};
    push({"mail"}, "1\n2\n");
    push({"managed:mail", "--kind", "Letter"}, "1\n2\n");
    wait_until("it is told", [&] { return receiver.count("queue.no_worker") == 2; });
    {
        running_program worker{work({"mail", "managed:mail"}, "true")};
        wait_until("that is told", [&] { return receiver.count("queue.has_worker") == 2; });
        BOOST_TEST(ends_well(worker));
    }
    push({"mail"}, "3\n");
    wait_until("it is told again", [&] { return receiver.count("queue.no_worker") == 3; });
    BOOST_TEST(ends_well(one));
    BOOST_TEST(ends_well(other));
    BOOST_TEST(receiver.received().size() == 5u);
}

BOOST_FIXTURE_TEST_CASE(trusts_only_certificates_that_it_is_told_to, notify_test)
{
    const redis_server certified{{.tls = true}}; // has a certificate for "localhost"
    webhook_receiver receiver{[](const auto&, std::size_t) { return std::string{webhook_receiver::taken}; },
                              certified.certificate_file(), certified.key_file()};
    write_notice("a");
    {
        running_program untrusting{notify(receiver.url(), {"mail"})};
        untrusting.wait_for("certificate verify failed");
        BOOST_TEST(ends_well(untrusting));
    }
    BOOST_TEST(receiver.received().empty());
    running_program sender{notify(receiver.url(), {"mail", "--ca", certified.certificate_file()})};
    wait_until("it is taken", [&] { return receiver.times("a") == 1 && is_sent(); });
    BOOST_TEST(ends_well(sender));
}

BOOST_FIXTURE_TEST_CASE(is_understood_by_the_receiver_in_python, notify_test)
{
    if (std::system("python3 -c 'import hmac' >/dev/null 2>&1") != 0) {
        BOOST_TEST_MESSAGE("skipped: there is no python3");
        return;
    }
    write_notice("a");
    push({"receivers"}, "1\n"); // a worker keeps the receiver running, as long as its job
    running_program receiver{work({"receivers"}, {"env", "COWORKER_WEBHOOK_SECRET=" + secret, "python3",
                                                  EXAMPLES "/receiver.py", "0"})};
    const auto line = receiver.wait_for("http://127.0.0.1:");
    const auto begin = line.find("http://127.0.0.1:");
    const auto url = line.substr(begin, line.find('/', begin + 8) + 1 - begin);
    running_program sender{notify(url, {"mail"})};
    receiver.wait_for(R"(job.failed {"id": "j", "kind": null, "queue": "mail", "state": "failed")");
    wait_until("it is taken", [&] { return is_sent(); });
    BOOST_TEST(ends_well(sender));
    receiver.signal(SIGKILL);
}

BOOST_FIXTURE_TEST_CASE(refuses_what_cannot_work, notify_test)
{
    const auto refuses = [&](std::vector<std::string> arguments, std::string_view why) {
        arguments.insert(arguments.begin(), {"notify", "mail"});
        const auto result = coworker(arguments);
        BOOST_TEST(result.code == 2);
        BOOST_TEST(result.complains(why), result.errors);
        BOOST_TEST(!result.complains("c2hvcnQ"), "a secret is shown");
    };
    const auto file = folder.file("secret");
    refuses({}, "--url says where");
    refuses({"--on", "--off"}, "exclude each other");
    for (const auto* url : {"ftp://a/", "http://", "http://a b/", "http://u:p@a/", "http://a:x/",
                            "http://a/#b", "http://a:123456/", "http://a\r\nx: y/"})
        refuses({"--url", url, "--secret-file", file}, "--url '");
    refuses({"--url", "http://a/"}, "a secret is missing");
    refuses({"--url", "http://a/", "--secret-file", folder.file("none")}, "cannot be read");
    std::ofstream{folder.file("short")} << "whsec_c2hvcnQ=";
    refuses({"--url", "http://a/", "--secret-file", folder.file("short")}, "base64 of 24 to 64 bytes");
    refuses({"--url", "http://a/", "--secret-file", file, "--timeout", "0s"}, "--timeout");
    refuses({"--url", "http://a/", "--secret-file", file, "--ca", folder.file("none")}, "--ca '");
    server("SET", "hworker-partitions-mail", 4);
    const auto divided = coworker({"notify", "--on", "mail"});
    BOOST_TEST(divided.code != 0);
    BOOST_TEST(divided.complains("each partition"), divided.errors);
    BOOST_TEST(coworker({"notify", "--on", "{mail:0}"}).code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
