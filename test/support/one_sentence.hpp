// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace coworker::test {

/// What is wrong with a text that refuses something; empty if nothing is.
///
/// It says what is wrong and what to do. It is no chain of what one layer after the other has said, such as "This cannot be
/// done: this is no token: an option cannot be used". So it has one colon at most, beside those in quotes and in JSON, and behind a
/// sentence does not come what an error code says of all errors like it.
std::string chain_in(std::string_view text);

} // namespace coworker::test
