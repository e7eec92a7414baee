// SPDX-License-Identifier: MIT
#pragma once

#include "generator.hpp"

#include <boost/json/serialize.hpp>

namespace coworker::test::model {

/// Makes up arguments of the commands.
class author
{
public:
    author(chance& chance, const store& state, double now) : chance_{chance}, state_{state}, now_{now} {}

    strings write(const std::string& script);

private:
    strings write_put();
    strings write_settling(const std::string& script);
    strings write_complete();
    strings write_change(const std::string& script);
    strings write_listing(const std::string& script);
    strings write_recurring(const std::string& script);
    strings write_recur();
    strings write_option(const std::string& script);

    bool percent(std::size_t share) { return chance_.percent(share); }

    std::string jid()
    {
        return chance_.of({"a", "b", "c", "d", "e", "f", "g", "a/b", "r1-1", "r1-2", "r2-1"});
    }
    std::string queue() { return chance_.of({"q1", "q1", "q1", "q2", "p/q"}); }
    std::string worker() { return chance_.of({"w1", "w1", "w2", "w/3"}); }
    std::string tag() { return chance_.of({"t1", "t2", "t/3"}); }
    std::string group() { return chance_.of({"g1", "g/2", "failed-retries-q1"}); }
    std::string parent() { return chance_.of({"r1", "r2", "r3"}); }
    std::string data()
    {
        return chance_.of({"{}", "[]", R"({"a": [1,2.50,12345678901234567890]})", R"("t/x")", "null", "5"});
    }
    std::string number(std::initializer_list<const char*> usual)
    {
        return chance_.below(40) == 0 ? chance_.of({"x", "", "inf", " 0x2 ", "1e0", "--1"})
                                      : chance_.of(usual);
    }
    std::string list(const strings& members)
    {
        return members.empty() && percent(50) ? "{}" : json::serialize(to_json(members));
    }
    std::string list_of_tags() { return percent(3) ? "5" : list(some(&author::tag)); }
    std::string list_of_jids() { return percent(3) ? "[[1]]" : list(some(&author::jid)); }

    strings some(std::string (author::*make)(), std::size_t most = 3)
    {
        strings result;
        for (auto count = chance_.below(most + 1); count != 0; --count)
            result.push_back((this->*make)());
        return result;
    }
    strings with(strings words, const strings& more)
    {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    strings page()
    {
        return percent(40) ? strings{number({"0", "1", "2", "-1"}), number({"0", "1", "5", "25"})}
                           : strings{};
    }

    /// A job in that state, if there is one.
    std::string jid_in(const std::string& state)
    {
        strings found;
        for (const auto& [jid, job] : state_.jobs)
            if (job.state == state)
                found.push_back(jid);
        return found.empty() || percent(8) ? jid() : chance_.of(found);
    }

    chance& chance_;
    const store& state_;
    double now_;
};

} // namespace coworker::test::model
