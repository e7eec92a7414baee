#include "http/times.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(times)

using namespace coworker::detail;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(writes_dates_for_http)
{
    BOOST_TEST(format_http_date(*parse_rfc3339("1994-11-06T08:49:37.9Z")) == "Sun, 06 Nov 1994 08:49:37 GMT");
}

BOOST_AUTO_TEST_CASE(reads_delays)
{
    BOOST_TEST((parse_delay("0") == 0ms));
    BOOST_TEST((parse_delay("30") == 30s));
    BOOST_TEST((parse_delay("0.25") == 250ms));
    BOOST_TEST((parse_delay("0.0001") == 1ms));
    BOOST_TEST((parse_delay("250ms") == 250ms));
    BOOST_TEST((parse_delay("90s") == 90s));
    BOOST_TEST((parse_delay("5m") == 5min));
    BOOST_TEST((parse_delay("2h") == 2h));
    BOOST_TEST((parse_delay("1.5d") == 36h));
    BOOST_TEST((parse_delay("1h30m") == 90min));
    BOOST_TEST((parse_delay("1e-9") == 1ms));
    BOOST_TEST((parse_delay("3660d") == longest_delay));
}

BOOST_AUTO_TEST_CASE(refuses_other_delays)
{
    for (const auto text : {"", "-1", "soon", "5 m", "5M", "5y", "m", "nan", "inf", "1e300", "1e999", "3661d",
                            "+5", ".5", "null", "true", "[]", "{}"})
        BOOST_TEST(!parse_delay(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()
