// SPDX-License-Identifier: MIT
#include "running_program.hpp"
#include "support/append_only_file.hpp"
#include "work_test.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <list>
#include <sys/file.h>

namespace {

using namespace coworker::test;

/// A folder for a server that `coworker` starts itself.
struct embedded_test
{
    temporary_folder outer;
    std::string folder = outer.file("data");
    std::string name = "embedded:" + folder;
    temporary_folder sandboxes;

    finished_program coworker(std::vector<std::string> words, const std::string& input = {})
    {
        program_surroundings surroundings;
        surroundings.input = input;
        surroundings.environment = {"COWORKER_REDIS=" + name};
        return run_coworker(words, surroundings);
    }

    std::vector<std::string> work(const std::string& script) const
    {
        return {"work",           "mail", "--verbose", "--redis", name,  "--sandbox",
                sandboxes.path(), "--",   "sh",        "-c",      script};
    }

    raw_redis server() const { return raw_redis{folder + "/redis.sock"}; }

    /// Waits until its keeper has ended.
    void wait_until_stopped() const
    {
        const int file = ::open((folder + "/keeper.lock").c_str(), O_RDWR | O_CLOEXEC);
        BOOST_REQUIRE(file >= 0);
        BOOST_TEST(::flock(file, LOCK_EX) == 0);
        ::close(file);
        BOOST_CHECK_THROW(server(), std::exception);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(embedded_redis, embedded_test)

BOOST_AUTO_TEST_CASE(is_there_as_long_as_it_is_used_and_keeps_the_jobs)
{
    const auto pushed = coworker({"push", "mail"}, "1\n2\n");
    BOOST_TEST(pushed.says("2 jobs queued"), pushed.errors);
    wait_until_stopped();
    const auto queues = coworker({"queues", "--json"});
    BOOST_TEST(queues.says("\"waiting\":2"), queues.output + queues.errors);
}

BOOST_AUTO_TEST_CASE(is_shared_by_all_who_use_it_at_the_same_time)
{
    running_program worker{work("echo did $(cat)")};
    std::list<running_program> pushes;
    for (int i = 0; i != 4; ++i)
        pushes.emplace_back(std::vector<std::string>{"push", "mail", "--redis", name, "/dev/null"});
    BOOST_TEST(coworker({"push", "mail"}, "7\n").code == 0);
    worker.wait_for("did 7");
    for (auto& push : pushes)
        BOOST_TEST(push.wait() == 0, push.seen());
    BOOST_TEST(ends_well(worker));
    wait_until_stopped();
}

BOOST_AUTO_TEST_CASE(does_not_outlive_those_who_were_killed)
{
    running_program worker{work("echo begun; sleep 1000")};
    BOOST_TEST(coworker({"push", "mail"}, "1\n").code == 0);
    worker.wait_for("begun");
    worker.signal(SIGKILL);
    wait_until_stopped();
    running_program next{work("echo attempt $COWORKER_ATTEMPT")};
    next.wait_for("attempt 2");
}

BOOST_AUTO_TEST_CASE(is_started_again_when_it_is_killed)
{
    running_program worker{work("echo did $(cat)")};
    BOOST_TEST(coworker({"push", "mail"}, "1\n").code == 0);
    worker.wait_for("did 1");
    ::kill(std::stoi(server().info("server", "process_id")), SIGKILL);
    worker.wait_for("reconnected");
    BOOST_TEST(coworker({"push", "mail"}, "2\n").code == 0);
    worker.wait_for("did 2");
}

BOOST_AUTO_TEST_CASE(keeps_what_is_pushed_after_it_was_killed_while_it_wrote)
{
    BOOST_TEST(coworker({"push", "mail"}, "1\n2\n").code == 0);
    wait_until_stopped();
    write_half_a_transaction(folder);
    BOOST_TEST(coworker({"push", "mail"}, "3\n").code == 0);
    wait_until_stopped();
    const auto queues = coworker({"queues", "--json"});
    BOOST_TEST(queues.says("\"waiting\":3"), queues.output + queues.errors);
}

BOOST_AUTO_TEST_CASE(is_found_by_the_commands_of_jobs)
{
    running_program worker{work("echo $COWORKER_REDIS")};
    BOOST_TEST(coworker({"push", "mail"}, "1\n").code == 0);
    worker.wait_for(name);
}

BOOST_AUTO_TEST_CASE(says_why_it_cannot_be_started)
{
    program_surroundings bare;
    bare.environment = {"PATH=/nowhere"};
    const auto missing = run_coworker({"queues", "--redis", name}, bare);
    BOOST_TEST(missing.code == 1);
    BOOST_TEST(missing.complains("apt install redis-server"), missing.errors);

    std::ofstream{outer.file("file")} << "no folder";
    name = "embedded:" + outer.file("file");
    BOOST_TEST(coworker({"queues"}).complains("not a folder"));
    name = "embedded:" + outer.file(std::string(100, 'x'));
    BOOST_TEST(coworker({"queues"}).complains("too long"));
    name = "embedded:" + outer.file("open");
    std::filesystem::create_directory(outer.file("open"));
    ::chmod(outer.file("open").c_str(), 0777);
    BOOST_TEST(coworker({"queues"}).complains("chmod 700"));
    name = "embedded:";
    BOOST_TEST(coworker({"queues"}).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
