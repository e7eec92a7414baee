// SPDX-License-Identifier: MIT
#include "coworker/job.hpp"

#include "job_ids.hpp"

#include <boost/test/unit_test.hpp>

#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/time_generator_v7.hpp>
#include <boost/uuid/uuid_io.hpp>

using namespace std::chrono_literals;
using namespace std::string_view_literals;

BOOST_AUTO_TEST_SUITE(job_id)

using coworker::queued_at;
using coworker::detail::is_valid_name;

BOOST_AUTO_TEST_CASE(tells_when_it_was_made_if_it_is_a_version_7_uuid)
{
    // The example of RFC 9562, appendix A.6: 2022-02-22 19:22:22 UTC.
    const auto found = queued_at("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
    BOOST_TEST_REQUIRE(found.has_value());
    const auto expected = std::chrono::sys_days{std::chrono::year{2022} / 2 / 22} + 19h + 22min + 22s;
    BOOST_TEST((std::chrono::floor<std::chrono::milliseconds>(*found) == expected));
}

BOOST_AUTO_TEST_CASE(reads_the_time_of_a_new_one)
{
    boost::uuids::time_generator_v7 generate;
    const auto before = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const auto found = queued_at(to_string(generate()));
    const auto after = std::chrono::system_clock::now();
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST((*found >= before && *found <= after));
}

BOOST_AUTO_TEST_CASE(reads_upper_case)
{
    BOOST_TEST((queued_at("017F22E2-79B0-7CC3-98C4-DC0C0C07398F") ==
                queued_at("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")));
}

BOOST_AUTO_TEST_CASE(reads_it_without_dashes)
{
    BOOST_TEST(
        (queued_at("017f22e279b07cc398c4dc0c0c07398f") == queued_at("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")));
}

BOOST_AUTO_TEST_CASE(tells_nothing_otherwise)
{
    BOOST_TEST(!queued_at(to_string(boost::uuids::random_generator{}())).has_value());
    for (const auto id : {"783cf770-2145-47f0-ab4e-2a5ca721b83c", // hworker's are of version 4
                          "", "1", "order-4711", "783cf770214547f0ab4e2a5ca721b83c", // qless' as well
                          "017f22e279b07cc398c4dc0c0c07398", "-17f22e279b07cc398c4dc0c0c07398f",
                          "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}", "017f22e2-79b0-7cc3-98c4-dc0c0c07398",
                          "017f22e2-79b0-7cc3-98c4-dc0c0c07398ff", "017f22e2-79b0-7cc3-98c4-dc0c0c07398x",
                          "017f22e2x79b0-7cc3-98c4-dc0c0c07398f", "------------------------------------"})
        BOOST_TEST(!queued_at(id).has_value(), id);
}

BOOST_AUTO_TEST_CASE(accepts_ids_of_1_to_256_bytes_of_utf8)
{
    BOOST_TEST(is_valid_name("a"));
    BOOST_TEST(is_valid_name("\xc3\xa9\xf0\x9f\x98\x80"));
    BOOST_TEST(is_valid_name("\0"sv));
    BOOST_TEST(is_valid_name(std::string(256, 'x')));
    BOOST_TEST(!is_valid_name(std::string(257, 'x')));
    BOOST_TEST(!is_valid_name(""));
    for (const auto bytes : {"\xff", "a\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"})
        BOOST_TEST(!is_valid_name(bytes));
}

BOOST_AUTO_TEST_SUITE_END()
