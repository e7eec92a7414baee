// SPDX-License-Identifier: MIT
#include "list/list_queue/push_forms.hpp"

#include "bounds.hpp"
#include "list/list_queue/submit.hpp"
#include "redis/script.hpp"

#include <boost/redis/request.hpp>

namespace coworker::detail {
namespace {

struct payload_push : waiting_push
{
    payload_push(const push_form& how, std::string destination, std::string new_id, std::string text)
        : waiting_push{how, std::move(destination), std::move(new_id), text.size()}, payload{std::move(text)}
    {}

    std::string payload;
};

struct submitted_push final : payload_push
{
    using payload_push::payload_push;

    std::shared_ptr<const list_keys> keys;
    std::chrono::milliseconds remember{0}; ///< how long its id is remembered; zero: not at all
    std::string start;
    std::uint64_t most = 0; ///< how many jobs may wait; zero: any number
    bool* pushed = nullptr;
};

/// They are one LPUSH.
class plain_form final : public push_form
{
public:
    plain_form() : push_form{pushes_per_command, max_batch_bytes} {}

    void write(boost::redis::request& request, pushes all) const override
    {
        std::vector<std::string_view> values;
        values.reserve(all.size());
        for (const auto& each : all)
            values.push_back(static_cast<const payload_push&>(*each).payload);
        request.push_range("LPUSH", all.front()->key, values);
    }
};

/// They are one call of `submit`.
class submit_form final : public push_form
{
public:
    submit_form() : push_form{max_batch, max_batch_bytes} {}

    const script* called(pushes) const override { return &script_; }

    /// The script remembers all ids for the same time, and knows one bound.
    bool go_together(const waiting_push& one, const waiting_push& next) const override
    {
        const auto& first = static_cast<const submitted_push&>(one);
        const auto& second = static_cast<const submitted_push&>(next);
        return first.remember == second.remember && first.most == second.most;
    }

    void write(boost::redis::request& request, pushes all) const override
    {
        const auto& first = static_cast<const submitted_push&>(*all.front());
        submit_arguments call{*first.keys, first.remember, first.most};
        for (const auto& each : all) {
            const auto& job = static_cast<const submitted_push&>(*each);
            call.add(job.remember.count() != 0 ? std::string_view{job.id} : "", job.start, job.payload);
        }
        push_call(request, script_, call.words());
    }

    std::vector<std::exception_ptr> read(const reply::answer& answer, pushes all) const override
    {
        auto refused = push_form::read(answer, all);
        for (std::size_t i = 0; i != all.size() && !answer.is_error(); ++i) {
            const auto& job = static_cast<const submitted_push&>(*all[i]);
            const auto became = answer.integer(i);
            if (became == submit_found_no_room)
                refused[i] = std::make_exception_ptr(system_error{errc::queue_full});
            else if (job.pushed != nullptr && !job.has_ended())
                *job.pushed = became != 0;
        }
        return refused;
    }

private:
    const script& script_ = find_script("list/submit");
};

} // namespace

std::shared_ptr<waiting_push> make_plain_push(const list_keys& keys, std::string id, std::string payload)
{
    static const plain_form form;
    return std::make_shared<payload_push>(form, keys.jobs, std::move(id), std::move(payload));
}

std::shared_ptr<waiting_push> make_submission(std::shared_ptr<const list_keys> keys, std::string id,
                                              std::string payload, const push_options& how,
                                              std::uint64_t most, bool* pushed)
{
    static const submit_form form;
    auto push = std::make_shared<submitted_push>(form, keys->jobs, std::move(id), std::move(payload));
    push->keys = std::move(keys);
    push->remember = how.unique_for;
    push->start = start_word(how);
    push->most = most;
    push->pushed = pushed;
    return push;
}

} // namespace coworker::detail
