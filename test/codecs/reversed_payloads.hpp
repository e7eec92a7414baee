// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/payload_codec.hpp"
#include "text/base64.hpp"

#include <algorithm>

namespace coworker::test {

/// A codec that needs no other library: it stores the job's text from its end to its beginning, bound to kind and
/// queue. A text that contains "plain" stays as it is.
class reversed_payloads final : public payload_codec
{
public:
    explicit reversed_payloads(std::string name = "reversed:1", bool required = false)
        : name_{std::move(name)}, required_{required}
    {}

    std::string_view name() const noexcept override { return name_; }
    bool is_required() const noexcept override { return required_; }

    std::optional<std::string> encode(std::string_view job, const payload_facts& facts) const override
    {
        if (job.find("plain") != std::string_view::npos)
            return std::nullopt;
        return mark(facts) + '.' + detail::base64_encode({std::string{job.rbegin(), job.rend()}});
    }

    std::string decode(std::string_view body, const payload_facts& facts) const override
    {
        const auto dot = body.find('.');
        const auto bytes = detail::base64_decode(body.substr(dot + 1));
        if (body.substr(0, dot) != mark(facts) || !bytes)
            throw payload_error{"not reversed here"};
        return {bytes->rbegin(), bytes->rend()};
    }

private:
    static std::string mark(const payload_facts& facts)
    {
        return std::string{facts.kind.empty() ? facts.queue : facts.kind};
    }

    std::string name_;
    bool required_;
};

inline std::shared_ptr<const payload_codec> reversed(std::string name = "reversed:1", bool required = false)
{
    return std::make_shared<const reversed_payloads>(std::move(name), required);
}

} // namespace coworker::test
