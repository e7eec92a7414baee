#include "http/times.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(times)

using namespace coworker::detail;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(reads_rfc_3339)
{
    const auto expected =
        coworker::timestamp{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + 9h + 54min + 29s};
    for (const auto text :
         {"2026-11-21T09:54:29Z", "2026-11-21t09:54:29z", "2026-11-21T10:54:29+01:00",
          "2026-11-21T04:24:29-05:30", "2026-11-21T09:54:29.0Z", "2026-11-21T09:54:29-00:00"})
        BOOST_TEST((parse_rfc3339(text) == expected), text);
    BOOST_TEST((parse_rfc3339("2026-11-21T09:54:29.1234567891Z") == expected + 123456us));
    BOOST_TEST((parse_rfc3339("2024-02-29T00:00:00Z").has_value()));
}

BOOST_AUTO_TEST_CASE(refuses_what_only_looks_like_it)
{
    for (const auto text : {"",
                            "now",
                            "2026-11-21",
                            "2026-11-21 09:54:29Z",
                            "2026-11-21T09:54Z",
                            "2026-11-21T09:54:29",
                            "2026-11-21T09:54:29.Z",
                            "2026-11-21T09:54:29+0100",
                            "2026-11-21T09:54:29+24:00",
                            "2026-11-21T09:54:29+01:60",
                            "2026-13-21T09:54:29Z",
                            "2026-02-29T09:54:29Z",
                            "2026-11-21T24:00:00Z",
                            "2026-11-21T09:60:00Z",
                            "2026-11-21T09:54:61Z",
                            "2026-11-21T09:54:29Z ",
                            " 2026-11-21T09:54:29Z",
                            "2026-11-21T09:54:29ZZ",
                            "+026-11-21T09:54:29Z",
                            "2026-11-21T09:54:29.12",
                            "2026-11-21T09:54:29Z\""})
        BOOST_TEST(!parse_rfc3339(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(writes_what_it_reads)
{
    BOOST_TEST(format_rfc3339(*parse_rfc3339("2026-11-21T10:54:29.5+01:00")) ==
               "2026-11-21T09:54:29.500000Z");
}

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
    BOOST_TEST((parse_delay("3660d") == longest_delay));
}

BOOST_AUTO_TEST_CASE(refuses_other_delays)
{
    for (const auto text : {"", "-1", "soon", "5 m", "5M", "5y", "m", "nan", "inf", "1e300", "1e999", "3661d",
                            "+5", ".5", "5m3s", "null", "true", "[]", "{}"})
        BOOST_TEST(!parse_delay(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()
