// SPDX-License-Identifier: MIT
#include "coworker/key_ring.hpp"

#include "support/expect.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

using namespace coworker;
using namespace coworker::test;

namespace {

const std::string one = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
                  other = "/////////////////////////////////////////w8=";

thrown why_no_ring(const std::string& text)
{
    return error_in([&] { (void)key_ring{text}; });
}

} // namespace

BOOST_AUTO_TEST_SUITE(key_rings)

BOOST_AUTO_TEST_CASE(the_first_key_writes_and_all_are_there)
{
    for (const std::string between : {",", " ", "\n", "\r\n", " ,\t\n"}) {
        const key_ring keys{" 2026-11:" + one + between + "2026-05:" + other + "\n"};
        BOOST_TEST(keys.current() == "2026-11");
        BOOST_TEST(keys.has("2026-11"));
        BOOST_TEST(keys.has("2026-05"));
        BOOST_TEST(!keys.has("2026"));
        BOOST_TEST(!keys.has(""));
    }
}

BOOST_AUTO_TEST_CASE(wrong_keys_are_refused_and_not_told)
{
    for (const auto& text : std::vector<std::string>{
             "", " \n,", "a", "a:", ":", "a:b", "a:" + one.substr(1), "a:" + one.substr(0, 43),
             "a:" + one + "=", "a:" + one + "AAAA", "a:" + one + ",a:" + other, ":" + one, "a b:" + one,
             "\xC3\xA4:" + one, std::string(65, 'a') + ":" + one, one, "a:" + one + "," + other,
             "a:" + one + ",b:" + other.substr(2)}) {
        const auto why = why_no_ring(text);
        BOOST_TEST(why == errc::invalid_option, text);
        BOOST_TEST(!why.says(one.substr(4, 8)), why.message);
        BOOST_TEST(!why.says(other.substr(4, 8)), why.message);
    }
    BOOST_TEST(why_no_ring("a:" + one + ",b:AAAA")
                   .says("the keys, entry 2: 'b' is not the base64 text of 32 bytes"));
    BOOST_TEST(why_no_ring("a:" + one + ",a:" + other).says("there are two keys 'a'"));
    BOOST_TEST(why_no_ring("").says("there is no key"));
}

BOOST_AUTO_TEST_CASE(keys_come_from_the_environment)
{
    ::setenv("COWORKER_TEST_KEYS", ("k1:" + one).c_str(), 1);
    BOOST_TEST(key_ring::from_environment("COWORKER_TEST_KEYS").current() == "k1");
    ::setenv("COWORKER_TEST_KEYS", "k1", 1);
    BOOST_TEST(error_in([] {
                   (void)key_ring::from_environment("COWORKER_TEST_KEYS");
               }).says("the variable COWORKER_TEST_KEYS, entry 1: it is not ID:BASE64"));
    ::unsetenv("COWORKER_TEST_KEYS");
    const auto why = error_in([] { (void)key_ring::from_environment("COWORKER_TEST_KEYS"); });
    BOOST_TEST(why == errc::invalid_option);
    BOOST_TEST(why.says("the variable COWORKER_TEST_KEYS: it is not set"));
}

BOOST_AUTO_TEST_CASE(keys_come_from_a_file)
{
    const temporary_folder folder;
    const auto path = (folder.path() / "keys").string();
    BOOST_TEST(
        error_in([&] { (void)key_ring::from_file(path); }).says("the file " + path + ": it cannot be read"));
    BOOST_TEST(error_in([&] { (void)key_ring::from_file(folder.path().string()); }) == errc::invalid_option);
    std::ofstream{path} << "new:" << one << "\nold:" << other << '\n';
    const auto keys = key_ring::from_file(path);
    BOOST_TEST(keys.current() == "new");
    BOOST_TEST(keys.has("old"));
    std::ofstream{path} << std::string(70'000, ' ');
    BOOST_TEST(error_in([&] { (void)key_ring::from_file(path); }).says("too large"));
}

BOOST_AUTO_TEST_SUITE_END()
