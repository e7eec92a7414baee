// SPDX-License-Identifier: MIT

// Tests of a program's jobs: without Redis, and without waiting for back-offs.
//
//   12_testing
#include <coworker/coworker.hpp>
#include <coworker/testing.hpp>

#include <boost/describe.hpp>

#include <iostream>
#include <stdexcept>

using namespace std::chrono_literals;

struct order
{
    std::string customer;
    int cents = 0;
};
BOOST_DESCRIBE_STRUCT(order, (), (customer, cents))

// --- the program ---

struct card_service
{
    bool is_down = false;
    int charged = 0;
};

coworker::outcome charge(card_service& cards, const order& job)
{
    if (cards.is_down)
        throw std::runtime_error{"no connection"}; // run again after the back-off
    if (job.cents <= 0)
        return coworker::failure("nothing to pay"); // no other run would help
    cards.charged += job.cents;
    return coworker::success();
}

// --- its tests ---

void check(bool holds, const char* what)
{
    std::cout << (holds ? "ok: " : "FAILED: ") << what << std::endl;
    if (!holds)
        std::exit(1);
}

void test_one_handler()
{
    using coworker::testing::run_handler;
    card_service cards;
    const auto handler = [&](const order& job) { return charge(cards, job); };

    const auto good = run_handler<order>(handler, {"ada", 1200});
    check(good.result.what() == coworker::outcome::kind::success && cards.charged == 1200,
          "an order is charged");

    const auto bad = run_handler<order>(handler, {"ada", 0});
    check(bad.result.reason() == "nothing to pay", "an order of nothing fails");

    cards.is_down = true;
    const auto later = run_handler<order>(handler, {"ada", 1200});
    check(later.result.what() == coworker::outcome::kind::retry,
          "an order is charged later if the service is down");
}

void test_a_queue()
{
    using namespace coworker::testing;
    manual_clock time;
    memory_queue<order> orders{"orders", time};
    card_service cards{.is_down = true};
    const auto handler = [&](const order& job) { return charge(cards, job); };

    orders.push({"ada", 1200});
    orders.push({"bob", 700}, {.delay = 1h});
    check(orders.pushed().size() == 2, "two orders were pushed");

    drain(orders, handler);
    check(orders.raw().scheduled().size() == 2, "both wait: one for its retry, one for its time");

    cards.is_down = false;
    time.advance(2h); // takes no time
    drain(orders, handler);
    check(cards.charged == 1900, "both are charged two hours later");
}

int main()
{
    test_one_handler();
    test_a_queue();
}
