// SPDX-License-Identifier: MIT
#include "record_lines.hpp"

#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker::test;

/// What the account of the fault tests rests on.
BOOST_AUTO_TEST_SUITE(record_lines)

BOOST_AUTO_TEST_CASE(a_part_of_a_killed_process_line_spoils_no_other)
{
    const temporary_folder folder;
    const auto path = folder.file("record");
    const int file = open_record(path.c_str());
    write_down(file, "1 70");
    BOOST_TEST_REQUIRE(::write(file, "\n123", 4) == 4); // of "123 71"
    write_down(file, "2 72");
    BOOST_TEST_REQUIRE(::write(file, "\n3 7", 4) == 4); // is being written
    std::size_t begin = 0;
    const std::vector<std::string> first{"1 70", "2 72"};
    BOOST_TEST(read_lines(path, begin) == first, boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(::write(file, "3.\n", 3) == 3);
    const std::vector<std::string> rest{"3 73"};
    BOOST_TEST(read_lines(path, begin) == rest, boost::test_tools::per_element());
    BOOST_TEST(read_lines(path, begin).empty());
    ::close(file);
}

BOOST_AUTO_TEST_SUITE_END()
