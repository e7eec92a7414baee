// SPDX-License-Identifier: MIT
#include "random_text.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(random_texts)

BOOST_AUTO_TEST_CASE(have_128_bits_that_differ_each_time)
{
    constexpr int draws = 1000;
    std::set<std::string> whole, quarters;
    for (int i = 0; i != draws; ++i) {
        const auto text = coworker::detail::random_digits();
        BOOST_TEST_REQUIRE(text.size() == 32u);
        BOOST_TEST(text.find_first_not_of("0123456789abcdef") == text.npos, text);
        whole.insert(text);
        for (std::size_t begin = 0; begin != text.size(); begin += 8)
            quarters.insert(text.substr(begin, 8));
    }
    BOOST_TEST(whole.size() == 1000u);
    // Each quarter is a draw of its own: of 4000 among 2^32, two are equal once in five hundred runs, four hardly ever.
    BOOST_TEST(quarters.size() > 3996u);
}

BOOST_AUTO_TEST_SUITE_END()
