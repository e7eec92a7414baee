// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/detail/compiler.hpp"
#include "coworker/error.hpp"

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associator.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/deferred.hpp>

#include <concepts>
#include <exception>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

/// @file
/// How coworker's asynchronous operations complete. This holds for every operation that does not say otherwise.
///
/// **Signature.** An operation is called `async_…`, takes a completion token as its last argument and completes with
/// `void(error_code)` or `void(error_code, T)`; its comment names the signature. All of Asio's tokens and adapters
/// work. The default token is `with_diagnostics(asio::deferred)`: `co_await` the operation in a coroutine; it returns
/// the `T`, and throws a `system_error` whose `what()` explains the error.
///
/// **Errors.** The error code says that an argument is wrong, or that Redis could not do its part. An
/// answer can be no in normal use, such as for a job that is gone. Then `T` is a `result`: a value or an `errc`.
/// The call itself throws nothing: wrong arguments reach the token as well.
///
/// **Arguments.** An operation reads and checks its arguments when it is called; they need not live longer.
///
/// **Cancellation.** Operations that only read obey terminal, partial and total cancellation. Operations that change
/// something obey terminal and partial cancellation: the change may have been made by then, in parts if it takes
/// several steps. Cancelled operations complete with `asio::error::operation_aborted`.
///
/// **Executors.** The operation runs on the client's executor. The handler runs on its own associated executor; if it
/// has none, on the client's executor.
namespace coworker {

namespace asio = boost::asio;

/// The completion token that `with_diagnostics` returns.
template<class Token>
class with_diagnostics_t
{
public:
    /// Around a token that needs no arguments, such as `asio::deferred_t`.
    constexpr explicit with_diagnostics_t() requires std::default_initializable<Token> : token{} {}

    /// Around a given token.
    constexpr explicit with_diagnostics_t(Token inner) : token{std::move(inner)} {}

    /// The token that it adapts.
    Token token;
};

/// Adapts a completion token: the operation completes with an exception in place of the error code, with
/// `void(std::exception_ptr)` or `void(std::exception_ptr, T)`.
///
/// The exception is a `system_error` with the same code; its `what()` also has the server's text, or the name that was
/// refused. After a success the pointer is null.
///
///     queue.async_push(job, coworker::with_diagnostics([](std::exception_ptr error, std::string id) { … }));
///     auto pushed = queue.async_push(job, coworker::with_diagnostics(asio::use_future));
///     auto [error, id] = co_await queue.async_push(job, coworker::with_diagnostics(asio::as_tuple));
template<class Token>
[[nodiscard]] constexpr auto with_diagnostics(Token&& token)
{
    return with_diagnostics_t<std::decay_t<Token>>{std::forward<Token>(token)};
}

/// The token of an operation that is given none, for `co_await`. Adapters without a token of their own, such as
/// `asio::cancel_after(5s)`, also use it.
using default_token = with_diagnostics_t<asio::deferred_t>;

namespace detail {

/// Which types of cancellation an operation obeys: those under which it may keep its promise.
inline constexpr auto leaves_in_doubt = asio::cancellation_type::terminal | asio::cancellation_type::partial;
inline constexpr auto leaves_nothing = leaves_in_doubt | asio::cancellation_type::total;

/// The code of a `system_error`; `errc::unexpected_exception` for what has none.
error_code code_of(const std::exception_ptr& exception) noexcept;

template<class T>
struct completion_of
{
    using signature = void(error_code, T);
    using with_exception = void(std::exception_ptr, T);
};
template<>
struct completion_of<void>
{
    using signature = void(error_code);
    using with_exception = void(std::exception_ptr);
};

/// A function that is given as a token: a lambda, or another class that can be called in one way.
template<class Token>
inline constexpr bool is_callback = requires
{
    &std::remove_cvref_t<Token>::operator();
};
template<class Token>
inline constexpr bool is_callback<with_diagnostics_t<Token>> = is_callback<Token>;

/// What may be a token, where other arguments may stand in its place. A function that cannot be called is one, too, so
/// that `start` can say so.
template<class Token, class Signature>
concept token_for = is_callback<std::remove_cvref_t<Token>> || asio::completion_token_for<Token, Signature>;

/// Whether an operation that yields a `T` can complete with this token.
template<class Token, class T>
inline constexpr bool completes = asio::completion_token_for<Token, typename completion_of<T>::signature>;
template<class Token, class T>
inline constexpr bool completes<with_diagnostics_t<Token>, T> =
    asio::completion_token_for<Token, typename completion_of<T>::with_exception>;

/// What is called with a `T`, as a compiler's message says it.
#define COWORKER_CALLBACK_DOES_NOT_FIT                                                                       \
    "coworker: this callback cannot be called with what the operation yields: write "                        \
    "[](coworker::error_code, T), with the T that its comment names, or [](coworker::error_code) if it "     \
    "names none; around it, with_diagnostics wants std::exception_ptr in place of the code"

/// What `co_await` may be given: not the results of callbacks, futures and stackful coroutines.
template<class Operation, class T>
inline constexpr bool may_be_awaited =
    !std::is_void_v<Operation> && !std::is_same_v<Operation, T> && !std::is_same_v<Operation, std::future<T>>;

/// Refuses an argument, as a forwarding reference deduces it, that the compiler would destroy twice if it is a temporary.
template<class Argument, class Operation, class T>
constexpr void check_argument()
{
    static_assert(!crashes_as_temporary<Argument> || !may_be_awaited<Operation, T>,
                  COWORKER_NAME_TEMPORARY_FIRST);
}

/// What an operation that yields a `T` completes with, whatever its token. Compiled in the library, for each `T`
/// that its operations have: see src/operation.hpp.
template<class T>
struct operation
{
    using handler = asio::any_completion_handler<typename completion_of<T>::with_exception>;

    /// Runs `work` on `executor`, whichever thread calls, and completes `handler` where that wants it. `work` sees
    /// the types in `obeyed` as terminal cancellations, and no others.
    static void launch(asio::any_io_executor executor, asio::awaitable<T> work,
                       asio::cancellation_type obeyed, handler handler);

    /// An operation that fails when it is started.
    static asio::awaitable<T> fail(std::exception_ptr why);
};

/// Begins an operation: its work is a coroutine, or something that knows by itself how to begin.
template<class T>
void launch(asio::any_io_executor executor, asio::awaitable<T> work, asio::cancellation_type obeyed,
            typename operation<T>::handler handler)
{
    operation<T>::launch(std::move(executor), std::move(work), obeyed, std::move(handler));
}
template<class Work>
void launch(asio::any_io_executor executor, Work work, asio::cancellation_type obeyed,
            typename operation<typename Work::value_type>::handler handler)
{
    std::move(work).launch(std::move(executor), obeyed, std::move(handler));
}

/// The exception behind an error code on its way through handlers that know codes only. Found by association, as a
/// handler's allocator is: so it passes through Asio's adapters.
template<class Handler, class Default = std::exception_ptr*>
struct associated_exception
{
    using type = std::exception_ptr*;

    static type get(const Handler& handler, type otherwise = nullptr) noexcept
    {
        if constexpr (requires { typename asio::associator<associated_exception, Handler, Default>::type; })
            return asio::associator<associated_exception, Handler, Default>::get(handler, otherwise);
        else
            return otherwise;
    }
};

/// Gives an error code to a handler.
template<class Handler>
struct told_by_code
{
    Handler handler;
    std::exception_ptr* exception; ///< where the handler looks for more; null: nowhere

    template<class... Values>
    void operator()(std::exception_ptr why, Values&&... values)
    {
        const error_code ec = why ? code_of(why) : error_code{};
        if (exception)
            *exception = std::move(why);
        std::move(handler)(ec, std::forward<Values>(values)...);
    }
};

/// Gives an exception to a handler in place of an error code.
template<class Handler>
struct told_by_exception
{
    Handler handler;
    std::unique_ptr<std::exception_ptr> exception; ///< where it is found on the way

    template<class... Values>
    void operator()(error_code ec, Values&&... values)
    {
        std::exception_ptr why;
        if (ec)
            why = *exception && code_of(*exception) == ec ? *exception
                                                          : std::make_exception_ptr(system_error{ec});
        exception.reset();
        std::move(handler)(std::move(why), std::forward<Values>(values)...);
    }
};

template<class Handler, class Default>
struct associated_exception<told_by_exception<Handler>, Default>
{
    using type = std::exception_ptr*;

    static type get(const told_by_exception<Handler>& handler, type = nullptr) noexcept
    {
        return handler.exception.get();
    }
};

/// Where operations run, as Asio's adapters see it: those without a token of their own look here for one.
struct operation_executor : asio::any_io_executor
{
    using default_completion_token_type = default_token;

    explicit operation_executor(asio::any_io_executor executor) noexcept
        : asio::any_io_executor{std::move(executor)}
    {}
};

/// Begins an operation whose handler takes an exception.
struct initiate_with_exception
{
    using executor_type = operation_executor;

    operation_executor executor;

    executor_type get_executor() const noexcept { return executor; }

    template<class Handler, class Work>
    void operator()(Handler&& handler, Work work, asio::cancellation_type obeyed) const
    {
        // What cannot be cancelled need not be prepared for it.
        if (!asio::get_associated_cancellation_slot(handler).is_connected())
            obeyed = asio::cancellation_type::none;
        launch(executor, std::move(work), obeyed, std::forward<Handler>(handler));
    }
};

/// Begins an operation with whatever token it was given.
struct initiate_operation : initiate_with_exception
{
    template<class Handler, class Work>
    void operator()(Handler&& handler, Work work, asio::cancellation_type obeyed) const
    {
        using handler_type = std::decay_t<Handler>;
        auto* const exception = associated_exception<handler_type>::get(handler);
        initiate_with_exception::operator()(
            told_by_code<handler_type>{std::forward<Handler>(handler), exception}, std::move(work), obeyed);
    }
};

/// Makes an operation of a coroutine, or of other work that `launch` begins. `make_work` checks the arguments, and
/// returns the work, which must own all that it needs. It is called at once; what it throws is given to the token.
///
/// @tparam Argument  of the operation, as a forwarding reference deduces it: one that the compiler would destroy twice
template<class Argument = void, class MakeWork, class Token>
auto start(asio::any_io_executor executor, asio::cancellation_type obeyed, MakeWork&& make_work,
           Token&& token)
{
    using work_type = std::invoke_result_t<MakeWork>;
    using value_type = typename work_type::value_type;
    auto work = [&]() -> work_type {
        try {
            return make_work();
        } catch (...) {
            if constexpr (requires { work_type::fail(std::current_exception()); })
                return work_type::fail(std::current_exception());
            else
                return operation<value_type>::fail(std::current_exception());
        }
    }();
    constexpr bool fits = completes<std::decay_t<Token>, value_type>;
    static_assert(fits, COWORKER_CALLBACK_DOES_NOT_FIT);
    if constexpr (fits) {
        const auto initiate = [&]() -> decltype(auto) {
            return asio::async_initiate<Token, typename completion_of<value_type>::signature>(
                initiate_operation{operation_executor{std::move(executor)}}, token, std::move(work), obeyed);
        };
        check_argument<Argument, decltype(initiate()), value_type>();
        return initiate();
    }
}

/// Begins an operation of `of` that reads: `start` on its executor.
template<class Object, class Token, class MakeWork>
auto start_reading(const Object& of, Token&& token, MakeWork&& make_work)
{
    return start(of.get_executor(), leaves_nothing, std::forward<MakeWork>(make_work),
                 std::forward<Token>(token));
}

/// The same for one that changes something.
template<class Argument = void, class Object, class Token, class MakeWork>
auto start_change(const Object& of, Token&& token, MakeWork&& make_work)
{
    return start<Argument>(of.get_executor(), leaves_in_doubt, std::forward<MakeWork>(make_work),
                           std::forward<Token>(token));
}

template<class Initiation>
struct initiate_told_by_exception
{
    using executor_type = asio::associated_executor_t<Initiation>;

    Initiation initiation;

    executor_type get_executor() const noexcept { return asio::get_associated_executor(initiation); }

    template<class Handler, class... Arguments>
    void operator()(Handler&& handler, Arguments&&... arguments)
    {
        std::move(initiation)(
            told_by_exception<std::decay_t<Handler>>{std::forward<Handler>(handler),
                                                     std::make_unique<std::exception_ptr>()},
            std::forward<Arguments>(arguments)...);
    }
};

} // namespace detail
} // namespace coworker

namespace boost::asio {

/// Of signatures without an error code nothing is changed.
template<class Token, class... Signatures>
struct async_result<coworker::with_diagnostics_t<Token>, Signatures...>
{
    template<class Initiation, class RawToken, class... Arguments>
    static auto initiate(Initiation&& initiation, RawToken&& token, Arguments&&... arguments)
    {
        return async_initiate<decltype((token.token)), Signatures...>(
            std::forward<Initiation>(initiation), token.token, std::forward<Arguments>(arguments)...);
    }
};

template<class Token, class... Values>
struct async_result<coworker::with_diagnostics_t<Token>, void(boost::system::error_code, Values...)>
{
    template<class Initiation, class RawToken, class... Arguments>
    static auto initiate(Initiation&& initiation, RawToken&& token, Arguments&&... arguments)
    {
        using initiation_type = std::decay_t<Initiation>;
        using signature = void(std::exception_ptr, Values...);
        if constexpr (std::same_as<initiation_type, coworker::detail::initiate_operation>)
            return async_initiate<decltype((token.token)), signature>(
                coworker::detail::initiate_with_exception{std::forward<Initiation>(initiation)}, token.token,
                std::forward<Arguments>(arguments)...);
        else
            return async_initiate<decltype((token.token)), signature>(
                coworker::detail::initiate_told_by_exception<initiation_type>{
                    std::forward<Initiation>(initiation)},
                token.token, std::forward<Arguments>(arguments)...);
    }
};

template<template<class, class> class Associator, class Handler, class DefaultCandidate>
struct associator<Associator, coworker::detail::told_by_exception<Handler>, DefaultCandidate>
    : Associator<Handler, DefaultCandidate>
{
    using wrapper = coworker::detail::told_by_exception<Handler>;

    static decltype(auto) get(const wrapper& self) noexcept
    {
        return Associator<Handler, DefaultCandidate>::get(self.handler);
    }
    static decltype(auto) get(const wrapper& self, const DefaultCandidate& otherwise) noexcept
    {
        return Associator<Handler, DefaultCandidate>::get(self.handler, otherwise);
    }
};

template<template<class, class> class Associator, class Handler, class DefaultCandidate>
struct associator<Associator, coworker::detail::told_by_code<Handler>, DefaultCandidate>
    : Associator<Handler, DefaultCandidate>
{
    using wrapper = coworker::detail::told_by_code<Handler>;

    static decltype(auto) get(const wrapper& self) noexcept
    {
        return Associator<Handler, DefaultCandidate>::get(self.handler);
    }
    static decltype(auto) get(const wrapper& self, const DefaultCandidate& otherwise) noexcept
    {
        return Associator<Handler, DefaultCandidate>::get(self.handler, otherwise);
    }
};

} // namespace boost::asio
