// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace coworker {

/// The two kinds of queue.
enum class queue_kind
{
    list,   ///< hworker's layout: `list_queue`
    managed ///< qless' layout: `managed_queue`
};

/// "list" or "managed".
std::string_view to_string(queue_kind kind) noexcept;

/// A queue by its kind and name: a list queue and a managed queue of the same name are two queues.
class queue_ref
{
public:
    /// No queue: a list queue without a name.
    queue_ref() = default;
    /// A queue of this kind and name, which need not exist.
    queue_ref(queue_kind kind, std::string name) : kind_{kind}, name_{std::move(name)} {}

    /// A list queue.
    static queue_ref list(std::string name) { return {queue_kind::list, std::move(name)}; }
    /// A managed queue. For some operations of the inspector an empty name stands for all managed queues.
    static queue_ref managed(std::string name) { return {queue_kind::managed, std::move(name)}; }

    /// The kind of queue.
    queue_kind kind() const noexcept { return kind_; }
    /// The queue's name.
    const std::string& name() const noexcept { return name_; }
    /// It is a managed queue.
    bool is_managed() const noexcept { return kind_ == queue_kind::managed; }

    /// The same kind and name.
    friend bool operator==(const queue_ref&, const queue_ref&) = default;
    /// List queues come first, then by name.
    friend std::strong_ordering operator<=>(const queue_ref&, const queue_ref&) = default;
    /// Writes it as the command line does: "mail", or "managed:mail".
    friend std::ostream& operator<<(std::ostream& out, const queue_ref& queue)
    {
        return out << (queue.is_managed() ? "managed:" : "") << queue.name_;
    }

private:
    queue_kind kind_ = queue_kind::list;
    std::string name_;
};

} // namespace coworker
