// SPDX-License-Identifier: MIT
#include "text/base64.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(base64url)

using namespace coworker::detail;

BOOST_AUTO_TEST_CASE(writes_the_examples_of_rfc_4648_without_padding)
{
    BOOST_TEST(to_base64url("") == "");
    BOOST_TEST(to_base64url("f") == "Zg");
    BOOST_TEST(to_base64url("fo") == "Zm8");
    BOOST_TEST(to_base64url("foo") == "Zm9v");
    BOOST_TEST(to_base64url("foobar") == "Zm9vYmFy");
    BOOST_TEST(to_base64url("\xfb\xff") == "-_8");
}

BOOST_AUTO_TEST_CASE(reads_back_all_bytes)
{
    std::string bytes;
    for (int i = 0; i != 256; ++i) {
        bytes += static_cast<char>(i);
        BOOST_TEST((from_base64url(to_base64url(bytes)) == bytes));
    }
}

BOOST_AUTO_TEST_CASE(refuses_everything_else)
{
    for (const auto text : {"Z", "Zg==", "Zm9v\n", "+_8", "Zh", "Zm9", "Zm9vY", "Zm 9v", "Zm9vYmFyé"})
        BOOST_TEST(!from_base64url(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()
