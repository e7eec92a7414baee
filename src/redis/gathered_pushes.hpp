// SPDX-License-Identifier: MIT
#pragma once

#include "redis/reply.hpp"
#include "waiting_operation.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace boost::redis {
class request;
}

namespace coworker::detail {

class connection;
struct push_batch;
struct script;
struct waiting_push;

/// How much goes to Redis in one round trip: thousands of values, but not more than a few megabytes.
constexpr bool is_full_push(std::size_t values, std::size_t bytes) noexcept
{
    return values >= 8192 || bytes >= 4 * 1024 * 1024;
}

/// How pushes of one kind go to Redis. Those to one key that follow each other are one command.
class push_form
{
public:
    using pushes = std::span<const std::shared_ptr<waiting_push>>;

    virtual ~push_form() = default;

    /// Whether two pushes to the same key may be in one command.
    virtual bool go_together(const waiting_push&, const waiting_push&) const { return true; }

    /// Appends the command that pushes them.
    virtual void write(boost::redis::request& request, pushes all) const = 0;

    /// The script that this command calls; null: none.
    virtual const script* called(pushes) const { return nullptr; }

    /// Reads what Redis answered, and notes it in them. Returns for each why it was refused, or null.
    virtual std::vector<std::exception_ptr> read(const reply::answer& answer, pushes all) const;

    const std::size_t most; ///< pushes in one command: short ones keep Redis' other clients from waiting
    const std::size_t most_bytes; ///< the same for their bytes, unless one push has more

protected:
    push_form(std::size_t count, std::size_t bytes) : most{count}, most_bytes{bytes} {}
};

/// A member of a set that Redis is told together with pushes, until that has once been done.
struct told_name
{
    told_name(std::string whole, std::string member) : set{std::move(whole)}, name{std::move(member)} {}

    std::string set;
    std::string name;
    bool is_told = false;
};

/// A push of one job, under way together with others. Completes with `id`.
struct waiting_push : waiting_operation<std::string>
{
    waiting_push(const push_form& how, std::string destination, std::string new_id, std::size_t size)
        : form{how}, key{std::move(destination)}, id{std::move(new_id)}, bytes{size}
    {}

    const push_form& form;
    std::string key; ///< where it goes: pushes to one key keep their order
    std::string id;
    std::size_t bytes;
    std::size_t number = 0;          ///< its place in the batch
    std::shared_ptr<told_name> name; ///< what Redis is told as well; null: nothing
    std::weak_ptr<push_batch> batch;

    void cancelled() override;
};

/// Makes few requests of many concurrent pushes. A push that begins while none is under way is sent at once. The others
/// wait for those that begin in the same turn of the executor, whatever their forms and keys.
class gathered_pushes
{
public:
    /// The pushes to one key are carried out in the order in which they were added.
    void add(const std::shared_ptr<connection>& redis, std::shared_ptr<waiting_push> push);

    /// Sends what has been added, so that it comes before what the caller is about to send.
    void send(const std::shared_ptr<connection>& redis);

private:
    friend struct push_batch;

    void send(const std::shared_ptr<connection>& redis, const std::shared_ptr<push_batch>& batch);

    /// What is to be sent next. The handler that will send it owns it: so it is destroyed with the context.
    std::weak_ptr<push_batch> gathering_;
    std::size_t under_way_ = 0; ///< batches whose pushes have not all been completed
};

} // namespace coworker::detail
