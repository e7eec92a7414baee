// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

#include <array>

/// Ten queues, very many jobs, a thousand failures, twenty workers, and names that somebody means ill with: in each view, in
/// a wide window and on a phone, light and dark. The pictures are for people.
BOOST_AUTO_TEST_SUITE(crowded, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

struct crowded_test : dashboard_test
{
    const std::array<std::string, 5> names{"mail", "<script>alert(1)</script>", "a/b \"quoted\" 'name'",
                                           "\U0001F680 rockets", "long-" + std::string(120, 'x')};

    std::string script(const std::string& text, const std::string& queue, int count)
    {
        return redis("EVAL", text, 0, queue, count).text;
    }

    void fill()
    {
        int many = 20'000;
        for (const auto& name : names) {
            know(name);
            script("local id = '019c2fc6-5a00-7000-8000-%012d' for i = 1, tonumber(ARGV[2]) do"
                   " redis.call('LPUSH', 'hworker-jobs-' .. ARGV[1], '[\"' .. id:format(i) .. '\",{\"n\":' "
                   ".. i .. '}]') end",
                   name, many);
            script("local texts = {'no disk', 'connection refused: db-7', '<img src=x onerror=alert(1)>', "
                   "'timeout after 30 s'}"
                   " for i = 1, tonumber(ARGV[2]) do local payload = '[\"' .. ARGV[1]:gsub('\"', '') .. i .. "
                   "'\",{}]'"
                   " redis.call('LPUSH', 'hworker-failed-' .. ARGV[1], payload)"
                   " redis.call('HSET', 'hworker-failures-' .. ARGV[1], payload,"
                   "   '\"2026-11-21T09:54:29.000000000000Z\" 3 ' .. texts[i % 4 + 1]) end",
                   name, 160);
            script("local now = redis.call('TIME')[1] for i = 1, tonumber(ARGV[2]) do"
                   " redis.call('ZADD', 'hworker-remote-' .. ARGV[1], now * 1000 - i * 7000, 'picker ' .. i "
                   ".. ' <i>') end",
                   name, 4);
            for (int i = 1; i != 60; ++i)
                redis("RPUSH", "hworker-history-" + name,
                      minutes_ago(i) + ' ' + std::to_string(900 + 37 * (i % 11)) + ' ' +
                          std::to_string(i % 4) + ' ' + std::to_string(i % 7));
            fill_managed(name);
            many = 500;
        }
        qless("batch_open", names[1], "description", "Import of <b>May</b>");
        qless("limit_set", names[2], "max", "3");
        qless("schedule_set", names[4], "4000000000", "", "", "60", "0", "once", names[1], "Poll", "{}",
              "[]");
    }

    void fill_managed(const std::string& name)
    {
        for (int i = 0; i != 12; ++i)
            qless("put", "", name, name.substr(0, 40) + '-' + std::to_string(i),
                  i % 2 != 0 ? "Image" : "<b>Kind</b>", R"({"file":"a.png"})", "0", "tags",
                  R"(["new","<i>tag</i>"])");
        for (int i = 0; i != 8; ++i) {
            const auto jid =
                redis("EVAL", "return redis.call('ZREVRANGE', 'ql:q:' .. ARGV[1] .. '-work', 0, 0)[1]", 0,
                      name)
                    .text;
            qless("pop", name, "line " + std::to_string(i), "1");
            if (i < 3)
                qless("complete", jid, "line " + std::to_string(i), name, "{}");
            else if (i < 6)
                qless("fail", jid, "line " + std::to_string(i), "io <b>", "connection refused: db-7");
        }
        qless("sign_in", "line 7", name);
    }
};

BOOST_FIXTURE_TEST_CASE(shows_very_much_with_ill_names, crowded_test)
{
    fill();
    start();
    const std::string script_name = "%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    const std::array<std::pair<std::string, std::string>, 16> views{{
        {"", "Queues"},
        {"queue/mail", "mail"},
        {"queue/mail/failed", "mail"},
        {"queue/" + script_name + "/failed", names[1]},
        {"listjob/mail/mail7", "mail7"},
        {"managed/mail", "mail"},
        {"managed/" + script_name + "/complete", names[1]},
        {"managed/mail/running", "mail"},
        {"managed/mail/failed", "mail"},
        {"job/mail-3", "mail-3"},
        {"failures", "Failures"},
        {"workers", "Workers"},
        {"batches", "Batches"},
        {"schedules", "Schedules"},
        {"limits", "Limits"},
        {"managed/mail/statistics", "mail"},
    }};
    for (const auto* scheme : {"light", "dark"}) {
        page.set_colours(scheme);
        for (const int width : {1280, 390}) {
            page.set_size(width, width == 390 ? 844 : 1000);
            for (const auto& [view, heading] : views) {
                open(view, heading);
                const auto wide = page.run("return document.documentElement.scrollWidth").as_int64();
                BOOST_TEST(wide <= width, view);
                BOOST_TEST(
                    page.run(
                            "return document.querySelector('main script, main img, main i, main b') === null")
                        .as_bool(),
                    view);
                std::string name = "crowded-" + std::to_string(width) + '-' + scheme + '-';
                for (const char c : view)
                    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
                screenshot(name);
            }
        }
    }
    expect_no_errors();
}

BOOST_AUTO_TEST_SUITE_END()
