// SPDX-License-Identifier: MIT
#include "redis/push_batch.hpp"

#include "redis/connection/connection.hpp"
#include "redis/script_arguments.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <tuple>

namespace coworker::detail {
namespace {

/// How many pushes, from the first on, are one command.
std::size_t size_of_command(push_form::pushes pushes)
{
    const auto& first = *pushes.front();
    std::size_t bytes = first.bytes;
    std::size_t size = 1;
    for (; size != pushes.size() && size != first.form.most; ++size) {
        const auto& next = *pushes[size];
        bytes += next.bytes;
        if (&next.form != &first.form || bytes > first.form.most_bytes || next.key != first.key ||
            !first.form.go_together(first, next))
            break;
    }
    return size;
}

/// Completes a push; `why` is null if Redis has it.
void complete(connection& redis, waiting_push& push, std::exception_ptr why)
{
    if (push.name)
        push.name->is_told = push.name->is_told || !why;
    try {
        push.complete(std::move(why), std::move(push.id));
    } catch (...) { // a handler's exception leaves the context's run(), and the other handlers are called
        asio::post(redis.get_executor(),
                   [thrown = std::current_exception()] { std::rethrow_exception(thrown); });
    }
}

} // namespace

void push_batch::add(std::shared_ptr<waiting_push> push)
{
    if (push->has_ended()) // cancelled already
        return;
    if (push->is_cancellable())
        push->batch = weak_from_this();
    is_sorted = is_sorted && (pushes.empty() || pushes.back()->key <= push->key);
    bytes += push->bytes;
    push->number = pushes.size();
    pushes.push_back(std::move(push));
    ++waiting;
}

void push_batch::start(const std::shared_ptr<connection>& on)
{
    ++on->pushes().under_way_;
    redis = on;
    try {
        write_request();
        redis->carry_out(shared_from_this());
    } catch (...) { // no memory
        asio::post(redis->get_executor(),
                   [batch = shared_from_this(), why = std::current_exception()] { batch->ended(why); });
    }
}

void push_batch::write_request()
{
    if (!is_sorted)
        std::sort(pushes.begin(), pushes.end(), [](const auto& a, const auto& b) {
            return std::tie(a->key, a->number) < std::tie(b->key, b->number);
        });
    for (push_form::pushes rest{pushes}; !rest.empty(); rest = rest.subspan(commands.back().pushes.size()))
        commands.push_back({rest.first(size_of_command(rest))});
    request.reserve(bytes + pushes.size() * 16 + 64);
    std::vector<const script*> loaded;
    for (const auto& each : commands)
        if (const auto* const called = each.called();
            is_repeated && called != nullptr &&
            std::find(loaded.begin(), loaded.end(), called) == loaded.end()) {
            push_load(request, *called);
            loaded.push_back(called);
        }
    loads = loaded.size();
    for (const auto& each : commands)
        each.form().write(request, each.pushes);
    write_names();
}

/// Nobody reads the answers: failing to register a queue's name does not fail the push.
void push_batch::write_names()
{
    std::string_view last; // handles of one queue stand together, and their name is told once
    for (const auto& push : pushes)
        if (const auto* unknown = push->name.get();
            unknown != nullptr && !unknown->is_told && std::exchange(last, unknown->name) != unknown->name)
            request.push("SADD", unknown->set, unknown->name);
}

/// Whether a command was not carried out because Redis does not have its script.
bool push_batch::lacks_script(std::size_t index) const
{
    try {
        return !is_repeated && commands[index].called() != nullptr &&
               answers[loads + index].says_script_is_missing();
    } catch (const system_error&) { // there are fewer answers than commands
        return false;
    }
}

/// Why Redis refused the pushes of a command, each null if it did not.
std::vector<std::exception_ptr> push_batch::refusals(std::size_t index) const
{
    const auto& [all] = commands[index];
    try {
        const bool lacks_it = answers[loads + index].says_script_is_missing();
        for (std::size_t i = 0; i != loads && lacks_it; ++i) // why Redis did not take it says more
            if (answers[i].is_error())
                return std::vector<std::exception_ptr>(all.size(), answers[i].error());
        return commands[index].form().read(answers[loads + index], all);
    } catch (...) { // there are fewer answers than commands, or of another shape
        return std::vector<std::exception_ptr>(all.size(), std::current_exception());
    }
}

/// Sends the pushes of these commands once more, with the scripts.
void push_batch::repeat(const std::vector<const command*>& missing)
{
    const auto again = std::make_shared<push_batch>();
    again->is_repeated = true;
    for (const auto* each : missing)
        for (const auto& push : each->pushes)
            again->add(push);
    if (!again->pushes.empty())
        again->start(redis);
}

void push_batch::ended(std::exception_ptr why)
{
    std::vector<std::vector<std::exception_ptr>> refused(commands.size());
    std::vector<const command*> missing;
    for (std::size_t i = 0; i != commands.size() && !why; ++i)
        if (lacks_script(i))
            missing.push_back(&commands[i]);
        else
            refused[i] = refusals(i);
    if (unconfirmed)
        for (auto& each : refused)
            std::replace(each.begin(), each.end(), std::exception_ptr{}, unconfirmed);
    if (!missing.empty())
        repeat(missing);
    const auto ended_on = std::exchange(redis, nullptr);
    bool is_under_way = true;
    const auto end = [&] {
        if (std::exchange(is_under_way, false))
            --ended_on->pushes().under_way_;
    };
    const auto complete_one = [&](const std::shared_ptr<waiting_push>& push, std::exception_ptr because) {
        if (push == pushes.back()) // no others will come, so what its handler pushes is sent at once
            end();
        complete(*ended_on, *push, std::move(because));
    };
    if (why)
        for (const auto& push : pushes)
            complete_one(push, why);
    for (std::size_t i = 0; i != commands.size(); ++i)
        for (std::size_t place = 0; place != refused[i].size(); ++place)
            complete_one(commands[i].pushes[place], std::move(refused[i][place]));
    end();
}

} // namespace coworker::detail
