// SPDX-License-Identifier: MIT
#include "json/notice_text.hpp"

#include "coworker/batch_values.hpp"
#include "coworker/error.hpp"
#include "text/bounded_time.hpp"
#include "text/numbers.hpp"
#include "json/batch_text.hpp"
#include "json/queue_words.hpp"

#include <boost/json/parse.hpp>

#include <array>
#include <string>

namespace coworker::detail {
namespace {

[[noreturn]] void refuse_notice()
{
    throw explained_error{errc::not_decodable, "not a notice of coworker's"};
}

/// The scripts write each byte beyond ASCII as the character of its number, which UTF-8 has two bytes for.
std::string bytes_of(std::string_view text)
{
    std::string bytes;
    for (std::size_t i = 0; i != text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x80) {
            bytes += text[i];
            continue;
        }
        if (byte > 0xc3 || ++i == text.size())
            refuse_notice();
        bytes += static_cast<char>(byte == 0xc3 ? text[i] + 0x40 : text[i]);
    }
    return bytes;
}

std::string text_in(const boost::json::value& value)
{
    if (const auto* const text = value.if_string())
        return bytes_of(*text);
    refuse_notice();
}

/// A notice as it is stored. What is not there is empty.
class stored_notice
{
public:
    explicit stored_notice(std::string_view json)
    {
        error_code failed;
        auto value = boost::json::parse(json, failed);
        if (failed || !value.is_object())
            refuse_notice();
        members_ = std::move(value.get_object());
    }

    std::string text(std::string_view name) const
    {
        const auto* const found = members_.if_contains(name);
        return found == nullptr ? std::string{} : text_in(*found);
    }
    timestamp time(std::string_view name) const
    {
        return bounded_time(to_number<double>(text(name)).value_or(0));
    }
    std::string queue() const
    {
        const auto kind = text("layout") == "managed" ? queue_kind::managed : queue_kind::list;
        return call_queue({kind, text("queue")});
    }
    batch_status batch() const
    {
        const auto* const found = members_.if_contains("batch");
        if (found == nullptr || !found->is_array() || found->get_array().size() != words_of_batch)
            refuse_notice();
        std::array<std::string, words_of_batch> texts;
        std::array<std::string_view, words_of_batch> words;
        for (std::size_t i = 0; i != words_of_batch; ++i)
            words[i] = texts[i] = text_in(found->get_array()[i]);
        return read_batch(words);
    }

private:
    boost::json::object members_;
};

json_object describe_job(const stored_notice& notice)
{
    json_object failure;
    failure.text_if_any("group", notice.text("group"))
        .text("message", notice.text("message"))
        .time("failed_at", notice.time("at"))
        .text_if_any("worker", notice.text("worker"));
    json_object job;
    job.text_if_any("id", notice.text("id"))
        .text_if_any("kind", notice.text("kind"))
        .text("queue", notice.queue())
        .text("state", notice.text("state"));
    if (const auto attempts = to_number<unsigned>(notice.text("attempts")))
        job.number("attempts", *attempts);
    job.object("failure", failure);
    return job;
}

json_object describe_queue(const stored_notice& notice)
{
    json_object queue;
    queue.text("queue", notice.queue()).time("without_worker_since", notice.time("since"));
    return queue;
}

} // namespace

json_object describe_notice(std::string_view stored)
{
    const stored_notice notice{stored};
    const auto type = notice.text("type");
    json_object out;
    out.text("type", type).time("timestamp", notice.time("at"));
    if (type == "job.failed")
        out.object("data", describe_job(notice));
    else if (type == "batch.ended")
        out.object("data", describe(notice.batch()));
    else if (type == "queue.no_worker" || type == "queue.has_worker")
        out.object("data", describe_queue(notice));
    else
        refuse_notice();
    return out;
}

} // namespace coworker::detail
