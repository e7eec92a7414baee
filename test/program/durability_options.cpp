// SPDX-License-Identifier: MIT
#include "program_test.hpp"
#include "support/coroutine.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

/// coworker push, --replicated and --synced
BOOST_AUTO_TEST_SUITE(durability_options)

using namespace coworker::test;

namespace {

/// A server with a replica that has caught up.
struct replica_test : program_test
{
    redis_server primary{{.tcp = true, .config = {{"hz", "100"}, {"repl-diskless-sync-delay", "0"}}}};
    redis_server replica;

    replica_test()
    {
        replica("REPLICAOF", "127.0.0.1", primary.tcp_port());
        boost::asio::io_context io;
        run_coroutine(io, eventually("the replica follows", [this] {
                          return primary.raw().info("replication", "slave0").find("state=online") !=
                                     std::string::npos &&
                                 replica.raw().info("replication", "master_link_status") == "up";
                      }));
    }
    ~replica_test() { replica.thaw(); }

    finished_program push_to_primary(std::vector<std::string> words, const std::string& lines)
    {
        words.insert(words.end(), {"--redis", primary.url()});
        return push(std::move(words), lines);
    }
    /// How many times the primary was asked to wait.
    int waits()
    {
        const auto text = primary.raw().info("commandstats", "cmdstat_wait"); // "calls=2,usec=..."
        return text.empty() ? 0 : std::stoi(text.substr(text.find('=') + 1));
    }
    std::int64_t queued(const std::string& queue) { return primary("LLEN", "hworker-jobs-" + queue).integer; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(says_nothing_more_of_jobs_that_a_replica_has, replica_test)
{
    const auto result = push_to_primary({"mail", "--replicated", "1", "--within", "10s"}, "1\n2\n");
    BOOST_TEST(result.code == 0, result.errors);
    BOOST_TEST(result.output == "2 jobs queued\n");
    BOOST_TEST(replica("LLEN", "hworker-jobs-mail").integer == 2);
    BOOST_TEST(push_to_primary({"mail", "--replicated", "1", "--within", "10s", "--json"}, "3\n").output ==
               "{\"queue\":\"mail\",\"queued\":1,\"refused\":0,\"unconfirmed\":0}\n");
    BOOST_TEST(waits() == 2);
}

BOOST_FIXTURE_TEST_CASE(waits_for_managed_jobs_too, replica_test)
{
    const std::vector<std::string> words{"managed:mail", "--kind", "k",        "--id-field", "id",
                                         "--replicated", "1",      "--within", "10s"};
    const auto managed = push_to_primary(words, "{\"id\":\"a\"}\n");
    BOOST_TEST(managed.code == 0, managed.errors);
    BOOST_TEST(replica("ZCARD", "ql:q:mail-work").integer == 1);
    const auto before = waits(); // the server had to be told the script
    BOOST_TEST(push_to_primary(words, "{\"id\":\"b\"}\n").code == 0);
    BOOST_TEST(waits() == before + 1);
}

BOOST_FIXTURE_TEST_CASE(tells_apart_what_is_queued_but_not_confirmed, replica_test)
{
    replica.freeze();
    const auto result = push_to_primary({"mail", "--replicated", "1", "--within", "50ms"}, "1\n\n3\n");
    BOOST_TEST(result.code == 5);
    BOOST_TEST(result.output == "0 jobs queued, 2 queued but not confirmed\n");
    BOOST_TEST(result.complains("lines 1 to 3: 2 jobs are queued, but not confirmed: "), result.errors);
    BOOST_TEST(result.complains("0 of 1 replicas"), result.errors);
    BOOST_TEST(queued("mail") == 2);
    const auto ids = push_to_primary(
        {"mail", "--id-field", "id", "--replicated", "1", "--within", "50ms", "--json"}, "{\"id\":\"a\"}\n");
    BOOST_TEST(ids.code == 5);
    BOOST_TEST(ids.output == "{\"queue\":\"mail\",\"queued\":0,\"refused\":0,\"unconfirmed\":1}\n");
    BOOST_TEST(queued("mail") == 3);
    const auto managed =
        push_to_primary({"managed:mail", "--kind", "k", "--replicated", "1", "--within", "50ms"}, "1\n");
    BOOST_TEST(managed.code == 5, managed.errors);
    BOOST_TEST(primary("ZCARD", "ql:q:mail-work").integer == 1);
}

BOOST_FIXTURE_TEST_CASE(goes_on_with_the_lines_behind, replica_test)
{
    replica.freeze();
    std::string lines;
    for (int i = 0; i != 20000; ++i)
        lines += "1\n";
    const auto result = push_to_primary({"mail", "--replicated", "1", "--within", "20ms"}, lines + "x\n");
    BOOST_TEST(result.code == 4); // a line is not queued, which matters more
    BOOST_TEST(result.output == "0 jobs queued, 20000 queued but not confirmed, 1 line refused\n");
    BOOST_TEST(queued("mail") == 20000);
}

BOOST_FIXTURE_TEST_CASE(tells_refused_lines_from_unconfirmed_ones, replica_test)
{
    replica.freeze();
    const auto result = push_to_primary({"managed:mail", "--kind", "k", "--unique", "--on-conflict", "refuse",
                                         "--replicated", "1", "--within", "20ms"},
                                        "1\n2\n1\n");
    BOOST_TEST(result.code == 4);
    BOOST_TEST(result.output == "0 jobs queued, 2 queued but not confirmed, 1 line refused\n");
    BOOST_TEST(result.complains("line 3: the job "), result.errors);
}

BOOST_FIXTURE_TEST_CASE(waits_for_the_disk, program_test)
{
    redis_server disk{{.append_only = true, .config = {{"appendfsync", "always"}}}};
    const auto result = push({"mail", "--synced", "--redis", disk.url()}, "1\n");
    BOOST_TEST(result.code == 0, result.errors);
    BOOST_TEST(disk("LLEN", "hworker-jobs-mail").integer == 1);
    const auto refused = push({"mail", "--synced"}, "1\n"); // no append-only file
    BOOST_TEST(refused.code == 1);
    BOOST_TEST(refused.complains("set appendonly yes. Nothing has been queued.\n"), refused.errors);
    BOOST_TEST(waiting("mail").empty());
}

BOOST_FIXTURE_TEST_CASE(refuses_wishes_that_make_no_sense, program_test)
{
    for (const auto& words : std::vector<std::vector<std::string>>{{"--within", "1s"},
                                                                   {"--replicated", "0"},
                                                                   {"--replicated", "-1"},
                                                                   {"--replicated", "one"},
                                                                   {"--replicated", "1", "--synced"},
                                                                   {"--synced", "--within", "0s"},
                                                                   {"--synced", "--within", "2h"},
                                                                   {"--synced", "--within", "soon"}}) {
        auto whole = words;
        whole.insert(whole.begin(), "mail");
        const auto result = push(whole, "1\n");
        BOOST_TEST(result.code == 2, words.back() << ": " << result.errors);
        BOOST_TEST(result.output == "");
    }
    BOOST_TEST(server("DBSIZE").integer == 0);
}

BOOST_AUTO_TEST_SUITE_END()
