// SPDX-License-Identifier: MIT
#include "coworker/zstd.hpp"

#include "support/expect.hpp"
#include "text/base64.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace coworker;
using namespace coworker::test;
using namespace std::string_literals;

namespace {

constexpr payload_facts anywhere{"mail", "Letter"};

std::string long_text(std::size_t size, const std::string& part = "all work and no play. ")
{
    std::string text = "\"";
    while (text.size() + part.size() < size)
        text += part;
    return text + '"';
}

std::string why_broken(const payload_codecs& codecs, std::string_view stored)
{
    try {
        (void)codecs.decode(stored, anywhere);
    } catch (const payload_error& error) {
        BOOST_TEST((error.chance() == payload_error::hope::none));
        return error.what();
    }
    return "";
}

std::string as_stored(std::string_view bytes)
{
    return R"({"coworker:zstd:1":")" + detail::base64_encode(bytes) + R"("})";
}

std::string bytes_in(std::string_view stored)
{
    return detail::base64_decode(stored.substr(20, stored.size() - 22)).value();
}

} // namespace

BOOST_AUTO_TEST_SUITE(zstd_payloads)

BOOST_AUTO_TEST_CASE(jobs_come_back_as_they_were)
{
    const payload_codecs codecs{zstd_codec({.smallest = 0})};
    for (const auto& job :
         {long_text(100), long_text(100'000), long_text(5'000, "käse \xF0\x9F\xA7\x80 \\u0000 "),
          "[" + std::string(2000, ' ') + "1.50]"}) {
        const auto stored = codecs.encode(job, anywhere);
        BOOST_TEST(stored.starts_with(R"({"coworker:zstd:1":"KLUv/)")); // a frame's magic number
        BOOST_TEST(stored.size() < job.size());
        BOOST_TEST(codecs.decode(stored, anywhere) == job);
    }
}

BOOST_AUTO_TEST_CASE(small_jobs_and_those_that_do_not_shrink_stay_as_they_are)
{
    const payload_codecs codecs{zstd_codec()};
    const auto below = long_text(1023), above = long_text(1100);
    BOOST_TEST(below.size() < 1024u);
    BOOST_TEST(codecs.encode(below, anywhere) == below);
    BOOST_TEST(codecs.encode(above, anywhere).size() < 200u);

    std::string noise = "\"";
    for (std::uint32_t i = 0, x = 1; i != 3000; ++i, x = x * 1664525 + 1013904223)
        noise += "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/"[x >> 26];
    noise += '"';
    BOOST_TEST(codecs.encode(noise, anywhere) == noise);
}

BOOST_AUTO_TEST_CASE(a_job_that_would_be_too_large_is_not_made)
{
    const payload_codecs writer{zstd_codec()}, reader{zstd_codec({.largest = 5000})};
    const auto job = long_text(5001, "a"), fits = long_text(5000, "a");
    const auto stored = writer.encode(job, anywhere);
    BOOST_TEST(stored.size() < 100u);
    BOOST_TEST(why_broken(reader, stored) == "the compressed job would have 5001 bytes, allowed are 5000");
    BOOST_TEST(reader.decode(writer.encode(fits, anywhere), anywhere) == fits);
    BOOST_TEST(payload_codecs{zstd_codec({.largest = 0})}.decode(stored, anywhere) == job);
    BOOST_TEST(error_in([&] { (void)reader.encode(job, anywhere); }) == errc::job_too_large);
}

BOOST_AUTO_TEST_CASE(a_frame_that_lies_about_its_size_is_broken)
{
    const payload_codecs codecs{zstd_codec({.smallest = 0})};
    auto bytes = bytes_in(codecs.encode(long_text(200, "a"), anywhere));
    // The size of less than 256 bytes is the byte behind the magic number and the descriptor.
    bytes[5] = static_cast<char>(bytes[5] + 1);
    BOOST_TEST(!why_broken(codecs, as_stored(bytes)).empty());
    bytes[5] = static_cast<char>(bytes[5] - 2);
    BOOST_TEST(!why_broken(codecs, as_stored(bytes)).empty());
}

BOOST_AUTO_TEST_CASE(what_is_not_one_whole_frame_is_broken)
{
    const payload_codecs codecs{zstd_codec()};
    const auto bytes = bytes_in(codecs.encode(long_text(2000), anywhere));
    BOOST_TEST(why_broken(codecs, as_stored(bytes + bytes)) == "the compressed job is not one zstd frame");
    BOOST_TEST(!why_broken(codecs, as_stored(bytes + "a")).empty());
    for (std::size_t size = 0; size != bytes.size(); ++size)
        BOOST_TEST(!why_broken(codecs, as_stored(bytes.substr(0, size))).empty(), size);
    BOOST_TEST(why_broken(codecs, R"({"coworker:zstd:1":"%"})") == "the compressed job is not base64");
    // Made by a stream that did not know its length.
    BOOST_TEST(why_broken(codecs, as_stored("\x28\xB5\x2F\xFD\x00\x58\x19\x00\x00\"a\""s)) ==
               "the compressed job does not say how large it is");
}

BOOST_AUTO_TEST_CASE(damage_is_noticed)
{
    const payload_codecs codecs{zstd_codec()};
    const auto job = long_text(3000, "damage is noticed at every place, ");
    const auto bytes = bytes_in(codecs.encode(job, anywhere));
    for (std::size_t i = 0; i != bytes.size(); ++i) {
        auto changed = bytes;
        changed[i] = static_cast<char>(changed[i] ^ 0x10);
        try {
            BOOST_TEST(codecs.decode(as_stored(changed), anywhere) == job,
                       i); // bits of the header that mean nothing
        } catch (const payload_error&) {
        }
    }
}

BOOST_AUTO_TEST_CASE(levels_have_bounds)
{
    for (const int level : {-100, 1, 19})
        (void)zstd_codec({.level = level});
    for (const int level : {20, 100, -10'000'000})
        BOOST_TEST(error_in([&] { (void)zstd_codec({.level = level}); }) == errc::invalid_option);
}

BOOST_AUTO_TEST_SUITE_END()
