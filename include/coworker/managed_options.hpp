#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>

/// What the calls of the managed queue are given.
namespace coworker {

namespace detail {

/// A vector, an array, a span and so on.
template<class Range, class Element>
concept range_of =
    std::ranges::contiguous_range<const Range> && std::same_as<std::ranges::range_value_t<Range>, Element>;

} // namespace detail

/// A list of texts as an argument: of names in braces (up to eight), or of any contiguous range of
/// `std::string` or `std::string_view`.
///
/// It owns nothing, so what it is made from must live until the call returns (not until it has been awaited).
/// Owning nothing has a second reason: g++ 12 destroys temporary aggregates that stand in a `co_await`
/// expression twice.
class text_list
{
public:
    /// Not given.
    constexpr text_list() noexcept = default;

    template<std::convertible_to<std::string_view>... Texts>
    constexpr text_list(const std::string_view& first, const Texts&... others) noexcept
        : names_{first, std::string_view{others}...}, size_{1 + sizeof...(Texts)}, form_{form::names}
    {
        static_assert(sizeof...(Texts) < capacity, "put more than eight texts into a std::vector first");
    }
    constexpr text_list(const char* only) noexcept : text_list{std::string_view{only}} {}
    text_list(const std::string& only) noexcept : text_list{std::string_view{only}} {}

    template<detail::range_of<std::string> Range>
    text_list(const Range& range) noexcept
        : strings_{std::ranges::data(range)}, size_{std::ranges::size(range)}, form_{form::strings}
    {}

    template<detail::range_of<std::string_view> Range>
    text_list(const Range& range) noexcept
        : views_{std::ranges::data(range)}, size_{std::ranges::size(range)}, form_{form::views}
    {}

    /// Given, and empty.
    static constexpr text_list none() noexcept
    {
        text_list list;
        list.form_ = form::names;
        return list;
    }

    /// Anything was given, be it an empty list.
    constexpr bool is_given() const noexcept { return form_ != form::nothing; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }

    constexpr std::string_view operator[](std::size_t i) const noexcept
    {
        switch (form_) {
        case form::strings:
            return strings_[i];
        case form::views:
            return views_[i];
        default:
            return names_[i];
        }
    }

private:
    enum class form
    {
        nothing,
        names,
        strings,
        views
    };
    static constexpr std::size_t capacity = 8;

    std::array<std::string_view, capacity> names_{};
    const std::string* strings_ = nullptr;
    const std::string_view* views_ = nullptr;
    std::size_t size_ = 0;
    form form_ = form::nothing;
};

/// How the managed queues of a database are reached. Programs that share them should agree on these.
struct managed_options
{
    /// All keys and channels begin with it. qless' clients know only "ql:". With braces, `{tenant}ql:`, all
    /// keys of a tenant share one Redis Cluster slot. Not empty.
    std::string prefix = "ql:";

    /// The largest data of a job, in bytes of JSON, that `put` accepts. Zero: no limit but Redis' 512 MB.
    std::size_t max_job_size = 8 * 1024 * 1024;
};

/// How to put a job. What is not given stays as it is when the job exists already.
struct put_options
{
    /// The job's id: UTF-8, 1 to 256 bytes. Default: a new UUID (version 7, so that it tells when the job was
    /// queued) as 32 hexadecimal digits, as qless' clients write theirs. A job of that id is moved.
    std::optional<std::string_view> jid{};

    /// Larger runs first. Finite; differences between priorities around 1000 or more make the order of equal
    /// ones coarse. Default: 0.
    std::optional<double> priority{};

    /// Wait this long, by the server's clock, before the job may run. Zero or less: now. A job with
    /// dependencies begins to wait when the last of them is complete.
    std::chrono::milliseconds delay{0};

    /// How often the job may be retried, or lost by a worker, before it fails. Default: 5.
    std::optional<unsigned> retries{};

    /// Default: none. `text_list::none()` takes those away that the job has.
    text_list tags{};

    /// Jids of jobs that have to be complete first. Those that do not exist, or are complete, do not count.
    text_list depends{};
};

/// How to make a job recur. All of them are set, also when the recurring job exists already.
struct recur_options
{
    /// Default: a new one, as in `put_options`. Spawned jobs are called `<jid>-1`, `<jid>-2`, ….
    std::optional<std::string_view> jid{};

    /// How long until the first job is spawned. Zero: by the next pop. Less is refused.
    std::chrono::milliseconds offset{0};

    double priority = 0;  ///< of the spawned jobs
    unsigned retries = 5; ///< of the spawned jobs
    text_list tags{};     ///< of the spawned jobs

    /// How many of the turns that nobody was there for are made up for, beside the latest. Zero: all.
    unsigned backlog = 0;
};

/// How to complete a job. The texts are views, read when `complete` is called.
struct complete_options
{
    /// New data, as JSON text. Default: the data that the job was popped with.
    std::optional<std::string_view> data{};

    /// Rather than being complete, the job goes on to this queue.
    std::optional<std::string_view> next{};

    /// With `next`: how long it waits there. Zero or less: not at all.
    std::chrono::milliseconds delay{0};

    /// With `next`: jids of jobs that have to be complete first.
    text_list depends{};
};

/// How to retry a job. The texts are views, read when `retry` is called.
struct retry_options
{
    /// How long it waits. Zero or less: not at all.
    std::chrono::milliseconds delay{0};

    /// The queue it goes to. Default: the one it was popped from.
    std::optional<std::string_view> queue{};

    /// What went wrong: both, or neither. Stored as the job's failure; if no retry remains, the job fails in
    /// this group, else in `failed-retries-<queue>`.
    std::optional<std::string_view> group{};
    std::optional<std::string_view> message{};
};

} // namespace coworker
