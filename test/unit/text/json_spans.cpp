// SPDX-License-Identifier: MIT
#include "text/json_spans.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(json_spans)

using namespace coworker::detail;

BOOST_AUTO_TEST_CASE(finds_the_members_of_an_object_as_they_were_written)
{
    const auto members =
        members_of(R"( { "a" : 12345678901234567890123 , "b":{"x":[1,{"}":"]"}]},"c":"a\"},{b",
        "\u0064" : null,"":[ ] } )");
    BOOST_TEST_REQUIRE(members.size() == 5u);
    BOOST_TEST(members[0].name == "a");
    BOOST_TEST(members[0].value == "12345678901234567890123");
    BOOST_TEST(members[1].value == R"({"x":[1,{"}":"]"}]})");
    BOOST_TEST(members[2].value == R"("a\"},{b")");
    BOOST_TEST(members[3].name == "d");
    BOOST_TEST(members[3].value == "null");
    BOOST_TEST(members[4].value == "[ ]");
}

BOOST_AUTO_TEST_CASE(finds_the_elements_of_an_array)
{
    const auto elements = elements_of("[1.50,\"\\\\\" , {} ,[[2]],-3e5,true]");
    const std::vector<std::string_view> expected{"1.50", "\"\\\\\"", "{}", "[[2]]", "-3e5", "true"};
    BOOST_TEST(elements == expected, boost::test_tools::per_element());
    BOOST_TEST(elements_of(" [ ] ").empty());
    BOOST_TEST(members_of("{}").empty());
}

BOOST_AUTO_TEST_CASE(finds_nothing_in_what_is_not_json)
{
    for (const auto* text :
         {"", " ", "[1", "[1,]", "[1 2]", "[,]", "[01]", "{}", "[tru]", "[\"a]", "[\"\xff\"]"})
        BOOST_TEST(elements_of(text).empty(), text);
    for (const auto* text :
         {"", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1,}", "{1:2}", "[]", "{\"a\" 1}"})
        BOOST_TEST(members_of(text).empty(), text);
}

BOOST_AUTO_TEST_CASE(knows_what_is_json)
{
    for (const auto* text : {"1", " null ", "[1,[2]]", "{\"a\":\"\\u0041\"}", "-0.5e3"})
        BOOST_TEST(is_json(text), text);
    for (const auto* text : {"", " ", "1 2", "[1]]", "nul", "'a'", "NaN", "{\"a\":1}x", "\"\xff\"", "// \n1"})
        BOOST_TEST(!is_json(text), text);
    BOOST_TEST(is_json(std::string(max_json_depth, '[') + std::string(max_json_depth, ']')));
    BOOST_TEST(!is_json(std::string(max_json_depth + 1, '[') + std::string(max_json_depth + 1, ']')));
    BOOST_TEST(is_json_false(" false\n"));
    BOOST_TEST(!is_json_false("\"false\""));
}

BOOST_AUTO_TEST_CASE(reads_one_value_after_the_other)
{
    json_reader text{" 12 , {\"a\": [] } ]rest"};
    BOOST_TEST(text.value().value() == "12");
    BOOST_TEST(text.accept(','));
    BOOST_TEST(text.value().value() == "{\"a\": [] }");
    BOOST_TEST(!text.accept(','));
    BOOST_TEST(text.accept(']'));
    BOOST_TEST(!text.value());
    BOOST_TEST(!text.at_end());
}

BOOST_AUTO_TEST_CASE(reads_plain_strings_without_decoding_them)
{
    json_reader text{R"( "a-1 ~" ,"" , "\u0041","b)"};
    BOOST_TEST(text.plain_string().value() == "a-1 ~");
    BOOST_TEST(text.accept(','));
    BOOST_TEST(text.plain_string().value().empty());
    BOOST_TEST(text.accept(','));
    BOOST_TEST(!text.plain_string());
    BOOST_TEST(text.value().value() == R"("\u0041")");
    BOOST_TEST(text.accept(','));
    BOOST_TEST(!text.plain_string()); // it does not end
    for (const auto* other : {"", "1", "\"\xc3\xa9\"", "\"\n\"", R"("\"")"})
        BOOST_TEST(!json_reader{other}.plain_string(), other);
}

BOOST_AUTO_TEST_CASE(decodes_strings)
{
    BOOST_TEST(string_of(R"("plain")") == "plain");
    BOOST_TEST(string_of(R"("a\u0041\n")") == "aA\n");
}

BOOST_AUTO_TEST_SUITE_END()
