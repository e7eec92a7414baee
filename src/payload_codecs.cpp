// SPDX-License-Identifier: MIT
#include "coworker/payload_codec.hpp"

#include "text/json_spans.hpp"

#include "coworker/error.hpp"

#include <algorithm>

namespace coworker {
namespace {

constexpr std::string_view marker_prefix = "coworker:";
/// A job that says that it was encoded more often is not one of ours.
constexpr std::size_t most_layers = 8;

struct encoded_form
{
    std::string_view name; ///< without the prefix
    std::string body;
};

/// What an encoded job consists of; empty: it is a plain one.
std::optional<encoded_form> read_encoded(std::string_view stored)
{
    detail::json_reader text{stored};
    if (!text.accept('{'))
        return std::nullopt;
    auto name = text.plain_string();
    if (!name || !name->starts_with(marker_prefix) || !text.accept(':'))
        return std::nullopt;
    const auto body = text.value();
    if (!body || !body->starts_with('"') || !text.accept('}') || !text.at_end())
        return std::nullopt;
    name->remove_prefix(marker_prefix.size());
    return encoded_form{*name, detail::string_of(*body)};
}

std::string write_encoded(std::string_view name, std::string_view body)
{
    std::string text;
    text.reserve(marker_prefix.size() + name.size() + body.size() + 7);
    return text.append("{\"").append(marker_prefix).append(name).append("\":\"").append(body).append("\"}");
}

/// The job as these codecs, in this order, make it.
template<class Codecs>
std::string encode_by(const Codecs& codecs, std::string_view job, const payload_facts& facts)
{
    std::string text{job};
    for (const auto& codec : codecs)
        if (const auto body = codec->encode(text, facts))
            text = write_encoded(codec->name(), *body);
    return text;
}

bool is_valid_name(std::string_view name)
{
    constexpr std::string_view others = ":-._";
    return !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               others.find(c) != std::string_view::npos;
    });
}

outcome refusal_of(const payload_error& why)
{
    if (why.chance() == payload_error::hope::elsewhere)
        return retry(why.what(), std::nullopt, ":not-decodable");
    return outcome{outcome::kind::broken, why.what()};
}

} // namespace

payload_codecs::payload_codecs(std::initializer_list<std::shared_ptr<const payload_codec>> codecs)
{
    list all;
    for (const auto& each : codecs) {
        if (!each || !is_valid_name(each->name()))
            throw explained_error{errc::invalid_option, "a payload codec is missing, or has no valid name"};
        if (std::any_of(all.begin(), all.end(),
                        [&](const auto& other) { return other->name() == each->name(); }))
            throw explained_error{errc::invalid_option,
                                  "two payload codecs are called '" + std::string{each->name()} + "'"};
        all.push_back(each);
    }
    if (!all.empty())
        codecs_ = std::make_shared<const list>(std::move(all));
}

std::string payload_codecs::encode(std::string_view job, const payload_facts& facts) const
{
    if (!codecs_)
        return std::string{job};
    if (read_encoded(job))
        throw explained_error{errc::not_serializable,
                              "it looks like an encoded job: the names of members that begin "
                              "with 'coworker:' are reserved"};
    return encode_by(*codecs_, job, facts);
}

std::string payload_codecs::decode(std::string_view stored, const payload_facts& facts) const
{
    auto opened = open(stored, facts);
    return opened ? std::move(opened->text) : std::string{stored};
}

void payload_codecs::operator()(new_managed_job& job) const
{
    job.data = encode(job.data, {{}, job.kind});
}

const payload_codec* payload_codecs::find(std::string_view name) const noexcept
{
    const auto found = std::find_if(codecs_->begin(), codecs_->end(),
                                    [&](const auto& each) { return each->name() == name; });
    return found == codecs_->end() ? nullptr : found->get();
}

std::optional<payload_codecs::opened_job> payload_codecs::open(std::string_view stored,
                                                               const payload_facts& facts) const
{
    if (!codecs_)
        return std::nullopt;
    opened_job result;
    while (const auto form = read_encoded(result.layers.empty() ? stored : std::string_view{result.text})) {
        if (result.layers.size() == most_layers)
            throw payload_error{"the job is encoded too many times"};
        const auto* codec = find(form->name);
        if (codec == nullptr)
            throw payload_error{"the job is encoded as '" + std::string{form->name} +
                                    "', and this program has no codec for that",
                                payload_error::hope::elsewhere};
        result.text = codec->decode(form->body, facts);
        result.layers.push_back(codec);
    }
    for (const auto& each : *codecs_)
        if (each->is_required() &&
            std::find(result.layers.begin(), result.layers.end(), each.get()) == result.layers.end())
            throw payload_error{"the job is not encoded as '" + std::string{each->name()} +
                                "', and other jobs are refused here"};
    if (result.layers.empty())
        return std::nullopt;
    return result;
}

asio::awaitable<outcome> payload_codecs::run_opened(opened_job job, job_context& context,
                                                    next_handler next) const
{
    auto result = co_await next(job.text);
    if (result.managed() == nullptr || !result.managed()->how.data)
        co_return result;
    const std::vector<const payload_codec*> inner_first{job.layers.rbegin(), job.layers.rend()};
    auto more = *result.managed();
    const payload_facts facts{context.queue(), context.kind()};
    more.how.data = raw_json{encode_by(inner_first, more.how.data->text, facts)};
    co_return outcome{result.what(), result.reason(), result.delay(), std::move(more)};
}

namespace {

asio::awaitable<outcome> not_run(outcome result)
{
    co_return result;
}

} // namespace

middleware open_payloads(payload_codecs codecs)
{
    return [codecs = std::move(codecs)](job_context& context, next_handler next) -> asio::awaitable<outcome> {
        std::optional<payload_codecs::opened_job> opened;
        try {
            opened = codecs.open(next.job(), {context.queue(), context.kind()});
        } catch (const payload_error& why) {
            return not_run(refusal_of(why));
        }
        if (!opened)
            return next();
        return codecs.run_opened(std::move(*opened), context, next);
    };
}

} // namespace coworker
