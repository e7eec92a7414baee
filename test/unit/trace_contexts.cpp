// SPDX-License-Identifier: MIT
#include "coworker/trace_context.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
namespace data = boost::unit_test::data;

/// https://www.w3.org/TR/trace-context/
BOOST_AUTO_TEST_SUITE(trace_contexts)

namespace {

const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736", span_of_caller = "00f067aa0ba902b7";
const std::string parent = "00-" + trace + "-" + span_of_caller + "-01";

const std::vector<std::string> no_parents{
    "",
    "00",
    parent.substr(0, 54),
    parent + "-",
    parent + "0",
    parent + "-01",
    "ff" + parent.substr(2),
    "FF" + parent.substr(2),
    "0g" + parent.substr(2),
    "01" + parent.substr(2) + "x",
    "00-" + std::string(32, '0') + "-" + span_of_caller + "-01",
    "00-" + trace + "-" + std::string(16, '0') + "-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + span_of_caller + "-01",
    "00-" + trace + "-00F067AA0BA902B7-01",
    "00-" + trace + "-" + span_of_caller + "-0A",
    "00-" + trace + "-" + span_of_caller + "-0x",
    "00_" + trace + "-" + span_of_caller + "-01",
    "00-" + trace + "_" + span_of_caller + "-01",
    "00-" + trace + "-" + span_of_caller + "_01",
    " " + parent,
    parent + " ",
};

const std::vector<std::string> good_states{"a=1",          "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
                                           "a=1 , b=2",    "a=1,,b=2",
                                           "1a-_*/@z=x y", "k=" + std::string(256, 'v')};
const std::vector<std::string> bad_states{"a",
                                          "=1",
                                          "a=",
                                          "A=1",
                                          "a=1;b=2=3",
                                          "a=\x01",
                                          "a=\xc3\xa9",
                                          "_a=1",
                                          ",",
                                          " ",
                                          "a b=1",
                                          "k=" + std::string(257, 'v'),
                                          "k=" + std::string(250, 'v') + ",l=" + std::string(258, 'v')};

} // namespace

BOOST_AUTO_TEST_CASE(what_was_read_is_written_again)
{
    const auto read = trace_context::parse(parent, "congo=t61rcWkgMzE");
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST(read->trace_id() == trace);
    BOOST_TEST(read->span_id() == span_of_caller);
    BOOST_TEST(read->sampled());
    BOOST_TEST(read->traceparent() == parent);
    BOOST_TEST(read->tracestate() == "congo=t61rcWkgMzE");
}

BOOST_AUTO_TEST_CASE(only_the_sampled_flag_is_passed_on)
{
    const auto begin = "00-" + trace + "-" + span_of_caller + "-";
    BOOST_TEST(trace_context::parse(begin + "00")->traceparent() == begin + "00");
    BOOST_TEST(trace_context::parse(begin + "02")->traceparent() == begin + "00");
    BOOST_TEST(trace_context::parse(begin + "ff")->traceparent() == begin + "01");
}

BOOST_AUTO_TEST_CASE(later_versions_are_read_as_this_one)
{
    for (const auto* const more : {"", "-", "-what-comes-later"}) {
        const auto read = trace_context::parse("cc" + parent.substr(2) + more);
        BOOST_REQUIRE(read.has_value());
        BOOST_TEST(read->traceparent() == parent);
    }
}

BOOST_DATA_TEST_CASE(what_is_no_traceparent_is_refused, data::make(no_parents))
{
    BOOST_TEST(!trace_context::parse(sample).has_value());
}

BOOST_DATA_TEST_CASE(a_tracestate_is_passed_on_as_it_is, data::make(good_states))
{
    BOOST_TEST(trace_context::parse(parent, sample)->tracestate() == sample);
}

BOOST_DATA_TEST_CASE(a_damaged_tracestate_is_left_out, data::make(bad_states))
{
    BOOST_TEST(trace_context::parse(parent, sample)->tracestate() == "");
}

BOOST_AUTO_TEST_CASE(a_tracestate_has_at_most_32_members)
{
    std::string state = "k0=v";
    for (int i = 1; i != 32; ++i)
        state += ",k" + std::to_string(i) + "=v";
    BOOST_TEST(trace_context::parse(parent, state)->tracestate() == state);
    BOOST_TEST(trace_context::parse(parent, state + ",k32=v")->tracestate() == "");
}

BOOST_AUTO_TEST_CASE(a_child_is_another_span_of_the_same_trace)
{
    const auto read = trace_context::parse(parent, "a=1").value();
    const auto child = read.child();
    BOOST_TEST(child.trace_id() == trace);
    BOOST_TEST(child.span_id() != span_of_caller);
    BOOST_TEST(child.tracestate() == "a=1");
    BOOST_TEST((trace_context::parse(child.traceparent(), "a=1") == child));
    BOOST_TEST((child != read.child()));
}

BOOST_AUTO_TEST_CASE(new_traces_differ)
{
    const auto one = trace_context::make(), other = trace_context::make(false);
    BOOST_TEST(one.trace_id() != other.trace_id());
    BOOST_TEST(one.sampled());
    BOOST_TEST(!other.sampled());
    BOOST_TEST((trace_context::parse(one.traceparent()) == one));
}

BOOST_AUTO_TEST_CASE(it_is_written_into_metadata)
{
    text_map metadata{"tenant", "42"};
    trace_context::parse(parent, "a=1")->write(metadata);
    const std::map<std::string, std::string> expected{
        {"tenant", "42"}, {"traceparent", parent}, {"tracestate", "a=1"}};
    BOOST_TEST((metadata.items() == expected));
}

BOOST_AUTO_TEST_SUITE_END()
