#include "work_test.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>

BOOST_FIXTURE_TEST_SUITE(demo, coworker::test::work_test)

using namespace coworker::test;

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
