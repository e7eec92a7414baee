// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/detail/begun_step.hpp"
#include "coworker/error.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace coworker::detail {

namespace asio = boost::asio;
struct running_job;

/// The steps of a run.
class job_steps
{
public:
    /// Checks the name, and reads what earlier attempts have stored before the first step.
    static asio::awaitable<begun_step> begin(running_job& job, std::string name);
    /// Stores the value of a step that was carried out. If it is in doubt whether it was stored, it is stored again.
    static asio::awaitable<result<void>> store(running_job& job, std::string name, std::string value);
    /// All that is stored: names and values.
    static asio::awaitable<std::map<std::string, std::string>> read_all(running_job& job);

private:
    asio::awaitable<void> read(running_job& job);
    std::shared_ptr<const void> take_turn(const std::string& name);
    void add(const std::string& name, const std::string& value);

    std::map<std::string, std::string> stored_;              ///< by this attempt and earlier ones
    std::map<std::string, std::weak_ptr<const void>> begun_; ///< in this run
    std::set<std::string, std::less<>> done_;                ///< in this run
    std::size_t bytes_ = 0;                                  ///< of what is stored
    bool is_read_ = false;
};

/// A name that a step may have: throws `errc::invalid_option`.
void check_step_name(std::string_view name);

} // namespace coworker::detail
