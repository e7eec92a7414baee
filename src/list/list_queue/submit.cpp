// SPDX-License-Identifier: MIT
#include "list/list_queue/submit.hpp"

#include "bounds.hpp"

#include <algorithm>

namespace coworker::detail {

void submit_arguments::add(std::string_view id, std::string_view start, std::string_view payload)
{
    ids_.push_back(id);
    starts_.push_back(start);
    payloads_.push_back(payload);
    later_ = later_ || !start.empty();
}

script_arguments submit_arguments::words() const
{
    script_arguments words{keys_.jobs, keys_.scheduled, keys_.counters, keys_.ids, keys_.ready};
    words.reserve(6 + 3 * ids_.size());
    words.add_number(remember_.count());
    words.add_number(static_cast<std::int64_t>(ids_.size()));
    for (const auto& each : ids_)
        words.add(each);
    for (const auto& each : payloads_)
        words.add(each);
    if (later_ || most_ != 0)
        for (const auto& each : starts_)
            words.add(each);
    if (most_ != 0)
        words.add_number(static_cast<std::int64_t>(most_));
    return words;
}

std::string start_word(const push_options& how)
{
    if (how.at)
        return '@' + std::to_string(to_milliseconds(*how.at));
    return how.delay.count() > 0 ? '+' + std::to_string(how.delay.count()) : std::string{};
}

std::int64_t to_milliseconds(timestamp when)
{
    return std::chrono::ceil<std::chrono::milliseconds>(when.time_since_epoch()).count();
}

bool may_run_now(const push_options& how) noexcept
{
    return !how.at && how.delay.count() <= 0 && how.unique_for.count() == 0;
}

bool is_plain(const push_options& how)
{
    return may_run_now(how) && (!how.id || queued_at(*how.id));
}

// The script remembers all ids for the same time.
std::size_t submitted_part(const many_pushes& all, push_places places)
{
    std::size_t count = 0, bytes = 0;
    std::chrono::milliseconds remember{0};
    for (; count != places.size() && count != max_batch && bytes < max_batch_bytes; ++count) {
        const auto i = places[count];
        if (const std::chrono::milliseconds time = all.how(i).unique_for; time.count() != 0) {
            if (remember.count() != 0 && remember != time)
                break;
            remember = time;
        }
        bytes += all.payloads[i].size();
    }
    return count;
}

asio::awaitable<std::exception_ptr> submit(connection& redis, const list_keys& keys, std::uint64_t most,
                                           many_pushes& all, push_places places)
{
    std::chrono::milliseconds remember{0};
    std::vector<std::string> starts; // the arguments refer to them
    starts.reserve(places.size());
    for (const auto i : places) {
        remember = std::max<std::chrono::milliseconds>(remember, all.how(i).unique_for);
        starts.push_back(start_word(all.how(i)));
    }
    submit_arguments call{keys, remember, most};
    for (std::size_t n = 0; n != places.size(); ++n) {
        const auto i = places[n];
        const bool is_remembered = all.how(i).unique_for.count() != 0;
        call.add(is_remembered ? std::string_view{all.ids[i]} : "", starts[n], all.payloads[i]);
    }
    const auto arguments = call.words();
    std::exception_ptr unconfirmed;
    const reply answers = co_await redis.call(find_script("list/submit"), arguments, unconfirmed);
    for (std::size_t n = 0; n != places.size(); ++n) {
        const auto became = answers.back().integer(n);
        note(&many_pushes::refused, all, places[n], became == 0);
        note(&many_pushes::full, all, places[n], became == submit_found_no_room);
    }
    co_return unconfirmed;
}

void note(std::vector<char> many_pushes::*what, many_pushes& all, std::size_t place, bool became)
{
    auto& marks = all.*what;
    if (became)
        marks.resize(all.ids.size());
    if (!marks.empty())
        marks[place] = became;
}

} // namespace coworker::detail
