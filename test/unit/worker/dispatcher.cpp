#include "worker/dispatcher.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(dispatcher)
BOOST_AUTO_TEST_CASE(starts_settled)
{
    const coworker::detail::dispatcher idle{coworker::queue_order::strict, 1, {{1}}};
    BOOST_TEST(idle.is_settled());
}
BOOST_AUTO_TEST_SUITE_END()
