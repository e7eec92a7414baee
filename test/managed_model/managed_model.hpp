// SPDX-License-Identifier: MIT
#pragma once

#include "arguments.hpp"
#include "store.hpp"

namespace coworker::test::model {

/// What a call led to.
struct outcome
{
    reply answer;
    optional_text refused; ///< instead of an answer
    strings messages;
};

/// The managed queue in memory, written from the protocol's description, for comparison with the scripts.
class managed_model
{
public:
    /// Calls a command by the name of its script, with the arguments that follow the prefix.
    outcome call(const std::string& name, const strings& words);

    const store& state() const noexcept { return state_; }

private:
    reply answer(const std::string& name, const strings& words);
    reply batch(const std::string& name, const arguments& given);

    store state_;
};

} // namespace coworker::test::model
