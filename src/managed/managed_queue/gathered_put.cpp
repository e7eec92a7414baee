// SPDX-License-Identifier: MIT
#include "managed/managed_queue/gathered_put.hpp"

#include "bounds.hpp"
#include "redis/script.hpp"

#include <boost/redis/resp3/type.hpp>

namespace coworker::detail {
namespace {

struct waiting_put final : waiting_push
{
    waiting_put(const push_form& how, std::string jid, managed_call what)
        : waiting_push{how, what.prefix(), std::move(jid), what.bytes()}, call{std::move(what)}
    {}

    managed_call call;
};

const managed_call& call_of(const std::shared_ptr<waiting_push>& put)
{
    return static_cast<const waiting_put&>(*put).call;
}

std::exception_ptr why_refused(std::string_view text)
{
    return std::make_exception_ptr(system_error{error_of_refusal(text), std::string{text}});
}

/// What became of a put: the jid, a list that begins with it, or a list of the reason alone.
std::exception_ptr read_one(const reply::answer& answer, waiting_push& put)
{
    const bool is_list = boost::redis::resp3::is_aggregate(answer.first->data_type);
    if (is_list && answer.size() <= 1)
        return why_refused(answer[0]);
    put.id = is_list ? answer[0] : answer.text();
    return nullptr;
}

/// They are one call of `put_many`. One alone is a call of `put`, which costs less than `put_many` of one.
class put_form final : public push_form
{
public:
    put_form() : push_form{max_batch, 1024 * 1024} {}

    const script* called(pushes all) const override { return all.size() == 1 ? &one_ : &many_; }

    void write(boost::redis::request& request, pushes all) const override
    {
        const auto& first = call_of(all.front());
        if (all.size() == 1) {
            push_call(request, one_, first.arguments());
            return;
        }
        script_arguments arguments{first.prefix()};
        arguments.reserve(2 + all.size() * (first.words().size() + 1));
        arguments.add(first.words().front()); // the time
        for (const auto& each : all) {
            const auto words = call_of(each).words().subspan(1);
            arguments.add_number(static_cast<std::int64_t>(words.size()));
            for (const auto& word : words)
                arguments.add(word);
        }
        push_call(request, many_, arguments);
    }

    std::vector<std::exception_ptr> read(const reply::answer& answer, pushes all) const override
    {
        if (answer.is_error())
            return std::vector<std::exception_ptr>(all.size(), why_refused(answer.text()));
        std::vector<std::exception_ptr> why(all.size());
        if (all.size() == 1) {
            why[0] = read_one(answer, *all[0]);
            return why;
        }
        const auto results = reply::parts(answer);
        if (results.size() < all.size())
            throw_unexpected_answer("fewer results than there were puts");
        for (std::size_t i = 0; i != all.size(); ++i)
            why[i] = read_one(results[i], *all[i]);
        return why;
    }

private:
    const script& one_ = find_script("managed/put");
    const script& many_ = find_script("managed/put_many");
};

} // namespace

std::shared_ptr<waiting_push> make_put(std::string jid, managed_call put)
{
    static const put_form form;
    return std::make_shared<waiting_put>(form, std::move(jid), std::move(put));
}

} // namespace coworker::detail
