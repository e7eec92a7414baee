// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_options.hpp"
#include "coworker/middleware.hpp"
#include "coworker/payload_error.hpp"

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// How jobs are stored in another form than plain JSON: compressed, or encrypted.
namespace coworker {

/// Where a job is. What stays the same for as long as the job is stored may be bound to its encoded form.
struct payload_facts
{
    std::string_view queue; ///< the queue's name. A job of a managed queue may be forwarded to another one
    std::string_view kind;  ///< the job's kind; empty: it is in a list queue, which it never leaves
};

/// One way to store jobs, such as `zstd_codec` and `sodium_codec`. Derive from this for one of your own.
///
/// An encoded job is stored as a JSON object with one member, `{"coworker:NAME":"BODY"}`, so what is stored is still
/// JSON.
///
/// @par Thread safety  Its functions are called by all threads that push or run jobs, at the same time.
class payload_codec
{
public:
    virtual ~payload_codec() = default;

    /// What stands behind `coworker:` in the object's name: letters, digits, colons, hyphens, points and underscores.
    /// By it readers find the codec, so it includes the version of the form, and stays the same as long as this codec
    /// lives.
    virtual std::string_view name() const noexcept = 0;

    /// The body: printable ASCII without quotes and backslashes. Empty optional: this job is to stay as it is.
    ///
    /// @param job  JSON text
    /// @param facts  where it will be
    virtual std::optional<std::string> encode(std::string_view job, const payload_facts& facts) const = 0;

    /// The job's JSON text.
    ///
    /// @param body  what `encode` made, or what anybody wrote to Redis
    /// @param facts  where it is
    /// @throws payload_error  if the body is not one of this codec's
    virtual std::string decode(std::string_view body, const payload_facts& facts) const = 0;

    /// Whether jobs that are not encoded by this codec are refused. The default: they are taken as they are.
    virtual bool is_required() const noexcept { return false; }
};

/// The codecs of a queue, in the order in which they encode: compress first, encrypt then.
///
///     const coworker::payload_codecs codecs{coworker::zstd_codec(), coworker::sodium_codec(keys)};
///     co_await mail.with(codecs).async_push("Letter", letter); // a managed_queue or a list_queue
///     options.middleware = {coworker::open_payloads(codecs)};  // of handle_options or worker_options
///
/// Readers go by what a job says of itself: plain and encoded jobs may stand in one queue, in any order.
///
/// Objects are cheap handles, which may be copied. Without codecs they change nothing.
///
/// @par Cost  A push encodes in the thread of its caller. A worker decodes on its executor, before each run.
/// @par Thread safety  Objects may be used by several threads at the same time.
class payload_codecs
{
public:
    /// No codecs.
    payload_codecs() = default;
    /// These codecs. With g++ 12, make the object outside of a `co_await` expression.
    ///
    /// @throws system_error  `errc::invalid_option` for none (null), a name that is not allowed, and two of one name
    payload_codecs(std::initializer_list<std::shared_ptr<const payload_codec>> codecs);

    /// There are no codecs.
    bool empty() const noexcept { return !codecs_; }

    /// A job as it is stored. For programs that write jobs by other means than `with`.
    ///
    /// @param job  JSON text
    /// @param facts  where it will be
    /// @throws system_error  `errc::not_serializable` for a job that looks like an encoded one. Such a job is an object
    ///   with one member, which is a string and has a name that begins with `coworker:`.
    std::string encode(std::string_view job, const payload_facts& facts) const;

    /// The job in what is stored; a plain job as it is. For programs that read jobs by other means than a worker, such
    /// as `managed_client::async_get`.
    ///
    /// @param stored  JSON text
    /// @param facts  where it is
    /// @throws payload_error  if it cannot be decoded
    std::string decode(std::string_view stored, const payload_facts& facts) const;

    /// As a `push_middleware`: `managed_queue::with` takes it. Wherever it stands among them, it is the last one, and
    /// the unique key of a job is made of the plain data.
    void operator()(new_managed_job& job) const;

private:
    friend middleware open_payloads(payload_codecs codecs);

    using list = std::vector<std::shared_ptr<const payload_codec>>;

    struct opened_job
    {
        std::string text;
        std::vector<const payload_codec*> layers; ///< which codecs it took, the outermost first
    };

    /// Empty: the job is plain, and may be.
    std::optional<opened_job> open(std::string_view stored, const payload_facts& facts) const;
    const payload_codec* find(std::string_view name) const noexcept;
    asio::awaitable<outcome> run_opened(opened_job job, job_context& context, next_handler next) const;

    std::shared_ptr<const list> codecs_; ///< null: none
};

/// A middleware that gives handlers, and the middleware inside of it, the plain job. Make it the first one: those
/// outside of it see the stored text.
///
/// A job that cannot be decoded is not given to the handler. If nothing can help (it was changed, it is too large),
/// its outcome is of the kind `broken`. A list queue keeps it with its broken jobs; a managed queue fails it in the
/// group `<kind>:not-decodable`. If a key or a codec is missing here, another worker may be able to decode it. So
/// it is retried, and fails when its attempts are used up.
///
/// If the handler of an encoded job returns new data (`forward`, `success`), these are encoded by the same codecs.
middleware open_payloads(payload_codecs codecs);

} // namespace coworker
