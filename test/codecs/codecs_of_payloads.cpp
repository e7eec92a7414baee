// SPDX-License-Identifier: MIT
#include "coworker/payload_codec.hpp"

#include "codecs/reversed_payloads.hpp"
#include "support/expect.hpp"
#include "text/base64.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace coworker;
using namespace coworker::test;
using namespace std::string_literals;

namespace {

constexpr payload_facts letter_facts{"mail", "Letter"};

std::string why_not(const payload_codecs& codecs, std::string_view stored,
                    payload_error::hope chance = payload_error::hope::none)
{
    try {
        (void)codecs.decode(stored, letter_facts);
    } catch (const payload_error& error) {
        BOOST_TEST((error.chance() == chance));
        return error.what();
    }
    return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(codecs_of_payloads)

BOOST_AUTO_TEST_CASE(base64_is_that_of_the_standard)
{
    const std::pair<std::string, std::string> known[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"},
                                                         {"\xFB\xFF\xBE", "+/++"}};
    for (const auto& [bytes, text] : known) {
        BOOST_TEST(detail::base64_encode(bytes) == text);
        BOOST_TEST(detail::base64_decode(text).value() == bytes);
    }
    std::string all;
    for (int i = 0; i != 256; ++i)
        all += static_cast<char>(i);
    for (std::size_t size = 0; size != all.size(); ++size)
        BOOST_TEST(detail::base64_decode(detail::base64_encode(all.substr(size))).value() ==
                   all.substr(size));
}

BOOST_AUTO_TEST_CASE(bytes_have_one_base64_text)
{
    for (const std::string text : {"Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Z===", "====", "=",
                                   "Zg==Zg==", "Zm 9", "Zm9\n", "Zm9-", "Zm9_", "Zm9\xC3", " Zg==", "Zm9v\n"})
        BOOST_TEST(!detail::base64_decode(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(an_encoded_job_is_an_object_with_one_member)
{
    const coworker::payload_codecs codecs{reversed()};
    const auto stored = codecs.encode(R"({"to":"Ada"})", letter_facts);
    BOOST_TEST(stored == R"({"coworker:reversed:1":"Letter.fSJhZEEiOiJvdCJ7"})");
    BOOST_TEST(codecs.decode(stored, letter_facts) == R"({"to":"Ada"})");
}

BOOST_AUTO_TEST_CASE(what_others_write_of_it_is_read)
{
    const coworker::payload_codecs codecs{reversed()};
    BOOST_TEST(codecs.decode(" { \"coworker:reversed:1\" :\t\"Letter.fSJhZEEiOiJvdCJ7\" }\n", letter_facts) ==
               R"({"to":"Ada"})");
    // Lua's cjson and PHP write a slash so.
    const coworker::payload_codecs short_one{reversed()};
    BOOST_TEST(short_one.decode(R"({"coworker:reversed:1":"Letter.\/\/\/\/"})", letter_facts) ==
               "\xFF\xFF\xFF");
}

BOOST_AUTO_TEST_CASE(plain_jobs_are_taken_as_they_are)
{
    const coworker::payload_codecs codecs{reversed()};
    for (const std::string job : {"1", "null", "[1]", R"("text")", "{}", R"({"coworker":1})",
                                  R"({"coworker:reversed:1":1})", R"({"coworker:reversed:1":"a","more":1})",
                                  R"({"a":1,"coworker:reversed:1":"a"})", "no JSON", "", "{"})
        BOOST_TEST(codecs.decode(job, letter_facts) == job);
    BOOST_TEST(codecs.encode(R"(["plain"])", letter_facts) == R"(["plain"])");
}

BOOST_AUTO_TEST_CASE(without_codecs_nothing_is_changed)
{
    const coworker::payload_codecs none, also_none{};
    BOOST_TEST(none.empty());
    BOOST_TEST(also_none.empty());
    const auto like_encoded = R"({"coworker:reversed:1":"a"})"s;
    BOOST_TEST(none.encode(like_encoded, letter_facts) == like_encoded);
    BOOST_TEST(none.decode(like_encoded, letter_facts) == like_encoded);
}

BOOST_AUTO_TEST_CASE(a_job_that_looks_encoded_is_not_pushed)
{
    const coworker::payload_codecs codecs{reversed()};
    const auto refused =
        error_in([&] { (void)codecs.encode(R"({"coworker:other":"plain"})", letter_facts); });
    BOOST_TEST(refused == errc::not_serializable);
    BOOST_TEST(refused.says("reserved"));
}

BOOST_AUTO_TEST_CASE(codecs_encode_in_their_order_and_are_found_by_name)
{
    const coworker::payload_codecs codecs{reversed("inner"), reversed("outer")},
        other_order{reversed("outer"), reversed("inner")};
    const auto stored = codecs.encode("7", letter_facts);
    BOOST_TEST(stored.starts_with(R"({"coworker:outer":)"));
    BOOST_TEST(codecs.decode(stored, letter_facts) == "7");
    BOOST_TEST(other_order.decode(stored, letter_facts) == "7");
    BOOST_TEST(codecs.decode(coworker::payload_codecs{reversed("inner")}.encode("8", letter_facts),
                             letter_facts) == "8");
}

BOOST_AUTO_TEST_CASE(a_codec_that_is_missing_may_be_elsewhere)
{
    const auto stored = coworker::payload_codecs{reversed("other:2")}.encode("7", letter_facts);
    const auto why = why_not({reversed()}, stored, payload_error::hope::elsewhere);
    BOOST_TEST(why == "the job is encoded as 'other:2', and this program has no codec for that");
}

BOOST_AUTO_TEST_CASE(what_a_codec_refuses_is_refused)
{
    const coworker::payload_codecs codecs{reversed()};
    BOOST_TEST(why_not(codecs, codecs.encode("7", {"mail", "Bill"})) == "not reversed here");
}

BOOST_AUTO_TEST_CASE(a_required_codec_refuses_others)
{
    const coworker::payload_codecs codecs{reversed("a"), reversed("b", true)};
    const auto stored = codecs.encode("7", letter_facts);
    BOOST_TEST(codecs.decode(stored, letter_facts) == "7");
    BOOST_TEST(why_not(codecs, "7") == "the job is not encoded as 'b', and other jobs are refused here");
    BOOST_TEST(why_not(codecs, coworker::payload_codecs{reversed("a")}.encode("7", letter_facts)) ==
               "the job is not encoded as 'b', and other jobs are refused here");
}

BOOST_AUTO_TEST_CASE(a_job_that_is_encoded_again_and_again_is_refused)
{
    const coworker::payload_codecs codecs{reversed("a"), reversed("b"), reversed("c"), reversed("d"),
                                          reversed("e")};
    auto stored = codecs.encode("7", letter_facts);
    BOOST_TEST(codecs.decode(stored, letter_facts) == "7");
    const reversed_payloads again{"a"};
    for (int i = 0; i != 4; ++i)
        stored = R"({"coworker:a":")" + *again.encode(stored, letter_facts) + R"("})";
    BOOST_TEST(why_not(codecs, stored) == "the job is encoded too many times");
}

BOOST_AUTO_TEST_CASE(codecs_have_names_of_their_own)
{
    for (const std::string name : {"", "a b", "a\"", "a/1", "\xC3\xA4"})
        BOOST_TEST(error_in([&] { (void)coworker::payload_codecs{reversed(name)}; }) == errc::invalid_option);
    BOOST_TEST(error_in([&] {
                   (void)coworker::payload_codecs{reversed(), reversed()};
               }) == errc::invalid_option);
    BOOST_TEST(error_in([&] { (void)coworker::payload_codecs{std::shared_ptr<const payload_codec>{}}; }) ==
               errc::invalid_option);
}

BOOST_AUTO_TEST_SUITE_END()
