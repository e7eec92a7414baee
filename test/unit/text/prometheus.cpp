// SPDX-License-Identifier: MIT
#include "text/prometheus.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(prometheus)

BOOST_AUTO_TEST_CASE(writes_help_type_and_samples)
{
    coworker::detail::prometheus_text out;
    out.begin("jobs_total", "counter", "Jobs.\nAnd \\ more.");
    out.add({}, 3);
    out.add({{"queue", "a\"b\\c\nd"}, {"state", "waiting"}}, 0.25);
    out.add({{"queue", "a\xff"}}, 1);
    out.add({{"queue", std::string_view{"a\0b", 3}}}, 2); // which Prometheus does not read
    BOOST_TEST(out.text() == "# HELP jobs_total Jobs.\\nAnd \\\\ more.\n"
                             "# TYPE jobs_total counter\n"
                             "jobs_total 3\n"
                             "jobs_total{queue=\"a\\\"b\\\\c\\nd\",state=\"waiting\"} 0.25\n"
                             "jobs_total{queue=\"a\xef\xbf\xbd\"} 1\n"
                             "jobs_total{queue=\"a\xef\xbf\xbd"
                             "b\"} 2\n");
}

BOOST_AUTO_TEST_SUITE_END()
