// SPDX-License-Identifier: MIT
#include "redis/script.hpp"

#include <boost/test/unit_test.hpp>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

BOOST_AUTO_TEST_SUITE(script)

using coworker::detail::embedded_scripts;
using coworker::detail::find_script;

std::string sha1(std::string_view text)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned size = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
    std::string hex;
    for (unsigned i = 0; i != size; ++i)
        for (const int digit : {digest[i] / 16, digest[i] % 16})
            hex += "0123456789abcdef"[digit];
    return hex;
}

std::size_t count(std::string_view text, std::string_view part)
{
    std::size_t found = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size()))
        ++found;
    return found;
}

BOOST_AUTO_TEST_CASE(embeds_every_step_of_the_list_queue)
{
    for (const auto name : {"list/count_lost", "list/look", "list/sizes", "list/act", "list/search",
                            "list/ack_and_fetch", "redis/lead", "list/note_absence", "list/recover_leases",
                            "list/own_leases", "list/release", "list/renew", "list/see_next", "list/submit",
                            "list/tidy", "list/wait", "list/count_running", "list/purge", "redis/leader"})
        BOOST_TEST(find_script(name).name == name);
}

BOOST_AUTO_TEST_CASE(embeds_every_command_of_the_managed_queue)
{
    for (const auto name : {"act",          "cancel",       "check",        "complete",  "complete_many",
                            "config_get",   "config_set",   "config_unset", "depends",   "fail",
                            "fail_many",    "failed",       "get",          "heartbeat", "heartbeat_many",
                            "jobs",         "length",       "log",          "multiget",  "pause",
                            "peek",         "pop",          "priority",     "put",       "put_many",
                            "queue_forget", "queues",       "recur",        "recur_get", "recur_tag",
                            "recur_untag",  "recur_update", "requeue",      "retry",     "retry_many",
                            "search",       "stats",        "tag",          "timeout",   "track",
                            "unfail",       "unpause",      "unrecur",      "wait",      "worker_deregister",
                            "workers"}) {
        const auto full_name = std::string{"managed/"} + name;
        BOOST_TEST(find_script(full_name).name == full_name);
    }
}

BOOST_AUTO_TEST_CASE(embeds_no_part_as_a_script_of_its_own)
{
    for (const auto& script : embedded_scripts())
        BOOST_TEST(script.name.find("parts") == script.name.npos, script.name);
}

BOOST_AUTO_TEST_CASE(gives_every_script_a_name_and_text_of_its_own)
{
    std::set<std::string_view> names, shas;
    for (const auto& script : embedded_scripts()) {
        BOOST_TEST(names.insert(script.name).second, script.name);
        BOOST_TEST(shas.insert(script.sha).second, script.name);
    }
}

BOOST_AUTO_TEST_CASE(knows_the_sha1_of_the_text_as_embedded)
{
    for (const auto& script : embedded_scripts())
        BOOST_TEST(script.sha == sha1(script.text()), script.name);
}

BOOST_AUTO_TEST_CASE(begins_every_script_with_its_shebang)
{
    for (const auto& script : embedded_scripts()) {
        BOOST_TEST(script.text().starts_with("#!lua"), script.name);
        BOOST_TEST(count(script.text(), "#!lua") == 1, script.name);
    }
}

BOOST_AUTO_TEST_CASE(includes_a_part_before_those_that_use_it)
{
    // Both of ack_and_fetch's outcomes release duplicates, and take as well as finish tell the time.
    const auto text = find_script("list/ack_and_fetch").text();
    for (const auto function :
         {"local function server_time", "local function start_time", "local function release_duplicate",
          "local function schedule(", "local function acknowledge", "local function finish(",
          "local function take(", "local function record_failure", "local function record_broken"})
        BOOST_TEST(count(text, function) != 0, function);
    BOOST_TEST(text.find("local function release_duplicate") < text.find("local function acknowledge"));
    BOOST_TEST(text.find("local function release_duplicate") < text.find("local function finish("));
    BOOST_TEST(text.find("local function server_time") < text.find("local function take("));
}

BOOST_AUTO_TEST_CASE(includes_parts_that_parts_name_before_them)
{
    const auto text = find_script("managed/batch_seal").text();
    for (const auto function : {"local function refuse(", "local function parse(", "local function put("})
        BOOST_TEST(count(text, function) == 1, function);
    BOOST_TEST(text.find("local function refuse(") < text.find("local function parse("));
    BOOST_TEST(text.find("local function parse(") < text.find("local function put("));
}

BOOST_AUTO_TEST_CASE(has_no_part_twice)
{
    const auto all = coworker::detail::script_pieces();
    for (const auto& script : embedded_scripts()) {
        std::set<std::uint16_t> seen;
        for (const auto number : script.pieces) {
            const bool is_part =
                all[number].starts_with("\nlocal ") && all[number].find("end\n") != std::string_view::npos;
            BOOST_TEST((!is_part || seen.insert(number).second), script.name << ":\n" << all[number]);
        }
    }
}

BOOST_AUTO_TEST_CASE(has_parts_on_demand_behind_those_that_are_always_made)
{
    const auto text = find_script("managed/put_many").text();
    const auto demand = text.find("demand = function(part)");
    BOOST_TEST_REQUIRE(demand != text.npos);
    BOOST_TEST(text.find("local function refuse(") < demand); // of parts/args.lua
    BOOST_TEST(text.find("local function put_keys(") < demand);
    BOOST_TEST(demand < text.find("local function settle_affected("));
}

BOOST_AUTO_TEST_CASE(includes_no_part_that_is_not_used)
{
    BOOST_TEST(count(find_script("redis/lead").text(), "local function") == 0);
    BOOST_TEST(count(find_script("list/release").text(), "local function") == 10);
}

BOOST_AUTO_TEST_CASE(lets_reading_scripts_write_nothing)
{
    for (const auto name : {"list/look", "list/sizes", "list/wait", "list/count_running"}) {
        const auto text = find_script(name).text();
        BOOST_TEST(text.substr(0, text.find('\n')).find("no-writes") != text.npos, name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
