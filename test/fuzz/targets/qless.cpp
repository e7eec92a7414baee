// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "coworker/error.hpp"
#include "coworker/managed_events.hpp"
#include "gateway/event_stream.hpp"
#include "managed/event_buffer.hpp"
#include "managed/limit_words.hpp"
#include "managed/own_options.hpp"
#include "managed/read_job.hpp"
#include "managed/read_look.hpp"
#include "managed/scheduled_options.hpp"
#include "managed/script_refusal.hpp"
#include "managed/unique_key.hpp"
#include "schedule/schedule_words.hpp"
#include "text/json_spans.hpp"
#include "json/event_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace coworker::fuzz {

using namespace detail;

namespace {

/// Messages on the channels "log" and "canceled".
void read_message(std::string_view text)
{
    for (const auto* const channel : {"log", "canceled", "put", "popped"})
        if (const auto event = read_event(channel, text)) {
            claim(is_json(detail::describe(*event).str()));
            const auto sent = describe_event(*event); // two lines and an empty one, whatever stands in it
            claim(sent.empty() || (sent.ends_with("\n\n") && std::ranges::count(sent, '\n') == 3 &&
                                   sent.find('\r') == sent.npos));
        }
}

/// Options that stand beside a job, or in a schedule, are read as far as they make sense.
void read_options(std::string_view text)
{
    pushed_options pushed;
    read_own_options(text, pushed);
    managed_push_options given;
    read_given_options(text, given);
    managed_push_options again;
    read_given_options(own_options_text(given), again);
    claim(own_options_text(again) == own_options_text(given));
    (void)read_scheduled_options(text, "kind", R"({"a":1})");
    const std::string data{text};
    const auto rule = rule_of_key(data, "kind", R"({"a":1,"b":[]})");
    claim(unique_key(rule, "kind", R"({"a":1,"b":[]})") == data || data.empty());
}

void read_schedule_of(std::string_view text)
{
    std::array<std::string_view, 5> words;
    for (auto& word : words) {
        const auto end = std::min(text.find('\n'), text.size());
        word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    const auto when = to_schedule(words[0], words[1], words[2], words[3], words[4]);
    const auto stored = to_words(when);
    const auto again = to_words(to_schedule(stored[0], stored[1], stored[2], stored[3], stored[4]));
    claim(again == stored);
    (void)to_time(words[0]);
}

template<auto Read>
void read_json(std::string_view text)
{
    (void)Read(text);
}

void read_refusal_of(std::string_view text)
{
    claim(static_cast<bool>(error_of_refusal(text)));
    (void)find_refusal(text);
}

constexpr std::array<std::pair<char, void (*)(std::string_view)>, 18> record_readers{
    {{'j', read_json<read_job>},
     {'J', read_json<read_jobs>},
     {'r', read_json<read_recurring_job>},
     {'q', read_json<read_queue>},
     {'Q', read_json<read_queues>},
     {'w', read_json<read_worker>},
     {'W', read_json<read_workers>},
     {'s', read_json<read_statistics>},
     {'p', read_json<read_page>},
     {'t', read_json<read_tracked>},
     {'x', read_json<read_texts>},
     {'f', read_json<read_failed_groups>},
     {'c', read_json<read_config>},
     {'l', read_json<read_limit_uses>},
     {'g', read_json<read_group_weights>},
     {'L', read_json<read_limit_states>},
     {'e', read_message},
     {'d', read_schedule_of}}};

} // namespace

/// Records of qless, answers of its scripts and messages on its channels. The first byte chooses what they are taken for.
FUZZ_TARGET(qless)
{
    if (bytes.empty())
        return;
    const auto text = bytes.substr(1);
    try {
        for (const auto& [letter, read] : record_readers)
            if (letter == bytes[0])
                read(text);
        if (bytes[0] == 'o')
            read_options(text);
        if (bytes[0] == 'n')
            read_refusal_of(text);
    } catch (const system_error& refused) {
        claim(refused.code() == errc::not_decodable);
        claim_sentence(refused.what(), text);
    }
}

} // namespace coworker::fuzz
