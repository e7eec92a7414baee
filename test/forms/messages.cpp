// SPDX-License-Identifier: MIT

// One mistake for each macro, and what the compiler says of it; see CMakeLists.txt.
#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>
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

void make_mistake(coworker::worker& worker, coworker::list_queue<order>& orders,
                  coworker::managed_queue& managed)
{
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
#else
    worker.handle(orders, [](const order&, coworker::job_context&) {});
    worker.handle(managed, [](coworker::raw_json) {});
    worker.handle(managed, coworker::handlers_by_kind{});
#endif
    (void)worker, (void)orders, (void)managed;
}
