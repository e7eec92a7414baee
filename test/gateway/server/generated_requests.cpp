// SPDX-License-Identifier: MIT
#include "fuzz/fuzz_target.hpp"
#include "fuzz/request_source.hpp"

#include <boost/test/unit_test.hpp>

/// A short run of what scripts/fuzz does for longer; the same each time.
BOOST_AUTO_TEST_SUITE(generated_requests)

using namespace coworker::test;

BOOST_AUTO_TEST_CASE(are_read_or_refused)
{
    const auto target = make_text_target();
    request_source source{4711};
    for (int i = 0; i != 3000; ++i)
        for (const auto& bytes : {source.target(), source.body(), source.mangled(source.body())})
            BOOST_TEST(target->feed(bytes) == "", bytes);
}

BOOST_AUTO_TEST_CASE(are_answered)
{
    const auto target = make_gateway_target();
    request_source source{4711};
    for (int i = 0; i != 1500; ++i) {
        const auto bytes = source.next();
        BOOST_TEST(target->feed(bytes) == "", bytes);
    }
}

BOOST_AUTO_TEST_SUITE_END()
