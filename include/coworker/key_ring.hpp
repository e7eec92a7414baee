// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace coworker {

class key_ring;

namespace detail {
struct ring_of_keys;
const ring_of_keys& keys_of(const key_ring& ring) noexcept;
} // namespace detail

/// The keys by which jobs are encrypted: one for writing, and older or future ones for reading. Link the target
/// `coworker::sodium`.
///
///     MAIL_KEYS="2026-11:<base64 of 32 bytes>,2026-05:<base64 of 32 bytes>"
///
/// The first one writes, all of them read. To replace a key, give all programs the new one, behind the old one.
/// Then move it to the front. When no job of the old key is left, remove that one.
/// `head -c 32 /dev/urandom | base64` makes a key.
///
/// Keys are kept in memory that lies between pages that cannot be read, and is wiped at the end. It is locked if
/// the system permits that. The environment and files are read by others, too: what becomes of those is the
/// program's to decide.
///
/// Objects are handles of the same keys.
///
/// @par Thread safety  A ring does not change; all threads may use it.
class key_ring
{
public:
    /// The keys in a text: each is `ID:BASE64`, with a comma, blanks or ends of lines between them. An id is 1 to 64
    /// letters, digits, `-`, `.` and `_`; it stands in Redis, and names one key for ever. A key is 32 bytes.
    ///
    /// @throws system_error  `errc::invalid_option`; the message says which entry is wrong, and nothing of a key
    explicit key_ring(std::string_view keys);

    /// The keys in a variable of the environment.
    ///
    /// @throws system_error  `errc::invalid_option`, also if there is no such variable
    static key_ring from_environment(const std::string& variable);

    /// The keys in a file, of at most 64 KiB.
    ///
    /// @throws system_error  `errc::invalid_option`, also if it cannot be read
    static key_ring from_file(const std::string& path);

    /// The id of the key that writes.
    const std::string& current() const noexcept;

    /// Whether there is a key of this id.
    bool has(std::string_view id) const noexcept;

private:
    friend const detail::ring_of_keys& detail::keys_of(const key_ring& ring) noexcept;

    explicit key_ring(std::shared_ptr<const detail::ring_of_keys> keys) noexcept : keys_{std::move(keys)} {}

    std::shared_ptr<const detail::ring_of_keys> keys_;
};

} // namespace coworker
