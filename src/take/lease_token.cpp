// SPDX-License-Identifier: MIT
#include "take/lease_token.hpp"

#include "list/partitions.hpp"
#include "managed/acknowledgement_words.hpp"

#include <charconv>

namespace coworker::detail {
namespace {

void put(std::string& token, std::string_view text)
{
    token.append(std::to_string(text.size())).append(1, ':').append(text);
}

/// Reads texts with their lengths in front. After an error all are empty.
class token_reader
{
public:
    explicit token_reader(std::string_view token) : rest_{token} {}

    std::string_view next()
    {
        std::size_t size = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
        const auto digits = static_cast<std::size_t>(end - rest_.data());
        if (error != std::errc{} || digits == rest_.size() || *end != ':' || size > rest_.size() - digits - 1)
            return fail();
        const auto text = rest_.substr(digits + 1, size);
        rest_.remove_prefix(digits + 1 + size);
        return text;
    }

    template<class Number>
    Number next_number()
    {
        const auto text = next();
        Number number{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || end != text.data() + text.size())
            fail();
        return number;
    }

    bool has_more() const noexcept { return !rest_.empty(); }

    /// All of it could be read.
    bool is_complete() const noexcept { return is_good_ && rest_.empty(); }

private:
    std::string_view fail() noexcept
    {
        is_good_ = false;
        return rest_ = {};
    }

    std::string_view rest_;
    bool is_good_ = true;
};

std::string_view mark_of(queue_kind kind) noexcept
{
    return kind == queue_kind::managed ? "m" : "l";
}

/// Of jobs of partitions.
constexpr std::string_view partition_mark = "p";

/// Of jobs that have a checkpoint, or may get one.
constexpr std::string_view checkpoint_mark = "c";

} // namespace

std::string write_token(queue_kind kind, std::optional<unsigned> partition, const fetched_job& job,
                        std::chrono::milliseconds retry_delay, std::string_view worker)
{
    std::string token;
    put(token, partition ? partition_mark : mark_of(kind));
    if (partition)
        put(token, std::to_string(*partition));
    put(token, *job.lease);
    put(token, std::to_string(job.attempt));
    put(token, std::to_string(retry_delay.count()));
    if (kind == queue_kind::managed) {
        put(token, job.kind);
        put(token, job.id());
        put(token, time_taken(job));
        if (job.has_checkpoint)
            put(token, checkpoint_mark);
    } else {
        put(token, job.body);
        put(token, worker);
    }
    return token;
}

std::optional<leased_job> read_token(queue_kind kind, std::string_view token)
{
    token_reader reader{token};
    leased_job result;
    const auto mark = reader.next();
    if (mark == partition_mark && kind == queue_kind::list)
        result.partition = reader.next_number<unsigned>();
    else if (mark != mark_of(kind))
        return std::nullopt;
    auto& job = result.job;
    job.lease = std::make_shared<const std::string>(reader.next());
    job.attempt = reader.next_number<unsigned>();
    result.retry_delay = std::chrono::milliseconds{reader.next_number<std::int64_t>()};
    if (kind == queue_kind::managed) {
        job.kind = reader.next();
        const auto jid = reader.next();
        job.body.append(jid).append(reader.next());
        job.id_range = {0, jid.size()};
        job.text_range = {jid.size(), 0};
        job.has_checkpoint = reader.has_more();
        if (job.has_checkpoint && reader.next() != checkpoint_mark)
            return std::nullopt;
        job.details = std::make_shared<const job_details>(); // says that a time is behind the data
    } else {
        job.body = reader.next();
        if (reader.has_more())
            result.worker = reader.next();
    }
    if (result.partition && *result.partition >= most_partitions)
        return std::nullopt;
    if (!reader.is_complete() || result.retry_delay.count() < 0 || job.lease->empty())
        return std::nullopt;
    return result;
}

} // namespace coworker::detail
