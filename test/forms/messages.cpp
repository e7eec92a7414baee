// SPDX-License-Identifier: MIT

// One mistake for each macro, and what the compiler says of it; see CMakeLists.txt.
#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>
#include <coworker/testing.hpp>
#include <coworker/worker.hpp>

#include <boost/describe/class.hpp>

#include <string>

struct order
{
    std::string customer;
    int cents = 0;
};
BOOST_DESCRIBE_STRUCT(order, (), (customer, cents))

struct plain
{
    std::string text;
};

#if defined(FORM_missing_member_misspelled)
struct misspelled
{
    int quality = 80;
};
BOOST_DESCRIBE_STRUCT(misspelled, (), (quality))
COWORKER_MAY_BE_MISSING(misspelled, qualty)
#endif

void make_mistake(coworker::worker& worker, coworker::list_queue<order>& orders,
                  coworker::managed_queue& managed, coworker::testing::memory_queue<order>& in_memory)
{
    const order named;
#if defined(FORM_encoding_plain_type)
    (void)coworker::encode(plain{});
#elif defined(FORM_handling_plain_type)
    coworker::handlers_by_kind handlers;
    handlers.on<plain>("plain", [](plain) {});
#elif defined(FORM_wrong_parameter)
    worker.handle(orders, [](std::string) {});
#elif defined(FORM_wrong_result)
    worker.handle(orders, [](order) { return plain{}; });
#elif defined(FORM_managed_without_kind)
    worker.handle(managed, [](order) {});
#elif defined(FORM_kinds_of_list_queue)
    worker.handle(orders, coworker::handlers_by_kind{});
#elif defined(FORM_no_queue)
    int number = 0;
    worker.handle(number, [](order) {});
#elif defined(FORM_missing_member_misspelled)
    (void)coworker::decode<misspelled>("{}");
#elif defined(FORM_callback_takes_too_little)
    orders.async_push(named, [](coworker::error_code) {});
#elif defined(FORM_callback_takes_another_type)
    managed.async_push("order", named, {.priority = 1}, [](coworker::error_code, int) {});
#elif defined(FORM_callback_takes_no_exception)
    orders.async_push(named, coworker::with_diagnostics([](coworker::error_code, std::string) {}));
#elif defined(FORM_callback_of_memory)
    in_memory.async_push(named, [](std::string) {});
#else
    orders.async_push(named, [](coworker::error_code, std::string) {});
    orders.async_push(named, [](coworker::error_code, auto&&...) {});
    worker.handle(orders, [](const order&, coworker::job_context&) {});
    worker.handle(managed, [](coworker::raw_json) {});
    worker.handle(managed, coworker::handlers_by_kind{});
#endif
    (void)worker, (void)orders, (void)managed, (void)in_memory, (void)named;
}
