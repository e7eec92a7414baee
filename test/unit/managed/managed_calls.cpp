// SPDX-License-Identifier: MIT
#include "managed/managed_call.hpp"

#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using coworker::detail::managed_batches;
using coworker::detail::managed_call;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(managed_calls)

namespace {

std::vector<std::string> words_of(const managed_call& call)
{
    const auto arguments = call.arguments();
    return {arguments.words().begin(), arguments.words().end()};
}

std::vector<std::string> words(std::vector<std::string> behind)
{
    behind.insert(behind.begin(), {"ql:", "checked"});
    return behind;
}

} // namespace

BOOST_AUTO_TEST_CASE(begins_with_the_prefix_and_the_servers_clock)
{
    managed_call call{"ql:", "put"};
    BOOST_TEST(call.what().name == "managed/put");
    BOOST_TEST(words_of(call) == words({}));
    BOOST_TEST(call.arguments().key_count() == 1u);
}

BOOST_AUTO_TEST_CASE(writes_numbers_so_that_nothing_is_lost)
{
    managed_call call{"ql:", "put"};
    call.add_number(0.1).add_number(-2.5).add_number(1e300).add_number(7.0).add_number(12345678901234567);
    BOOST_TEST(words_of(call) == words({"0.1", "-2.5", "1e+300", "7", "12345678901234567"}));
}

BOOST_AUTO_TEST_CASE(writes_times_in_seconds)
{
    managed_call call{"ql:", "put"};
    call.add_seconds(0ms).add_seconds(1ms).add_seconds(90'500ms).add_seconds(24h).add_seconds(-1s);
    BOOST_TEST(words_of(call) == words({"0", "0.001", "90.5", "86400", "0"}));
}

BOOST_AUTO_TEST_CASE(places_are_bounded)
{
    managed_call call{"ql:", "put"};
    call.add_place(0).add_place(25).add_place(~std::size_t{0});
    BOOST_TEST(words_of(call) == words({"0", "25", "1099511627776"}));
}

BOOST_AUTO_TEST_CASE(writes_lists_as_words_or_as_json)
{
    managed_call call{"ql:", "put"};
    call.add_each({"a", "b"}).add_list({"a\"b", "\u00e9"}).add_list({});
    BOOST_TEST(words_of(call) == words({"a", "b", "[\"a\\\"b\",\"\u00e9\"]", "[]"}));
    BOOST_TEST(error_in([&] { call.add_list("\xff"); }) == errc::not_serializable);
}

BOOST_AUTO_TEST_CASE(owns_its_words)
{
    managed_call call{"ql:", "put"};
    for (const auto& text : {std::string(40, 'a'), std::string(40, 'b')})
        call.add(text);
    const auto copy = call;
    BOOST_TEST(words_of(copy) == words({std::string(40, 'a'), std::string(40, 'b')}));
    BOOST_TEST(copy.bytes() == 87u);
}

BOOST_AUTO_TEST_CASE(counts_the_words_of_each_call_in_a_batch)
{
    managed_call call{"ql:", "put_many"};
    auto begin = call.size();
    call.add("a").add("b");
    call.count_from(begin);
    begin = call.size();
    call.count_from(begin);
    begin = call.size();
    call.add("c");
    call.count_from(begin);
    BOOST_TEST(words_of(call) == words({"2", "a", "b", "0", "1", "c"}));
}

BOOST_AUTO_TEST_SUITE_END()
