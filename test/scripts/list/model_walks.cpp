// SPDX-License-Identifier: MIT
#include "leftovers.hpp"
#include "list/start_time.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace coworker::test;
using namespace std::chrono_literals;

/// Random walks through the model of a list queue, which spin makes: test/protocol. Each step that the model says it does is
/// done here with the script, and afterwards Redis has to hold what the model holds. So model and scripts stay one thing.
namespace {

const std::string only_job = "job";

struct line
{
    std::string what;
    std::vector<std::string> words;

    int number(std::size_t at) const { return std::stoi(words.at(at)); }
};

const temporary_folder& folder()
{
    static const temporary_folder instance;
    return instance;
}

/// Runs commands where a copy of the model is; what they print is in the file "out".
bool run(const std::string& commands)
{
    std::filesystem::remove(folder().file("out"));
    return std::system(("cd " + folder().path().string() + " && cp " PROTOCOL_FOLDER "/*.pml . && (" +
                        commands + ") >out 2>&1")
                           .c_str()) == 0;
}

/// The steps that spin has printed; it writes more behind them.
std::vector<line> read_steps()
{
    std::ifstream file{folder().file("out")};
    std::vector<line> lines;
    for (std::string text; std::getline(file, text);) {
        if (text.empty() || std::islower(static_cast<unsigned char>(text.front())) == 0 ||
            text.starts_with("spin:") || text.starts_with("depth-limit") || text.starts_with("timeout"))
            break;
        std::istringstream words{text};
        line next;
        words >> next.what;
        next.words.assign(std::istream_iterator<std::string>{words}, {});
        lines.push_back(std::move(next));
    }
    while (!lines.empty() && lines.back().what != "dead_since") // a step that was not ended
        lines.pop_back();
    return lines;
}

std::vector<line> walk_at_random(int seed)
{
    BOOST_TEST_REQUIRE(
        run("spin -T -n" + std::to_string(seed) +
            " -u1500 -DTRACE -DRETRIES -DDELAYS -DTOKENS=40 -DFAULTS=3 -DMONITORS=2 -DCOPIES=2 list.pml"));
    return read_steps();
}

/// The shortest walk to something that chance seldom meets: `reach` in list.pml.
std::vector<line> walk_to(int goal)
{
    const auto model =
        "-DTRACE -DTOKENS=5 -DFAULTS=1 -DMONITORS=1 -DGOAL=" + std::to_string(goal) + " list.pml";
    run("(spin -a " + model +
        " && gcc -O1 -w -DSAFETY -DBFS -DMEMLIM=4000 -o pan pan.c && ./pan -E) >search 2>&1; spin -t -T " +
        model);
    auto steps = read_steps();
    BOOST_TEST(!steps.empty());
    return steps;
}

/// Calls, and what the model says that came of them.
struct replayed : queue_user
{
    std::map<int, std::string> tokens;                    ///< start times by the model's numbers
    std::map<int, std::string> numbers;                   ///< worker numbers
    std::map<int, std::string> known;                     ///< of each worker: the number that it passes
    std::map<int, std::map<int, std::string>> last_signs; ///< of each monitor: when a number was found dead
    std::map<int, std::string> looked;                    ///< of each monitor: the time of its look, in ms
    std::vector<std::string> absent;                      ///< of the look that is being read
    std::vector<std::string> there;
    int looking = 0; ///< the monitor that looks
    std::chrono::minutes ahead{0};

    explicit replayed(int copies)
    {
        for (int i = 0; i != copies; ++i)
            push(only_job);
    }

    static std::string name_of(int worker) { return "worker" + std::to_string(worker); }
    static std::string monitor(const std::string& number) { return "monitor" + number; }

    /// Each token is a minute younger than the one before, so that no delay of this test counts.
    void pass_a_minute() { BOOST_TEST_REQUIRE(set_clock(ahead += 1min)); }

    static std::int64_t micros_of(const std::string& token)
    {
        return coworker::detail::parse_start_time(token)->started.time_since_epoch().count();
    }

    static std::string start_time(std::int64_t micros, unsigned worker)
    {
        return coworker::detail::format_start_time(coworker::timestamp{std::chrono::microseconds{micros}},
                                                   worker);
    }

    /// A lease of which half is over for the tokens up to this one.
    unsigned lease_after(int half) const
    {
        const auto border = tokens.empty() ? server_micros() - 30'000'000
                            : half == 0    ? micros_of(tokens.at(1)) - 30'000'000
                                           : micros_of(tokens.at(half)) + 30'000'000;
        return unsigned((server_micros() - border) / 500);
    }

    void add_token(int number, const std::string& text)
    {
        BOOST_TEST(number == int(tokens.size()) + 1);
        tokens[number] = text;
    }

    // --- what a worker calls -------------------------------------------------------------------------

    struct worker_call
    {
        std::string kind;
        int worker = 0, call = 0, called_for = 0, token = 0, half = 0;
        bool in_doubt = false, again = false;
        std::string result;
        unsigned attempt = 0;

        worker_call(const line& head, const line& with)
            : kind{head.what}, worker{head.number(0)}, call{head.number(1)}, called_for{head.number(2)},
              token{head.number(3)}, half{head.number(4)}, in_doubt{with.number(0) != 0},
              again{with.number(1) != 0}, result{with.words.at(2)}, attempt{unsigned(with.number(3))}
        {}
        /// Nobody hears the answer to what a lost connection still carried.
        bool is_heard() const { return call < 2; }
    };

    struct outcome
    {
        int token, tries;
        bool is_refused;
        int number;

        explicit outcome(const line& answer)
            : token{answer.number(0)}, tries{answer.number(1)},
              is_refused{answer.number(2) != 0}, number{answer.number(3)}
        {}
    };

    void carry_out(const worker_call& made, const outcome& expected)
    {
        pass_a_minute();
        if (made.kind == "renew")
            renew(made, expected);
        else if (made.kind == "find")
            find(made, expected);
        else if (made.kind == "release")
            call({"release", {only_job, tokens.at(made.called_for)}});
        else
            settle_and_take(made, expected);
    }

    void renew(const worker_call& made, const outcome& expected)
    {
        const auto answer =
            call({"renew",
                  {known[made.worker], name_of(made.worker), std::to_string(lease_after(made.half)), only_job,
                   tokens.at(made.called_for), made.in_doubt ? "1" : "0"}});
        add_token(expected.token, answer.elements.at(0).text);
        if (made.is_heard())
            BOOST_TEST((answer.elements.size() == 2) == expected.is_refused);
    }

    void find(const worker_call& made, const outcome& expected)
    {
        strings arguments{"0", "128", "0"};
        for (const auto& [number, name] : redis()("HGETALL", "workers").pairs())
            if (name == name_of(made.worker))
                arguments.push_back(number);
        arguments[2] = std::to_string(arguments.size() - 3);
        const auto found = call({"own_leases", arguments}).texts();
        const bool is_another =
            found.size() == 3 && (made.token == 0 || found.at(2) != tokens.at(made.token));
        BOOST_TEST((is_another ? found.at(2) : "") == (expected.token != 0 ? tokens.at(expected.token) : ""));
    }

    void settle_and_take(const worker_call& made, const outcome& expected)
    {
        ack_and_fetch step{.count = made.kind == "ack" ? 0U : 1U, .name = name_of(made.worker)};
        step.worker = known[made.worker].empty() ? 0 : unsigned(std::stoul(known[made.worker]));
        step.lease = made.again ? 0 : lease_after(made.half);
        if (made.kind != "fetch" && made.result == "success")
            step.succeeded = {{tokens.at(made.called_for), {only_job}}};
        else if (made.kind != "fetch")
            step.others = {{only_job, tokens.at(made.called_for), made.result == "back" ? "release" : "retry",
                            made.attempt, made.result == "later" ? std::chrono::milliseconds{24h}.count() : 0,
                            "why"}};
        const auto answer = call(step).elements;
        const bool is_short = answer.size() <= 2; // the worker has kept its number, and nothing was lost
        if (made.is_heard())
            BOOST_TEST((!is_short && !answer.at(3).elements.empty()) == expected.is_refused);
        if (step.count == 0)
            return;
        learn_number(made.worker, expected.number,
                     is_short ? known[made.worker] : std::to_string(answer.at(1).integer));
        const auto taken = is_short ? answer.size() - 1 : answer.at(4).elements.size();
        BOOST_TEST(taken == (expected.token != 0));
        if (taken == 0)
            return;
        add_token(expected.token, answer.at(0).text);
        if (made.is_heard())
            BOOST_TEST(1 + (is_short || answer.at(5).elements.empty()
                                ? 0
                                : attempts_of(answer.at(5).elements.at(0))) ==
                       expected.tries);
    }

    static int attempts_of(const redis_value& value)
    {
        return value.text.empty() ? int(value.integer) : std::stoi(value.text);
    }

    void learn_number(int worker, int number, const std::string& text)
    {
        known[worker] = text;
        BOOST_TEST(numbers.try_emplace(number, text).first->second == text);
    }

    // --- what a monitor does, and time ------------------------------------------------------------------

    void begin_look(const line& said)
    {
        looking = said.number(0);
        absent.clear();
        there.clear();
        const auto leads = call({"redis/lead", {monitor(said.words.at(0)), "60000"}});
        BOOST_TEST(leads.integer == 0);
        redis()("PERSIST", "monitor"); // its term ends when the model says so
        looked[looking] = std::to_string(server_micros() / 1000);
        last_signs[looking].clear();
    }

    void find_present(const line& said) { there.push_back(numbers.at(said.number(0))); }

    void find_absent(const line& said)
    {
        const auto& number = numbers.at(said.number(0));
        absent.push_back(number);
        const auto is_struck = redis()("HGET", "workers", number).text.empty();
        last_signs[looking][said.number(0)] =
            is_struck ? redis()("HGET", "gone", number).text : looked[looking];
    }

    void end_look()
    {
        strings arguments{looked[looking], std::to_string(absent.size())};
        arguments.insert(arguments.end(), absent.begin(), absent.end());
        arguments.insert(arguments.end(), there.begin(), there.end());
        if (arguments.size() > 2)
            call({"note_absence", arguments});
        looking = 0;
    }

    /// The numbers of a set of bits, as the model has it.
    std::vector<int> numbers_in(int bits) const
    {
        std::vector<int> found;
        for (int number = 1; number != 7; ++number)
            if ((bits & 1 << number) != 0)
                found.push_back(number);
        return found;
    }

    void strike_off(const line& said)
    {
        strings arguments{monitor(said.words.at(0)), looked[said.number(0)]};
        for (const auto number : numbers_in(said.number(1)))
            arguments.insert(arguments.end(), {numbers.at(number), name_of((number + 1) % 2)});
        call({"strike_off", arguments});
    }

    script_call sweep_of(const line& said)
    {
        const auto over = said.number(1);
        recovery step{.threshold = start_time(over == 0 ? 0 : micros_of(tokens.at(over)) + 1'000'000, 0)};
        script_call made = step;
        for (const auto number : numbers_in(said.number(2)))
            made.arguments.insert(
                made.arguments.end(),
                {numbers.at(number),
                 start_time(std::stoll(last_signs[said.number(0)].at(number)) * 1000 + 999, 999'999)});
        return made;
    }

    /// What the monitor leaves alone
    void pass_by(const line& said) { BOOST_TEST(call(sweep_of(said)).elements.at(1).integer == 0); }
    void sweep(const line& said) { BOOST_TEST(call(sweep_of(said)).elements.at(1).integer == 1); }

    void forget(const line& said)
    {
        for (const auto number : numbers_in(said.number(1))) {
            redis()("HDEL", "workers", numbers.at(number));
            redis()("HDEL", "gone", numbers.at(number));
        }
        call({"tidy", {}});
    }

    void end_term(const line&) { redis()("DEL", "monitor"); }

    void make_next_due(const line&)
    {
        const auto first = redis()("ZRANGE", "scheduled", 2, "+inf", "BYSCORE", "LIMIT", 0, 1).texts();
        redis()("ZADD", "scheduled", 1, first.at(0));
    }

    // --- what Redis holds ------------------------------------------------------------------------------

    static int integer_at(const std::string& key)
    {
        const auto found = redis()("HGET", key, only_job);
        return found.is_nil() ? 0 : attempts_of(found);
    }

    void check_jobs(const line& said)
    {
        BOOST_TEST(redis()("LLEN", "jobs").integer == said.number(0));
        BOOST_TEST(redis()("ZCARD", "scheduled").integer == said.number(1));
        BOOST_TEST(redis()("ZCOUNT", "scheduled", 1, 1).integer == said.number(2));
        BOOST_TEST(integer_at("duplicates") == said.number(3));
        const auto ended = redis()("HGET", "counters", "success");
        BOOST_TEST((ended.is_nil() ? 0 : std::stoi(ended.text)) == said.number(4));
        BOOST_TEST(integer_at("attempts") == said.number(5));
    }

    void check_held(const line& said)
    {
        const auto token = said.number(0);
        BOOST_TEST(redis()("HGET", "progress", only_job).text == (token == 0 ? "" : tokens.at(token)));
        BOOST_TEST(redis()("GET", "monitor").text == (said.number(1) == 0 ? "" : monitor(said.words.at(1))));
    }

    /// Of each number: 0 for nobody, 1 for a name, 2 for one that was struck off.
    void check_registry(const line& said)
    {
        auto workers = redis()("HGETALL", "workers").pairs();
        for (int number = 1; number != 7; ++number) {
            const auto state = said.number(std::size_t(number - 1));
            const auto found = numbers.contains(number) ? workers.find(numbers[number]) : workers.end();
            BOOST_TEST((found == workers.end() ? 0 : found->second.empty() ? 2 : 1) == state);
            if (state == 1)
                BOOST_TEST(found->second == name_of((number + 1) % 2));
        }
        BOOST_TEST(workers.size() == 6U - std::size_t(std::count(said.words.begin(), said.words.end(), "0")));
    }

    void check_gone(const line& said)
    {
        for (const auto& [number, text] : numbers)
            BOOST_TEST(redis()("HEXISTS", "gone", text).integer == said.number(std::size_t(number - 1)));
    }

    /// When those were found dead that have been struck off: after this token, and before the next one.
    void check_dead_since(const line& said)
    {
        for (const auto& [number, text] : numbers) {
            const auto token = said.number(std::size_t(number - 1));
            if (token == 0)
                continue;
            const auto since = std::stoll(redis()("HGET", "gone", text).text) * 1000 + 999;
            BOOST_TEST(since >= micros_of(tokens.at(token)));
            BOOST_TEST((!tokens.contains(token + 1) || since < micros_of(tokens.at(token + 1))));
        }
    }

    void follow(const std::vector<line>& walk, std::map<std::string, int>& done)
    {
        for (auto at = walk.begin(); at != walk.end(); ++at) {
            const auto& what = at->what;
            ++done[what];
            if (looking != 0 && what != "there" && what != "absent")
                end_look();
            if (const auto step = steps().find(what); step != steps().end()) {
                (this->*step->second)(*at);
            } else {
                carry_out({at[0], at[1]}, outcome{at[2]});
                at += 2;
            }
        }
    }

    /// What each line stands for; those of a worker's call go on in two more.
    static const std::map<std::string, void (replayed::*)(const line&)>& steps()
    {
        static const std::map<std::string, void (replayed::*)(const line&)> all{
            {"look", &replayed::begin_look},    {"there", &replayed::find_present},
            {"absent", &replayed::find_absent}, {"strike", &replayed::strike_off},
            {"sweep", &replayed::sweep},        {"pass", &replayed::pass_by},
            {"forget", &replayed::forget},      {"due", &replayed::make_next_due},
            {"term", &replayed::end_term},      {"jobs", &replayed::check_jobs},
            {"held", &replayed::check_held},    {"registry", &replayed::check_registry},
            {"gone", &replayed::check_gone},    {"dead_since", &replayed::check_dead_since}};
        return all;
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(model_walks)

BOOST_AUTO_TEST_CASE(the_scripts_do_what_the_model_does)
{
    if (!script_test::set_clock({}) || std::system("command -v spin gcc >/dev/null") != 0) {
        BOOST_TEST_MESSAGE("needs spin, gcc, and a server whose clock can be set");
        return;
    }
    std::map<std::string, int> done;
    for (int seed = 1; seed <= 100; ++seed) {
        BOOST_TEST_CONTEXT("seed " << seed)
        {
            replayed{2}.follow(walk_at_random(seed), done);
        }
    }
    for (int goal = 1; goal <= 8; ++goal) {
        BOOST_TEST_CONTEXT("goal " << goal)
        {
            replayed{1}.follow(walk_to(goal), done);
        }
    }
    for (const auto* step : {"fetch", "ack", "ack_fetch", "renew", "find", "release", "look", "absent",
                             "strike", "sweep", "pass", "forget", "due", "term"}) {
        BOOST_TEST_MESSAGE(step << ": " << done[step]);
        BOOST_TEST(done[step] > 0, "no walk has the step " << step);
    }
}

BOOST_AUTO_TEST_SUITE_END()
