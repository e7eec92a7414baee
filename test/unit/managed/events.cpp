// SPDX-License-Identifier: MIT
#include "managed/event_buffer.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace coworker;
using coworker::detail::event_buffer;
using coworker::detail::read_event;
using kind = coworker::managed_event_kind;

BOOST_AUTO_TEST_SUITE(events)

namespace {

managed_event event_of(std::string jid)
{
    managed_event event;
    event.kind = kind::popped;
    event.jid = std::move(jid);
    return event;
}

/// The jids of what is in a buffer; of a gap how many are missed.
std::string told(event_buffer& buffer)
{
    std::string text;
    while (const auto event = buffer.take())
        text += (event->kind == kind::missed ? '(' + std::to_string(event->count) + ')' : event->jid) + ' ';
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(reads_every_message_on_the_log)
{
    auto event = read_event("log", R"({"jid":"j","event":"put","queue":"q"})");
    BOOST_TEST_REQUIRE(event.has_value());
    BOOST_TEST((event->kind == kind::put));
    BOOST_TEST(event->jid == "j");
    BOOST_TEST(event->queue == "q");
    BOOST_TEST(!event->of_tracked);

    event = read_event("log", R"({"jid":"j","event":"lock_lost","worker":"w"})");
    BOOST_TEST((event->kind == kind::lock_lost));
    BOOST_TEST(event->worker == "w");

    event = read_event("log", R"({"jid":"j","queue":false,"event":"canceled","worker":false})");
    BOOST_TEST((event->kind == kind::canceled));
    BOOST_TEST(event->queue.empty());
    BOOST_TEST(event->worker.empty());

    event = read_event("log", R"({"jid":"j","event":"completed","queue":"q"})");
    BOOST_TEST((event->kind == kind::completed));

    event = read_event("log", R"({"jid":"j","to":"next","event":"advanced","queue":"q"})");
    BOOST_TEST((event->kind == kind::advanced));
    BOOST_TEST(event->to == "next");

    event = read_event("log", R"({"message":"m","jid":"j","group":"g","event":"failed","worker":"w"})");
    BOOST_TEST((event->kind == kind::failed));
    BOOST_TEST(event->message == "m");
    BOOST_TEST(event->group == "g");

    event = read_event("log", R"({"option":"heartbeat","event":"config_set","value":"60"})");
    BOOST_TEST((event->kind == kind::config_set));
    BOOST_TEST(event->option == "heartbeat");
    BOOST_TEST(event->value == "60");

    event = read_event("log", R"({"event":"config_unset","option":"heartbeat"})");
    BOOST_TEST((event->kind == kind::config_unset));
}

BOOST_AUTO_TEST_CASE(a_message_about_a_tracked_job_is_its_jid)
{
    for (const auto& [channel, expected] :
         {std::pair{"put", kind::put}, std::pair{"popped", kind::popped}, std::pair{"stalled", kind::stalled},
          std::pair{"completed", kind::completed}, std::pair{"failed", kind::failed},
          std::pair{"canceled", kind::canceled}, std::pair{"track", kind::tracked},
          std::pair{"untrack", kind::untracked}}) {
        const auto event = read_event(channel, "j");
        BOOST_TEST_REQUIRE(event.has_value());
        BOOST_TEST((event->kind == expected));
        BOOST_TEST(event->jid == "j");
        BOOST_TEST(event->of_tracked);
    }
}

BOOST_AUTO_TEST_CASE(passes_over_what_no_script_sends)
{
    for (const auto* message : {"", "{", "7", "{}", R"({"event":"danced"})", R"({"event":"missed"})",
                                R"({"event":7})", R"({"event":"put","jid":[]})"})
        BOOST_TEST(!read_event("log", message).has_value(), message);
    BOOST_TEST(!read_event("missed", "j").has_value());
    BOOST_TEST(!read_event("", "j").has_value());
}

BOOST_AUTO_TEST_CASE(every_kind_has_a_name_of_its_own)
{
    std::set<std::string_view> names;
    for (int each = 0; each <= static_cast<int>(kind::missed); ++each)
        BOOST_TEST(names.insert(to_string(static_cast<kind>(each))).second);
    BOOST_TEST(!names.contains("unknown"));
}

BOOST_AUTO_TEST_CASE(says_how_many_did_not_fit)
{
    event_buffer buffer{2};
    for (const auto* jid : {"a", "b", "c", "d"})
        buffer.add(event_of(jid));
    BOOST_TEST(told(buffer) == "a b (2) ");
    BOOST_TEST(told(buffer).empty());
}

BOOST_AUTO_TEST_CASE(goes_on_behind_the_gap)
{
    event_buffer buffer{2};
    for (const auto* jid : {"a", "b", "c"})
        buffer.add(event_of(jid));
    BOOST_TEST(buffer.take()->jid == "a");
    buffer.add(event_of("d")); // the gap takes a place itself
    BOOST_TEST(buffer.take()->jid == "b");
    buffer.add(event_of("e"));
    BOOST_TEST(told(buffer) == "(2) e ");
}

BOOST_AUTO_TEST_CASE(keeps_a_number_of_bytes_as_well)
{
    event_buffer buffer{1000};
    auto large = event_of("a");
    large.message.assign(event_buffer::most_bytes, 'x'); // by itself it is kept in any case
    buffer.add(large);
    buffer.add(event_of("b"));
    buffer.add(event_of("c"));
    BOOST_TEST(told(buffer) == "a (2) ");
    buffer.add(event_of("d"));
    buffer.add(large);
    buffer.add(event_of("e")); // has room behind the gap
    BOOST_TEST(told(buffer) == "d (1) e ");
    buffer.add(large);
    buffer.clear();
    buffer.add(event_of("f"));
    BOOST_TEST(told(buffer) == "f ");
}

BOOST_AUTO_TEST_CASE(nobody_knows_how_many_a_lost_connection_has_cost)
{
    event_buffer buffer{2};
    buffer.add(event_of("a"));
    buffer.note_gap();
    buffer.note_gap();
    BOOST_TEST(told(buffer) == "a (0) ");
    for (const auto* jid : {"a", "b", "c"})
        buffer.add(event_of(jid));
    buffer.note_gap();
    buffer.add(event_of("d"));
    BOOST_TEST(told(buffer) == "a b (0) ");
}

BOOST_AUTO_TEST_SUITE_END()
