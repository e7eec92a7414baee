// SPDX-License-Identifier: MIT
#include "managed/signals.hpp"

#include "coworker/managed_client.hpp"
#include "managed/checks.hpp"
#include "text/bounded_time.hpp"
#include "text/json_spans.hpp"
#include "text/numbers.hpp"

/// Signals to jobs.
namespace coworker {
namespace detail {

job_signals read_signals_answer(const reply::answer& words)
{
    job_signals all;
    if (words.size() == 0)
        return all;
    if (words.size() < 3 || !is_json(words[0]) || !is_json(words[1]) || !is_json(words[2]))
        throw_unexpected_answer("signals that are not complete");
    all.received = words[0];
    all.slept = words[1];
    all.ended_jobs = words[2];
    if (words.size() != 6)
        return all;
    auto& sleep = all.sleeps_for.emplace();
    sleep.name = words[5];
    sleep.what = words[4] == "signal" ? wait_kind::signal
                 : words[4] == "job"  ? wait_kind::job
                                      : wait_kind::time;
    sleep.until = std::optional{bounded_time(to_number<double>(words[3]).value_or(0))};
    return all;
}

asio::awaitable<job_signals> read_signals(kept_connection redis, std::string prefix, std::string jid)
{
    managed_call call{std::move(prefix), "signals"};
    call.add(jid);
    return tell(redis, std::move(call), read_signals_answer);
}

} // namespace detail

using namespace detail;

asio::awaitable<result<void>> managed_client::signal(std::string_view jid, std::string_view name,
                                                     const std::string& value) const
{
    check_jid(jid);
    check_signal_name(name);
    if (!is_json("[[" + value + "]]")) // in which it stands among the others
        throw explained_error{errc::not_serializable, "the signal is nested too deeply"};
    managed_call call{options_.prefix, "signal"};
    call.add(jid).add(name).add(value);
    return ask(*redis_, std::move(call));
}

asio::awaitable<job_signals> managed_client::signals(std::string_view jid) const
{
    check_jid(jid);
    return read_signals(*redis_, options_.prefix, std::string{jid});
}

} // namespace coworker
