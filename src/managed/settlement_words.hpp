#pragma once

#include "coworker/job_source.hpp"
#include "redis/script_arguments.hpp"

#include <deque>
#include <string>

namespace coworker::detail {

/// Writes settlements as exchange.lua wants them: groups of a count and that many words.
class settlement_words
{
public:
    explicit settlement_words(script_arguments& arguments) : arguments_{arguments} {}

    void add(const settlement& what);

private:
    void add_completion(const taken_job& job, const outcome& result);
    void add_failure(const taken_job& job, std::string_view reason, const outcome& result,
                     std::string_view group);
    void add_retry(const taken_job& job, const outcome& result);
    void write(std::initializer_list<std::string_view> words);
    std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
    std::string_view group_of(const taken_job& job, const outcome& result, std::string_view otherwise);

    script_arguments& arguments_;
    std::deque<std::string> texts_; ///< those that nobody else keeps until the call
};

} // namespace coworker::detail
