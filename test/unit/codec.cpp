// SPDX-License-Identifier: MIT
#include "coworker/codec.hpp"

#include "bounds.hpp"
#include "support/print.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <map>
#include <optional>
#include <variant>

using namespace std::string_literals;
using namespace std::string_view_literals;

namespace jobs {

struct address
{
    std::string street;
    int number = 0;
    bool operator==(const address&) const = default;
};
BOOST_DESCRIBE_STRUCT(address, (), (street, number))

struct letter
{
    address to;
    std::vector<std::string> pages;
    std::optional<double> weight;
    bool operator==(const letter&) const = default;
};
BOOST_DESCRIBE_STRUCT(letter, (), (to, pages, weight))

/// Has got members since there are jobs of it.
struct picture : address
{
    std::string image;
    int quality = 80;
    std::vector<int> widths = {320, 640};
    std::optional<int> depth = 24;
    bool operator==(const picture&) const = default;
};
BOOST_DESCRIBE_STRUCT(picture, (address), (image, quality, widths, depth))
COWORKER_MAY_BE_MISSING(picture, quality, widths, number)

BOOST_DEFINE_ENUM_CLASS(colour, red, green)

/// Has a JSON form of its own, and refuses zero.
struct even
{
    int half = 0;
};

void tag_invoke(boost::json::value_from_tag, boost::json::value& to, const even& from)
{
    to = from.half * 2;
}

even tag_invoke(boost::json::value_to_tag<even>, const boost::json::value& from)
{
    if (from.to_number<int>() == 0)
        throw std::domain_error{"zero"};
    return {from.to_number<int>() / 2};
}

} // namespace jobs

BOOST_AUTO_TEST_SUITE(codec)

namespace json = boost::json;
using coworker::decode;
using coworker::encode;
using coworker::errc;
using coworker::raw_json;
using coworker::detail::max_json_depth;

template<class Job>
void check_round_trip(const Job& job, std::string_view text)
{
    BOOST_TEST_CONTEXT(text)
    {
        const auto encoded = encode(job);
        BOOST_TEST_REQUIRE(encoded.has_value());
        BOOST_TEST(*encoded == text);
        const auto decoded = decode<Job>(text);
        BOOST_TEST_REQUIRE(decoded.has_value());
        BOOST_TEST((*decoded == job));
    }
}

template<class Job>
void check_not_serializable(const Job& job)
{
    const auto encoded = encode(job);
    BOOST_TEST_REQUIRE(encoded.has_error());
    BOOST_TEST(encoded.error() == errc::not_serializable);
}

json::value nested(std::size_t depth)
{
    json::value inner = json::array{};
    for (std::size_t i = 1; i < depth; ++i)
        inner = i % 2 != 0 ? json::value{json::object{{"x", std::move(inner)}}}
                           : json::value(json::array{std::move(inner)});
    return inner;
}

BOOST_AUTO_TEST_CASE(writes_and_reads_what_boost_json_knows)
{
    check_round_trip(5, "5");
    check_round_trip(true, "true");
    check_round_trip("\xc3\xa9 \"/\" \n"s, "\"\xc3\xa9 \\\"/\\\" \\n\"");
    check_round_trip("a\0b"s, R"("a\u0000b")");
    check_round_trip(""s, R"("")");
    check_round_trip(std::vector{1, 2, 3}, "[1,2,3]");
    check_round_trip(std::map<std::string, int>{{"a", 1}, {"b", 2}}, R"({"a":1,"b":2})");
    check_round_trip(std::optional<int>{}, "null");
    check_round_trip(std::variant<int, std::string>{"x"}, R"("x")");
    check_round_trip(std::tuple{1, "a"s}, R"([1,"a"])");
}

BOOST_AUTO_TEST_CASE(writes_and_reads_described_types)
{
    jobs::letter full;
    full.to.street = "Main St";
    full.to.number = 5;
    full.pages = {"Dear", "Yours"};
    full.weight = 0.5;
    check_round_trip(full,
                     R"({"to":{"street":"Main St","number":5},"pages":["Dear","Yours"],"weight":5E-1})");
    const jobs::letter empty;
    check_round_trip(empty, R"({"to":{"street":"","number":0},"pages":[],"weight":null})");
    check_round_trip(jobs::colour::green, R"("green")");
}

BOOST_AUTO_TEST_CASE(writes_and_reads_types_with_conversions_of_their_own)
{
    BOOST_TEST(encode(jobs::even{4}).value() == "8");
    BOOST_TEST(decode<jobs::even>("8").value().half == 4);
}

BOOST_AUTO_TEST_CASE(tells_when_a_users_conversion_throws)
{
    BOOST_TEST(decode<jobs::even>("0").has_error());
    BOOST_TEST(decode<jobs::even>("\"x\"").has_error());
}

BOOST_AUTO_TEST_CASE(writes_and_reads_plain_json_values)
{
    const json::value job = {{"a", {1, 2.5, "x", nullptr, true}}, {"b", json::object{}}};
    check_round_trip(job, R"({"a":[1,2.5E0,"x",null,true],"b":{}})");
}

BOOST_AUTO_TEST_CASE(keeps_a_decoded_value_alive_on_its_own)
{
    // Longer than what the parser has on its stack.
    auto text = std::make_unique<std::string>('"' + std::string(100'000, 'x') + '"');
    const auto value = decode<json::value>(*text).value();
    text.reset();
    BOOST_TEST(value.as_string().size() == 100'000);
    BOOST_TEST(value.as_string() == std::string(100'000, 'x'));
}

BOOST_AUTO_TEST_CASE(passes_raw_json_on_byte_for_byte)
{
    for (const auto text :
         {"1", " {\"b\" : 1,\n\"a\":2.50 } ", "123456789012345678901234567890", "\"\\u0041\""}) {
        BOOST_TEST(encode(raw_json{text}).value() == text);
        BOOST_TEST(decode<raw_json>(text).value().text == text);
    }
}

BOOST_AUTO_TEST_CASE(refuses_raw_json_that_is_not_one_json_value)
{
    for (const auto text : {"", " ", "{", "1 2", "[1]]", "{'a':1}", "nul", "\"\xff\"", "[1,]", "NaN"})
        check_not_serializable(raw_json{text});
    for (const auto text : {"", "{", "1 2", "nul"})
        BOOST_TEST(decode<raw_json>(text).has_error(), text);
    check_not_serializable(raw_json{"1\0"s});
    check_not_serializable(raw_json{"\"\0\""s});
}

BOOST_AUTO_TEST_CASE(refuses_numbers_that_are_not_finite)
{
    const auto infinity = std::numeric_limits<double>::infinity();
    check_not_serializable(std::nan(""));
    check_not_serializable(infinity);
    check_not_serializable(-infinity);
    check_not_serializable(jobs::letter{{}, {}, infinity});
    check_not_serializable(std::vector<double>{1, infinity});
    BOOST_TEST(encode(std::numeric_limits<double>::max()).has_value());
}

BOOST_AUTO_TEST_CASE(refuses_text_that_is_not_utf8)
{
    for (const auto& text : {"\xff"s, "a\xc3"s, "\xc3("s, "\xc0\xaf"s, "\xe0\x80\xaf"s, "\xf0\x80\x80\xaf"s,
                             "\xed\xa0\x80"s, "\xed\xbf\xbf"s, "\xf4\x90\x80\x80"s, "\xf5\x80\x80\x80"s,
                             "\x80"s, "\xe2\x82"s, "\xf0\x9f\x98"s, "\xe2(\xa1"s, "\xf0\x9f(\x80"s}) {
        check_not_serializable(text);
        check_not_serializable(std::vector{"x"s, text});
        check_not_serializable(std::map<std::string, int>{{text, 1}});
        check_not_serializable(jobs::letter{{text, 1}, {}, {}});
    }
}

BOOST_AUTO_TEST_CASE(accepts_all_of_unicode)
{
    for (const auto& text : {"\x7f"s, "\xc2\x80"s, "\xdf\xbf"s, "\xe0\xa0\x80"s, "\xed\x9f\xbf"s,
                             "\xee\x80\x80"s, "\xef\xbf\xbf"s, "\xf0\x90\x80\x80"s, "\xf4\x8f\xbf\xbf"s})
        check_round_trip(text, '"' + text + '"');
}

BOOST_AUTO_TEST_CASE(decodes_every_nesting_that_it_encodes)
{
    const auto deepest = encode(nested(max_json_depth));
    BOOST_TEST_REQUIRE(deepest.has_value());
    BOOST_TEST((decode<json::value>(*deepest).value() == nested(max_json_depth)));
    BOOST_TEST(encode(raw_json{*deepest}).has_value());

    check_not_serializable(nested(max_json_depth + 1));
    check_not_serializable(nested(2'000));
    const auto deeper = json::serialize(nested(max_json_depth + 1));
    check_not_serializable(raw_json{deeper});
    BOOST_TEST(decode<json::value>(deeper).has_error());
    BOOST_TEST(decode<json::value>(std::string(1'000'000, '[')).has_error());
}

BOOST_AUTO_TEST_CASE(keeps_integers_of_64_bits_exact)
{
    check_round_trip(std::numeric_limits<std::int64_t>::min(), "-9223372036854775808");
    check_round_trip(std::numeric_limits<std::int64_t>::max(), "9223372036854775807");
    check_round_trip(std::numeric_limits<std::uint64_t>::max(), "18446744073709551615");
}

BOOST_AUTO_TEST_CASE(reads_integers_as_hworker_does)
{
    BOOST_TEST(decode<std::int64_t>("5.0").value() == 5);
    BOOST_TEST(decode<std::int64_t>("5e0").value() == 5);
    BOOST_TEST(decode<std::int64_t>("5.5").has_error());
    BOOST_TEST(decode<std::int64_t>("9223372036854775808").has_error());
    BOOST_TEST(decode<std::int64_t>("1e30").has_error());
    BOOST_TEST(decode<std::int8_t>("128").has_error());
    BOOST_TEST(decode<unsigned>("-1").has_error());
}

BOOST_AUTO_TEST_CASE(takes_huge_numbers_without_harm)
{
    const std::string digits(5'000, '9');
    for (const auto& text : {digits, '-' + digits, "1e400"s, "-1e999999999999"s})
        BOOST_TEST(decode<int>(text).has_error());
    for (const auto& text : {digits, "0." + digits, "1e400"s, "1e-999999"s}) {
        (void)decode<double>(text);
        (void)decode<json::value>(text);
        (void)encode(raw_json{text});
    }
}

BOOST_AUTO_TEST_CASE(says_what_does_not_fit)
{
    BOOST_TEST(decode<int>("\"5\"").error() == json::error::not_number);
    BOOST_TEST(decode<std::string>("5").error() == json::error::not_string);
    BOOST_TEST(decode<int>("").error() == json::error::incomplete);
    BOOST_TEST(decode<int>("x").error() == json::error::syntax);
    BOOST_TEST(decode<int>("1 2").error() == json::error::extra_data);
    BOOST_TEST(decode<jobs::colour>(R"("blue")").has_error());
}

BOOST_AUTO_TEST_CASE(wants_every_member_but_the_optional_ones)
{
    BOOST_TEST(decode<jobs::address>(R"({"street":"Main St"})").has_error());
    BOOST_TEST(decode<jobs::letter>(R"({"to":{"street":"a","number":1},"pages":[]})").has_value());
    BOOST_TEST(decode<jobs::address>("[]").has_error());
    BOOST_TEST(decode<jobs::address>("null").has_error());
}

/// What is said of a letter that does not decode.
std::string why(std::string_view text)
{
    return coworker::why_not_decodable<jobs::letter>(text);
}

BOOST_AUTO_TEST_CASE(names_the_type_and_the_member_that_does_not_fit)
{
    BOOST_TEST(why(R"({"pages":[]})") == "it is not a jobs::letter: 'to': it is missing");
    BOOST_TEST(why(R"({"to":{"street":"A"},"pages":[]})") ==
               "it is not a jobs::letter: 'to.number': it is missing");
    BOOST_TEST(why(R"({"to":{"street":5,"number":1},"pages":[]})") ==
               "it is not a jobs::letter: 'to.street': a text is expected, and there is a number");
    BOOST_TEST(why(R"({"to":{"street":"A","number":1e99},"pages":[]})") ==
               "it is not a jobs::letter: 'to.number': the number does not fit int");
    BOOST_TEST(why(R"({"to":[],"pages":[]})") ==
               "it is not a jobs::letter: 'to': an object is expected, and there is a list");
    BOOST_TEST(why(R"({"to":{"street":"A","number":1},"pages":["1",null]})") ==
               "it is not a jobs::letter: 'pages[1]': a text is expected, and there is null");
    BOOST_TEST(why(R"({"to":{"street":"A","number":1},"pages":[],"weight":"x"})") ==
               "it is not a jobs::letter: 'weight': a number is expected, and there is a text");
    BOOST_TEST(why("5") == "it is not a jobs::letter: an object is expected, and there is a number");
    BOOST_TEST(why("{").starts_with("it is not JSON: "));
}

BOOST_AUTO_TEST_CASE(what_may_be_missing_takes_its_default)
{
    const auto told = [](std::string_view text) { return coworker::why_not_decodable<jobs::picture>(text); };
    const auto old = decode<jobs::picture>(R"({"image":"a.png","street":"Elm"})");
    BOOST_REQUIRE(old.has_value());
    BOOST_TEST(old->image == "a.png");
    BOOST_TEST(old->quality == 80);
    BOOST_TEST((old->widths == std::vector<int>{320, 640}));
    BOOST_TEST(old->number == 0); // of a base
    BOOST_TEST(old->depth.value() == 24);
    BOOST_TEST(told(R"({"image":"a.png","street":"Elm"})") == "");

    const auto complete =
        decode<jobs::picture>(encode(jobs::picture{{"Elm", 5}, "b", 3, {1}, std::nullopt}).value());
    BOOST_TEST((complete.value() == jobs::picture{{"Elm", 5}, "b", 3, {1}, std::nullopt}));
}

BOOST_AUTO_TEST_CASE(what_is_not_named_must_be_there)
{
    const auto told = [](std::string_view text) {
        BOOST_TEST(!decode<jobs::picture>(text), text);
        return coworker::why_not_decodable<jobs::picture>(text);
    };
    BOOST_TEST(told(R"({"street":"Elm"})") == "it is not a jobs::picture: 'image': it is missing");
    BOOST_TEST(told(R"({"image":"a.png"})") == "it is not a jobs::picture: 'street': it is missing");
    BOOST_TEST(told(R"({"image":"a","street":"","quality":"high"})") ==
               "it is not a jobs::picture: 'quality': a number is expected, and there is a text");
    BOOST_TEST(told(R"({"image":"a","street":"","quality":null})") ==
               "it is not a jobs::picture: 'quality': a number is expected, and there is null");
    BOOST_TEST(told("[]") == "it is not a jobs::picture: an object is expected, and there is a list");
}

BOOST_AUTO_TEST_CASE(members_may_be_missing_inside_of_other_types)
{
    const auto many = decode<std::vector<jobs::picture>>(R"([{"image":"a","street":""}])");
    BOOST_TEST(many.value().at(0).quality == 80);
    const auto named = decode<std::map<std::string, jobs::picture>>(R"({"x":{"image":"a","street":""}})");
    BOOST_TEST(named.value().at("x").quality == 80);
    const auto maybe = decode<std::optional<jobs::picture>>(R"({"image":"a","street":""})");
    BOOST_TEST(maybe.value().value().quality == 80);
    BOOST_TEST(boost::json::value_to<jobs::picture>({{"image", "a"}, {"street", ""}}).quality == 80);
}

BOOST_AUTO_TEST_CASE(passes_over_members_that_may_be_missing_or_are_not_known)
{
    BOOST_TEST(why(R"({"to":{"street":"A","number":1},"pages":[]})") == "");
    BOOST_TEST(why(R"({"to":{"street":"A","number":1},"pages":[],"weight":null,"colour":"red"})") == "");
    BOOST_TEST(
        decode<jobs::letter>(R"({"to":{"street":"A","number":1},"pages":[],"colour":"red"})").has_value());
}

BOOST_AUTO_TEST_CASE(passes_on_what_a_conversion_of_ones_own_says)
{
    BOOST_TEST(coworker::why_not_decodable<jobs::even>("0") == "it is not a jobs::even: zero");
    BOOST_TEST(coworker::why_not_decodable<raw_json>("{").starts_with("it is not JSON: "));
    BOOST_TEST(coworker::why_not_decodable<raw_json>("{}") == "");
    BOOST_TEST(coworker::why_not_decodable<json::value>("{}") == "");
}

BOOST_AUTO_TEST_SUITE_END()
