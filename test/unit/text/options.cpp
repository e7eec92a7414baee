// SPDX-License-Identifier: MIT
#include "coworker/client.hpp"
#include "coworker/gateway.hpp"
#include "coworker/job_taker.hpp"
#include "coworker/managed_client.hpp"
#include "coworker/outcome.hpp"
#include "coworker/testing.hpp"
#include "coworker/worker.hpp"

#include "support/print.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <map>
#include <memory>
#include <type_traits>

/// Options own what they are made of, and can be written where they are used, in `co_await` expressions too.
BOOST_AUTO_TEST_SUITE(options)

using namespace coworker;
namespace asio = boost::asio;

namespace {

/// Longer than what a std::string holds without memory of its own; gone at the end of the statement.
std::string made(char letter)
{
    return std::string(100, letter);
}

asio::awaitable<push_options> pass_on(push_options what)
{
    co_return what;
}

asio::awaitable<managed_push_options> pass_on(int, managed_push_options what)
{
    co_return what;
}

template<class T>
asio::awaitable<T> give_back(T what)
{
    co_return what;
}

/// Of braces within braces, the inner ones are a std::string from a pointer to another one for whoever takes a
/// std::string or a view there.
template<class T>
concept takes_braces_in_braces = requires
{
    T{{"red", "blue"}};
}
|| requires
{
    T{{"red", "blue"}, {"one", "two"}};
};

struct took_client_options
{
    took_client_options(asio::any_io_executor, client_options how) : options{std::move(how)} {}
    client_options options;
};

} // namespace

BOOST_AUTO_TEST_CASE(two_texts_are_not_taken_for_the_ends_of_one)
{
    static_assert(!takes_braces_in_braces<text_list>);
    static_assert(!takes_braces_in_braces<limit_list>);
    static_assert(!takes_braces_in_braces<text_map>);
    const text own = made('c');
    const std::string_view view = "d";
    const text_list all{"a", made('b'), own, view};
    BOOST_TEST_REQUIRE(all.size() == 4u);
    BOOST_TEST(all[2] == made('c'));
    const text_map pairs{"a", made('b'), own, view};
    BOOST_TEST((pairs.items() == std::map<std::string, std::string>{{"a", made('b')}, {made('c'), "d"}}));
    BOOST_TEST(text_map{pairs.items()}.items().size() == 2u);
    BOOST_TEST(limit_list{own}.size() == 1u);
}

BOOST_AUTO_TEST_CASE(named_options_own_their_texts)
{
    const push_options push{.id = made('a')};
    const managed_push_options put{
        .jid = made('b'), .tags = {made('c'), made('d')}, .depends = std::vector{made('e')}};
    const recur_options recur{.jid = made('f'), .tags = made('g')};
    const recurring_changes changes{.kind = made('n'), .data = made('o'), .queue = made('p')};
    BOOST_TEST(*push.id == made('a'));
    BOOST_TEST(*put.jid == made('b'));
    BOOST_TEST(put.tags[0] == made('c'));
    BOOST_TEST(put.tags[1] == made('d'));
    BOOST_TEST(put.depends[0] == made('e'));
    BOOST_TEST(*recur.jid == made('f'));
    BOOST_TEST(recur.tags[0] == made('g'));
    BOOST_TEST(*changes.kind == made('n'));
    BOOST_TEST(*changes.data == made('o'));
    BOOST_TEST(*changes.queue == made('p'));
}

// g++ 12 copies aggregates byte by byte here, and destroys the original and the copy.
BOOST_AUTO_TEST_CASE(options_can_stand_in_a_co_await_expression)
{
    asio::io_context io;
    int done = 0;
    asio::co_spawn(
        io,
        [&]() -> asio::awaitable<void> {
            const auto pushed = co_await pass_on({.id = made('a')});
            BOOST_TEST(*pushed.id == made('a'));
            const auto empty = co_await pass_on({});
            BOOST_TEST(!empty.id);
            const auto put =
                co_await pass_on(1, {.jid = made('b'), .tags = {made('c'), "short"}, .depends = {made('e')}});
            BOOST_TEST(*put.jid == made('b'));
            BOOST_TEST(put.tags[0] == made('c'));
            BOOST_TEST(put.tags[1] == "short");
            BOOST_TEST(put.depends[0] == made('e'));
            const auto heard = std::make_shared<int>(0);
            const observer observe = [heard](const event&) { ++*heard; }; // a lambda is an aggregate as well
            took_client_options client{
                co_await asio::this_coro::executor,
                {.url = made('u'), .sentinels = {made('s'), made('t')}, .on_event = observe}};
            BOOST_TEST(client.options.url == made('u'));
            BOOST_TEST(client.options.client_name == "coworker");
            BOOST_TEST(client.options.sentinels[1] == made('t'));
            client.options.on_event.get()(event{});
            BOOST_TEST(*heard == 1);
            ++done;
        },
        [](std::exception_ptr error) {
            if (error)
                std::rethrow_exception(error);
        });
    io.run();
    BOOST_TEST(done == 1);
}

BOOST_AUTO_TEST_CASE(options_can_be_copied_moved_and_changed)
{
    managed_push_options first{.jid = made('a'), .tags = {"x"}};
    managed_push_options second = first;
    second.tags.push_back("y");
    second.jid = "b";
    BOOST_TEST(first.tags.size() == 1u);
    BOOST_TEST(*first.jid == made('a'));
    const managed_push_options third = std::move(second);
    BOOST_TEST(third.tags.size() == 2u);
    BOOST_TEST(*third.jid == "b");
    first = third;
    BOOST_TEST(first.tags[1] == "y");
    client_options options;
    options.url = "redis://" + std::string{"here"};
    options.user = std::string_view{"ada"};
    options.client_name = made('n');
    client_options moved;
    moved = std::move(options);
    BOOST_TEST(moved.url == "redis://here");
    BOOST_TEST(moved.client_name == made('n'));
}

BOOST_AUTO_TEST_CASE(so_can_all_that_own_more_than_texts)
{
    asio::io_context io;
    const auto wait = std::make_shared<std::chrono::milliseconds>(7);
    const backoff waits = [wait](unsigned attempt) { return *wait * attempt; };
    const auto details = std::make_shared<job_details>();
    int done = 0;
    asio::co_spawn(
        io,
        [&]() -> asio::awaitable<void> {
            const auto handling = co_await give_back(handle_options{.backoff = waits});
            BOOST_TEST(handling.backoff.get()(2).count() == 14);
            const auto immediate = co_await give_back(handle_options{.backoff = {}});
            BOOST_TEST(!immediate.backoff);
            const auto taking =
                co_await give_back(job_taker_options{.managed_prefix = made('p'), .backoff = waits});
            BOOST_TEST(taking.managed_prefix == made('p'));
            BOOST_TEST(taking.backoff.get()(1).count() == 7);
            const std::vector<gateway_token> tokens{{.name = made('n'), .token = made('t')}};
            const auto serving = co_await give_back(gateway_options{.address = made('a'),
                                                                    .tokens = tokens,
                                                                    .types = {made('q'), made('r')},
                                                                    .effect_keys = made('k'),
                                                                    .managed_prefix = made('m')});
            BOOST_TEST(serving.address == made('a'));
            BOOST_TEST(serving.tokens.get()[0].token == made('t'));
            BOOST_TEST(serving.types[1] == made('r'));
            BOOST_TEST(serving.effect_keys[0] == made('k'));
            const auto conditions = co_await give_back(testing::job_conditions{
                .id = made('i'), .kind = made('k'), .checkpoint = made('c'), .details = details});
            BOOST_TEST(conditions.checkpoint == made('c'));
            BOOST_TEST(conditions.details.get() == details);
            const auto going_on = co_await give_back(
                forward_options{.depends = {made('a'), made('b')}, .data = raw_json{made('j')}});
            BOOST_TEST(going_on.depends[1] == made('b'));
            BOOST_TEST(going_on.data.get()->text == made('j'));
            const auto several = co_await give_back(
                std::array<new_managed_job, 2>{{{.kind = made('k'), .data = made('d')},
                                                {.kind = made('l'), .options = {.jid = made('j')}}}});
            BOOST_TEST(several[0].data == made('d'));
            BOOST_TEST(*several[1].options.jid == made('j'));
            ++done;
        },
        [](std::exception_ptr error) {
            if (error)
                std::rethrow_exception(error);
        });
    io.run();
    BOOST_TEST(done == 1);
    BOOST_TEST(waits(1).count() == 7); // what was shared has one owner less, not two
    BOOST_TEST(wait.use_count() == 2);
    BOOST_TEST(details.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
