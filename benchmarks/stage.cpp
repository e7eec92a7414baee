// SPDX-License-Identifier: MIT
#include "stage.hpp"

#include <boost/json/parse.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace bench {
namespace {

using namespace std::chrono_literals;
constexpr auto time_limit = 10min;

/// Waits until it is so, for a process that may end without it.
template<class Condition>
bool wait_until(process& whose, Condition is_so)
{
    const auto give_up = std::chrono::steady_clock::now() + time_limit;
    while (!is_so()) {
        if (!whose.is_running())
            return is_so();
        if (std::chrono::steady_clock::now() > give_up)
            return false;
        std::this_thread::sleep_for(2ms);
    }
    return true;
}

std::string number(double value)
{
    std::ostringstream text;
    text << value;
    return text.str();
}

} // namespace

std::vector<std::string> task::words() const
{
    return {"/proc/self/exe",
            "as",
            kind,
            url,
            what,
            std::to_string(count),
            how,
            "--size",
            std::to_string(size),
            "--queues",
            std::to_string(queues),
            "--partitions",
            std::to_string(partitions),
            "--replicas",
            std::to_string(replicas),
            "--handler-ms",
            number(handler_ms),
            "--rate",
            number(rate)};
}

part::part(const std::vector<std::string>& command_line)
    : name_{command_line.front()}, process_{std::make_unique<process>(command_line, folder_.file("output"))}
{}

std::string part::output() const
{
    std::ostringstream text;
    text << std::ifstream{folder_.file("output")}.rdbuf();
    return text.str();
}

void part::fail(const std::string& why) const
{
    throw std::runtime_error{name_ + ' ' + why + ":\n" + output()};
}

std::string part::wait_until_ready(std::string_view words)
{
    std::string said;
    if (!wait_until(*process_, [&] {
            const auto text = output();
            const auto begin = text.find(words);
            const auto end = begin == text.npos ? begin : text.find('\n', begin);
            if (end != text.npos)
                said = text.substr(begin + words.size(), end - begin - words.size());
            return end != text.npos;
        }))
        fail("did not get ready");
    return said;
}

measured part::result()
{
    if (!wait_until(*process_, [&] { return !process_->is_running(); }))
        fail("did not end");
    if (const int code = process_->wait(); code != 0)
        fail("ended with " + std::to_string(code));
    const auto text = output();
    const auto begin = text.rfind("\n{") == text.npos ? text.find('{') : text.rfind("\n{") + 1;
    if (begin == text.npos)
        fail("has no result");
    const auto object = boost::json::parse(text.substr(begin, text.find('\n', begin) - begin)).as_object();
    const auto value = [&](const char* name) {
        const auto* found = object.if_contains(name);
        return found == nullptr ? 0 : found->to_number<double>();
    };
    return {value("seconds"), value("cpu"), value("p50"), value("p99"), value("p999"), value("requests")};
}

std::string part::stop()
{
    process_->signal(SIGTERM);
    if (!wait_until(*process_, [&] { return !process_->is_running(); }))
        fail("did not stop");
    return output();
}

bool is_installed(const std::string& program)
{
    return process{{"sh", "-c", "command -v " + program}}.wait() == 0;
}

void skip(const std::string& what, const std::string& why)
{
    std::cerr << "bench: " << what << " is left out: " << why << '\n';
}

double cpu_of(redis_server& server)
{
    auto& raw = server.raw();
    return std::stod(raw.info("cpu", "used_cpu_user")) + std::stod(raw.info("cpu", "used_cpu_sys"));
}

double push_rate(stage& on, const task& what, bool apart)
{
    on.empty();
    const auto took = apart ? on.apart(what) : perform(what);
    const auto done = what.how == "flight" ? what.count / 100 * 100 : what.count;
    on.empty();
    return static_cast<double>(done) / took.seconds;
}

drained drain(stage& on, const task& work, bool apart)
{
    on.empty();
    task fill = work;
    fill.what = "push";
    fill.how = "bulk";
    apart ? on.apart(fill) : perform(fill);
    const double before = on.redis_cpu();
    const auto took = apart ? on.apart(work) : perform(work);
    const double after = on.redis_cpu();
    const auto count = static_cast<double>(work.count);
    for (long i = 0; i != work.queues; ++i) {
        const auto name = "bench" + (i == 0 ? std::string{} : std::to_string(i));
        if (on.redis()("EXISTS", "hworker-jobs-" + name, "ql:q:" + name + "-work").integer != 0 ||
            on.redis()("EXISTS", "ql:q:" + name + "-locks", "ql:q:" + name + "-scheduled").integer != 0)
            throw std::runtime_error{"drain: not every job of " + work.kind + " was done"};
    }
    on.empty();
    return {count / took.seconds, (after - before) * 1e6 / count, took.cpu * 1e6 / count};
}

measured latency(const std::vector<std::string>& worker, const std::vector<std::string>& producer)
{
    part working{worker};
    working.wait_until_ready();
    part pushing{producer};
    pushing.result();
    return working.result();
}

measured idle_latency(const task& work)
{
    task push = work;
    push.what = "push";
    push.how = "paced";
    return latency(work.words(), push.words());
}

} // namespace bench
