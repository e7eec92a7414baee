// SPDX-License-Identifier: MIT
#include "text/json_object.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

BOOST_AUTO_TEST_SUITE(json_objects)

using namespace coworker::detail;

BOOST_AUTO_TEST_CASE(writes_nothing_that_steers_a_terminal)
{
    json_object inner{json_for::terminals};
    inner.number("x", 1.5).number("y", 3.0).number("z", std::uint64_t{18446744073709551615u});
    json_object line{json_for::terminals};
    line.text("t", "é\"\n\x7f\xc2\x85")
        .boolean("b", true)
        .null("n")
        .texts("l", {"a", "b"})
        .object("o", inner);
    BOOST_TEST(line.str() == "{\"t\":\"é\\\"\\n\\u007f\\u0085\",\"b\":true,\"n\":null,\"l\":[\"a\",\"b\"],"
                             "\"o\":{\"x\":1.5,\"y\":3,\"z\":18446744073709551615}}");
    BOOST_TEST(json_object{}.str() == "{}");
}

BOOST_AUTO_TEST_CASE(writes_texts_by_names_of_any_kind)
{
    json_object out;
    out.texts_by_name("m", {{"a\"b\\", "1"}, {"\n", "2"}}).texts_by_name("none", {});
    BOOST_TEST(out.str() == R"({"m":{"\n":"2","a\"b\\":"1"},"none":{}})");
    json_object line{json_for::terminals};
    line.texts_by_name("m", {{"\x7f\"", "\xff"}});
    BOOST_TEST(line.str() == R"({"m":{"\u007f\"_hex":"ff"}})");
}

BOOST_AUTO_TEST_CASE(writes_jobs_to_the_digit)
{
    json_object line{json_for::terminals};
    line.json_or_text("job", "{\"a\" :\n\t123456789012345678901234567890, \"b\": 1.10}");
    BOOST_TEST(line.str() == "{\"job\":{\"a\" :  123456789012345678901234567890, \"b\": 1.10}}");
    json_object odd{json_for::terminals};
    odd.json_or_text("job", "{").json_or_text("bytes", "\xff");
    BOOST_TEST(odd.str() == "{\"job\":\"{\",\"bytes_hex\":\"ff\"}");
}

BOOST_AUTO_TEST_CASE(writes_for_programs)
{
    json_object out;
    out.text("t", "\xff\x7f")
        .texts("l", {"a\"", "\xc3"})
        .texts("none", {})
        .text_if_any("e", "")
        .boolean("b", false);
    out.time("when", coworker::timestamp{}).time("never", std::nullopt);
    BOOST_TEST(out.str() ==
               "{\"t\":\"\xef\xbf\xbd\x7f\",\"l\":[\"a\\\"\",\"\xef\xbf\xbd\"],\"none\":[],\"e\":null,"
               "\"b\":false,\"when\":\"1970-01-01T00:00:00.000000Z\",\"never\":null}");
}

BOOST_AUTO_TEST_CASE(keeps_json_to_the_byte_and_replaces_what_is_none)
{
    json_object out;
    out.json("a", "[1.50,\n2]").json_or_null("b", "{").json_or_null("c", " 1e2 ").json_or_text("d", "x");
    BOOST_TEST(out.str() == "{\"a\":[1.50,\n2],\"b\":null,\"c\": 1e2 ,\"d\":\"x\"}");
}

BOOST_AUTO_TEST_CASE(writes_numbers_in_few_digits)
{
    json_object out;
    out.number("a", 0.1).number("b", 100'000.0).number("c", -2.5e-9).number("d", 1e300);
    out.number("e", std::numeric_limits<double>::infinity()).number("f", 0.012345678);
    BOOST_TEST(out.str() ==
               "{\"a\":0.1,\"b\":100000,\"c\":-2.5e-09,\"d\":1e+300,\"e\":null,\"f\":0.012345678}");
}

BOOST_AUTO_TEST_CASE(puts_objects_into_each_other)
{
    json_object inner, outer;
    inner.number("x", 1);
    outer.object("o", inner)
        .objects("l", std::vector{inner, inner})
        .objects("none", std::vector<json_object>{});
    BOOST_TEST(outer.str() == "{\"o\":{\"x\":1},\"l\":[{\"x\":1},{\"x\":1}],\"none\":[]}");
}

BOOST_AUTO_TEST_SUITE_END()
