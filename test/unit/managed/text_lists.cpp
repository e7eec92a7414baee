// SPDX-License-Identifier: MIT
#include "coworker/managed_options.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <span>
#include <type_traits>
#include <vector>

using coworker::text_list;

BOOST_AUTO_TEST_SUITE(text_lists)

namespace {

std::vector<std::string> told(const text_list& list)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i != list.size(); ++i)
        texts.emplace_back(list[i]);
    return texts;
}

const std::vector<std::string> expected = {"a", "b"};

} // namespace

BOOST_AUTO_TEST_CASE(is_made_of_names_in_braces)
{
    const std::string b = "b";
    BOOST_TEST(told({"a", "b"}) == expected);
    BOOST_TEST(told({std::string_view{"a"}, b}) == expected);
    BOOST_TEST(told("a") == std::vector<std::string>{"a"});
    BOOST_TEST(told(b) == std::vector<std::string>{"b"});
    BOOST_TEST(told({"1", "2", "3", "4", "5", "6", "7", "8"}).size() == 8u);
}

BOOST_AUTO_TEST_CASE(is_made_of_a_range)
{
    const std::vector<std::string> strings = expected;
    const std::array<std::string_view, 2> views = {"a", "b"};
    const std::string array[] = {"a", "b"};
    BOOST_TEST(told(strings) == expected);
    BOOST_TEST(told(views) == expected);
    BOOST_TEST(told(array) == expected);
    BOOST_TEST(told(std::span<const std::string>{strings}) == expected);
    BOOST_TEST(told(std::vector<std::string>(1000, "x")).size() == 1000u);
}

BOOST_AUTO_TEST_CASE(nothing_is_not_the_same_as_an_empty_list)
{
    BOOST_TEST(!text_list{}.is_given());
    BOOST_TEST(text_list{}.empty());
    BOOST_TEST(text_list::none().is_given());
    BOOST_TEST(text_list::none().empty());
    BOOST_TEST(text_list{std::vector<std::string>{}}.is_given());
}

BOOST_AUTO_TEST_CASE(owns_its_texts)
{
    std::string text(100, 'a');
    const text_list list{text, std::string_view{text}};
    const text_list of_range{std::vector<std::string>{text}};
    text.assign(100, 'b');
    BOOST_TEST(list[0] == std::string(100, 'a'));
    BOOST_TEST(list[1] == std::string(100, 'a'));
    BOOST_TEST(of_range[0] == std::string(100, 'a'));
    static_assert(std::is_aggregate_v<coworker::managed_push_options>);
}

BOOST_AUTO_TEST_SUITE_END()
