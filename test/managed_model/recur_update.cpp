// SPDX-License-Identifier: MIT
#include "commands.hpp"

namespace coworker::test::model {
namespace {

double check_number(const std::string& key, const std::string& value)
{
    const auto words = key == "backlog" ? "\" not a number: " : "\" must be a number: ";
    const double number = arguments::number(value, "Recur(): Arg \"" + key + words);
    if (key == "interval" && number <= 0)
        throw refusal{R"(Recur(): Arg "interval" must be greater than 0)"};
    return number;
}

bool is_number(const std::string& key)
{
    return key == "priority" || key == "interval" || key == "retries" || key == "backlog";
}

void check(const std::string& key, const optional_text& value)
{
    if (!value)
        throw refusal{"No value provided for " + key};
    if (is_number(key))
        check_number(key, *value);
    else if (key == "data")
        decode(value);
    else if (key != "klass" && key != "queue")
        throw refusal{"Recur(): Unrecognized option \"" + key + '"'};
}

void move(store& in, double now, recurring_job& what, const std::string& queue)
{
    auto& old = in.queues[what.queue].recurring;
    const auto due = old.score(what.jid).value();
    old.remove(what.jid);
    in.queues[queue].recurring.set(what.jid, due);
    what.queue = queue;
    in.make_known(now, queue);
}

void change(store& in, double now, recurring_job& what, const std::string& key, const std::string& value)
{
    if (key == "klass")
        what.klass = value;
    else if (key == "data")
        what.data = value;
    else if (key == "queue")
        move(in, now, what, value);
    if (!is_number(key))
        return;
    const double number = check_number(key, value);
    if (key == "interval")
        in.queues[what.queue].recurring.add(what.jid, number - what.interval);
    auto& field = key == "interval"   ? what.interval
                  : key == "priority" ? what.priority
                  : key == "retries"  ? what.retries
                                      : what.backlog;
    field = number;
}

} // namespace

reply recur_update(store& in, const arguments& given)
{
    const auto jid = given.jid(0);
    const auto found = in.recurring.find(jid);
    if (found == in.recurring.end())
        throw refusal{"Recur(): No recurring job " + jid};
    for (std::size_t i = 1; i < given.size(); i += 2)
        check(*given.at(i), given.at(i + 1));
    for (std::size_t i = 1; i < given.size(); i += 2)
        change(in, given.now(), found->second, *given.at(i), *given.at(i + 1));
    return {1};
}

} // namespace coworker::test::model
