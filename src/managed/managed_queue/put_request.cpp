// SPDX-License-Identifier: MIT
#include "managed/managed_queue/put_request.hpp"

#include "managed/checks.hpp"
#include "managed/limit_words.hpp"
#include "managed/own_options.hpp"
#include "managed/unique_key.hpp"

namespace coworker::detail {
namespace {

void add_unique(managed_call& call, const unique_rule& rule, const put_request& job)
{
    call.add("unique").add(unique_key(rule, job.kind, job.data)).add("until");
    if (rule.unique_for.count() > 0)
        call.add_seconds(rule.unique_for);
    else
        call.add(to_string(rule.until));
    call.add("conflict").add(word_of(rule.conflict));
}

} // namespace

void check_put_options(const put_request& job)
{
    check_own_options(job.options);
    check_limit_options(job.options);
    if (job.options.priority)
        check_priority(*job.options.priority);
    check_names(job.options.tags, "a tag");
    check_jids(job.options.depends);
}

void check_put(const put_request& job, std::size_t max_job_size)
{
    check_name(job.kind, "the kind");
    check_data(job.data, max_job_size);
    check_new_jid(job.jid);
    const auto& parents = job.options.depends;
    if (std::find(parents.begin(), parents.end(), job.jid) != parents.end())
        throw explained_error{errc::invalid_option, "a job cannot depend on itself"};
    check_put_options(job);
    check_unique(job.options.unique, job.data);
}

push_codecs::push_codecs(const std::vector<push_middleware>* around) noexcept
{
    if (around != nullptr)
        for (const auto& each : *around)
            if (const auto* codecs = each.target<payload_codecs>(); codecs != nullptr && !codecs->empty())
                codecs_ = codecs;
}

const std::shared_ptr<connection>& confirmed_puts::of(const std::vector<push_middleware>* around,
                                                      const std::shared_ptr<connection>& own) noexcept
{
    const auto* over = &own;
    if (around != nullptr)
        for (const auto& each : *around)
            if (const auto* confirmed = each.target<confirmed_puts>())
                over = &confirmed->redis;
    return *over;
}

std::string push_codecs::stored(std::string_view kind, std::string_view data, std::size_t max_job_size) const
{
    if (codecs_ == nullptr)
        return {};
    auto text = codecs_->encode(data, {{}, kind});
    if (max_job_size != 0 && text.size() > max_job_size)
        throw explained_error{errc::job_too_large, "the job has " + std::to_string(text.size()) +
                                                       " bytes as it is stored, allowed are " +
                                                       std::to_string(max_job_size)};
    return text;
}

void add_put(managed_call& call, const std::string& worker, const std::string& queue, const put_request& job)
{
    call.add(worker)
        .add(queue)
        .add(job.jid)
        .add(job.kind)
        .add(job.stored.empty() ? job.data : job.stored)
        .add_seconds(job.options.delay);
    add_put_options(call, job);
}

void add_put_options(managed_call& call, const put_request& job)
{
    const auto& options = job.options;
    if (options.priority)
        call.add("priority").add_number(*options.priority);
    if (options.retries)
        call.add("retries").add_number(*options.retries);
    if (options.tags.is_given())
        call.add("tags").add_list(options.tags);
    if (!options.depends.empty())
        call.add("depends").add_list(options.depends);
    add_limit_options(call, options);
    if (const auto own = own_options_text(options); own != "{}")
        call.add("options").add(own);
    if (is_given(options.unique))
        add_unique(call, options.unique, job);
}

std::vector<std::string> words_for_later(const std::string& prefix, const put_request& job, const char* what)
{
    if (job.options.jid || job.options.delay.count() > 0 || !job.options.depends.empty())
        throw explained_error{errc::invalid_option,
                              std::string{what} +
                                  " have ids of their own, no delay and no dependencies; leave "
                                  "out jid, delay and depends"};
    managed_call put{prefix, "put"};
    const auto words_ahead_of_options = put.size();
    add_put_options(put, job);
    const auto words = put.words().subspan(words_ahead_of_options);
    return {words.begin(), words.end()};
}

push_result read_put(const reply::answer& answer)
{
    push_result result;
    if (answer.size() == 0) {
        result.id = answer.text();
        return result;
    }
    result.id = answer[0];
    result.pushed = false;
    result.replaced = answer[1] == "replaced";
    if (answer[1] == "refused") {
        result.error = errc::not_unique;
        result.refusal = "the job " + result.id + " has the key";
    }
    return result;
}

} // namespace coworker::detail
