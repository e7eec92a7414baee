#include "work_test.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>

BOOST_FIXTURE_TEST_SUITE(bench_and_demo, coworker::test::work_test)

using namespace coworker::test;

BOOST_AUTO_TEST_CASE(bench_measures_and_leaves_no_key)
{
    push({"mail"}, "1\n");
    for (const auto* kind : {"", "--managed"}) {
        std::vector<std::string> words{"bench", "--jobs", "500", "--payload", "20", "--json"};
        if (*kind)
            words.emplace_back(kind);
        const auto result = coworker(words);
        BOOST_TEST(result.code == 0, result.errors);
        BOOST_TEST(result.says("\"worked_per_second\":"), result.output);
        BOOST_TEST(server("DBSIZE").integer == 2); // the job, and that there is a queue of that name
    }
    const auto shown = coworker({"bench", "--jobs", "10"});
    BOOST_TEST(shown.says("which is removed afterwards"));
    BOOST_TEST(shown.says("jobs/s"));
}

BOOST_AUTO_TEST_CASE(bench_removes_its_queue_when_it_is_interrupted)
{
    running_program bench{{"bench", "--redis", server.url(), "--jobs", "10000000"}};
    bench.wait_for("queue of its own");
    bench.signal(SIGINT);
    bench.wait_for("interrupted");
    BOOST_TEST(bench.wait() == 1);
    BOOST_TEST(server("DBSIZE").integer == 0);
}

BOOST_AUTO_TEST_CASE(demo_loses_nothing_and_leaves_nothing)
{
    const temporary_folder folder;
    for (int i = 0; i != 300; ++i)
        std::ofstream{folder.file(std::to_string(i))} << std::string(1000, static_cast<char>('a' + i % 26))
                                                      << i;
    const auto on_own_server = run_coworker({"demo", folder.path()});
    BOOST_TEST(on_own_server.code == 0, on_own_server.errors);
    BOOST_TEST(on_own_server.says("Nothing was lost"), on_own_server.output);
    const auto on_this = run_coworker({"demo", folder.path(), "--redis", server.url()});
    BOOST_TEST(on_this.code == 0, on_this.errors);
    BOOST_TEST(server("DBSIZE").integer == 0);
    BOOST_TEST(run_coworker({"demo", "/no/such/folder"}).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
