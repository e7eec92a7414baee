// SPDX-License-Identifier: MIT
#include "work_test.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <sys/prctl.h>
#include <thread>

/// What `coworker` does as process 1 of a container. Here it is what is as good as that for its own descendants: a "child
/// subreaper", to which their orphans come.
BOOST_FIXTURE_TEST_SUITE(process_one, coworker::test::work_test)

using namespace coworker::test;

namespace {

/// In the process that becomes `coworker`: it adopts orphans, and there are ten that have ended.
void adopt_orphans()
{
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int i = 0; i != 10; ++i)
        if (::fork() == 0) {
            if (::fork() == 0)
                ::_exit(0); // its parent leaves it to the subreaper
            ::_exit(0);
        }
}

/// Waits until the process has so many children, zombies included.
void wait_for_children(pid_t id, std::size_t count)
{
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    while (children_of(id).size() != count) {
        if (std::chrono::steady_clock::now() > until)
            throw std::runtime_error{"there are " + std::to_string(children_of(id).size()) + " children"};
        std::this_thread::yield();
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(a_gateway_waits_for_the_orphans_of_others)
{
    running_program gateway{{"gateway", "--listen", "127.0.0.1:0", "--redis", server.url()}, adopt_orphans};
    gateway.wait_for("Listening on");
    wait_for_children(gateway.id(), 1);
    BOOST_TEST(ends_well(gateway));
}

BOOST_AUTO_TEST_CASE(a_worker_waits_for_the_orphans_of_others_and_hands_signals_on)
{
    push({"mail"}, "1\n");
    gate gate;
    running_program worker{work({"mail"}, "echo begun; " + gate.wait()), adopt_orphans};
    worker.wait_for("begun");
    wait_for_children(worker.id(), 1);
    worker.signal(SIGTERM);
    worker.wait_for("a second signal");
    BOOST_TEST(gate.let_pass(1));
    BOOST_TEST(worker.read_to_end().find("succeeded") != std::string::npos);
    BOOST_TEST(worker.wait() == 0);
    BOOST_TEST(sandboxes_are_empty());
}

BOOST_AUTO_TEST_CASE(ends_as_the_program_ended)
{
    running_program wrong{{"work", "mail", "--lease", "never", "--", "true"}, adopt_orphans};
    wrong.read_to_end();
    BOOST_TEST(wrong.wait() == 2);
    push({"mail"}, "1\n");
    running_program worker{work({"mail"}, "echo begun; sleep 1000"), adopt_orphans};
    worker.wait_for("begun");
    worker.signal(SIGKILL);
    worker.read_to_end(); // nobody is left
    BOOST_TEST(worker.wait() == -SIGKILL);
    running_program next{work({"mail"}, "echo attempt $COWORKER_ATTEMPT"), adopt_orphans};
    next.wait_for("attempt 2");
    ::kill(children_of(next.id()).at(0), SIGKILL);
    next.read_to_end();
    BOOST_TEST(next.wait() == 128 + SIGKILL);
}

BOOST_AUTO_TEST_SUITE_END()
