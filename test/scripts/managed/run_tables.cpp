// Runs the tables of this folder: a suite for every file, a case for every test in it.
#include "comparison.hpp"
#include "managed_redis.hpp"
#include "table.hpp"

#include "redis/script.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace coworker::test {
namespace {

namespace ut = boost::unit_test;

redis_value call(managed_redis& redis, const table_call& what)
{
    if (!what.is_command())
        return redis.try_call(what.name, what.keys, what.arguments);
    std::vector<std::string> words{what.name};
    words.insert(words.end(), what.keys.begin(), what.keys.end());
    words.insert(words.end(), what.arguments.begin(), what.arguments.end());
    return redis.raw().try_command(words);
}

/// Hears everything that is published.
class listener
{
public:
    explicit listener(const std::string& socket_path) : redis_{socket_path} { redis_("PSUBSCRIBE", "*"); }

    /// What has been published since the last call, in the form "channel text".
    std::vector<std::string> messages()
    {
        std::vector<std::string> result;
        // Redis answers in order, so what was published before the PING comes first.
        for (auto value = redis_("PING"); value.elements.at(0).text != "pong"; value = redis_.receive())
            result.push_back(value.elements.at(2).text + ' ' + value.elements.at(3).text);
        return result;
    }

private:
    raw_redis redis_;
};

void run(const table_test& test)
{
    managed_redis scripts;
    auto& redis = scripts.raw();
    for (const auto& preparation : test.given) {
        const auto answer = call(scripts, preparation);
        BOOST_REQUIRE_MESSAGE(!answer.is_error(), "given " << preparation.name << ": " << answer.text);
    }
    static listener everything{scripts.socket_path()};
    everything.messages();
    const auto before = test.state ? *test.state : dump(redis);

    const auto answer = call(scripts, test.when);
    const auto reply = compare_reply(answer, test.reply);
    BOOST_CHECK_MESSAGE(reply.empty(), "the reply differs:" << reply);
    const auto messages = compare_messages(everything.messages(), test.messages);
    BOOST_CHECK_MESSAGE(messages.empty(), "the messages differ:" << messages);
    const auto state = compare_databases(dump(redis), before);
    BOOST_CHECK_MESSAGE(state.empty(), "the state differs:" << state);
}

ut::test_suite* make_suite(const std::filesystem::path& file)
{
    auto* suite = new ut::test_suite{file.stem().string(), file.string(), 1}; // Boost.Test deletes it
    try {
        for (const auto& test : read_table(file))
            suite->add(ut::make_test_case([test] { run(test); }, test.name, test.file, test.line));
    } catch (const std::exception& error) {
        const std::string what = error.what();
        suite->add(ut::make_test_case([what] { BOOST_FAIL(what); }, "is_readable", file.string(), 1));
    }
    return suite;
}

/// Before main, as Boost.Test's own macros do it.
const bool registered = [] {
    for (const auto& entry : std::filesystem::directory_iterator{MANAGED_TABLES})
        if (entry.path().extension() == ".test")
            ut::framework::current_auto_test_suite().add(make_suite(entry.path()));
    return true;
}();

} // namespace
} // namespace coworker::test

BOOST_AUTO_TEST_SUITE(tables)

BOOST_AUTO_TEST_CASE(exist_for_every_script)
{
    for (const auto& script : coworker::detail::embedded_scripts())
        if (script.name.starts_with("managed/")) {
            const std::string file = std::string{script.name.substr(8)} + ".test";
            BOOST_TEST(std::filesystem::exists(std::filesystem::path{MANAGED_TABLES} / file), file);
        }
}

BOOST_AUTO_TEST_SUITE_END()
