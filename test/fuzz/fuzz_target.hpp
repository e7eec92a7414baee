// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

/// What is fed with bytes of any kind.
namespace coworker::test {

class fuzz_target
{
public:
    virtual ~fuzz_target() = default;

    /// Returns what is wrong with what came of it; empty if nothing is.
    virtual std::string feed(std::string_view bytes) = 0;
};

/// The functions that decide what a request means.
std::unique_ptr<fuzz_target> make_text_target();

/// A whole gateway, through a socket, with a Redis of its own.
std::unique_ptr<fuzz_target> make_gateway_target();

} // namespace coworker::test
