#pragma once

#include "coworker/error.hpp"

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associator.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/this_coro.hpp>

#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

/// How coworker's asynchronous operations complete.
///
/// Every operation is called `async_…`, takes a completion token as its last argument and completes with
/// `void(error_code)` or `void(error_code, T)`. All of Asio's tokens and adapters work. Without a token it is
/// `with_diagnostics(asio::deferred)`: await it in a coroutine, and what goes wrong is thrown with the whole
/// explanation.
namespace coworker {

namespace asio = boost::asio;

/// What an error code cannot say: the server's own words, the name that was refused, what to do.
///
/// An operation that is given one fills it before it completes; it must live until then.
class diagnostics
{
public:
    /// The explanation, for people. Empty after a success.
    const std::string& message() const noexcept { return message_; }

    /// The exception behind an error, with everything it knows. Null after a success.
    const std::exception_ptr& exception() const noexcept { return exception_; }

    void clear() noexcept;

    /// Takes over what an exception says. Returns its error code; `errc::unexpected_exception` if it has none.
    error_code assign(std::exception_ptr exception);

private:
    std::string message_;
    std::exception_ptr exception_;
};

/// A completion token that reports errors by exceptions that carry the whole explanation, where `Token` makes
/// exceptions of errors: `asio::deferred`, `asio::use_awaitable`, `asio::use_future` and the like.
template<class Token>
struct with_diagnostics_t
{
    Token token;

    /// Makes this the default token of an I/O object: not needed for coworker's own operations.
    constexpr explicit with_diagnostics_t(Token inner) : token{std::move(inner)} {}
};

/// See `with_diagnostics_t`.
template<class Token>
[[nodiscard]] constexpr auto with_diagnostics(Token&& token)
{
    return with_diagnostics_t<std::decay_t<Token>>{std::forward<Token>(token)};
}

/// The token of an operation that is given none.
using default_token = with_diagnostics_t<asio::deferred_t>;

namespace detail {

/// Which cancellations an operation obeys, and what it may have done by then is said at each.
inline constexpr auto leaves_in_doubt = asio::cancellation_type::terminal | asio::cancellation_type::partial;
inline constexpr auto leaves_nothing = leaves_in_doubt | asio::cancellation_type::total;

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

template<class T>
using handler_of = asio::any_completion_handler<typename completion_of<T>::signature>;

/// Gives what a coroutine has returned or thrown to a handler; in every other respect it is like that handler.
template<class T>
struct completion
{
    handler_of<T> handler;
    diagnostics* explanation;

    template<class... Value>
    void operator()(std::exception_ptr exception, Value&&... value)
    {
        error_code ec;
        if (exception)
            ec = explanation ? explanation->assign(std::move(exception)) : diagnostics{}.assign(std::move(exception));
        else if (explanation)
            explanation->clear();
        std::move(handler)(ec, std::forward<Value>(value)...);
    }
};

/// Lets a coroutine obey some types of cancellation; by itself it would obey the terminal one only.
template<class T>
asio::awaitable<T> obey(asio::cancellation_type types, asio::awaitable<T> work)
{
    co_await asio::this_coro::reset_cancellation_state([types](asio::cancellation_type type) { return type & types; });
    co_return co_await std::move(work);
}

/// Runs `work` on `executor`, whichever thread calls, and completes `handler` where that wants it.
template<class T>
void launch(asio::any_io_executor executor, asio::awaitable<T> work, asio::cancellation_type obeyed,
            diagnostics* explanation, handler_of<T> handler)
{
    asio::co_spawn(std::move(executor), obey(obeyed, std::move(work)),
                   completion<T>{std::move(handler), explanation});
}

/// An operation that fails with an exception, when it is started.
template<class T>
asio::awaitable<T> fail_with(std::exception_ptr why)
{
    std::rethrow_exception(why);
    co_return T(); // makes this a coroutine
}
template<>
inline asio::awaitable<void> fail_with<void>(std::exception_ptr why)
{
    std::rethrow_exception(why);
    co_return;
}

/// Begins an operation with whatever token it was given.
struct initiate_launch
{
    using executor_type = asio::any_io_executor;

    asio::any_io_executor executor;

    executor_type get_executor() const noexcept { return executor; }

    template<class Handler, class T>
    void operator()(Handler&& handler, diagnostics* explanation, asio::awaitable<T> work,
                    asio::cancellation_type obeyed) const
    {
        launch<T>(executor, std::move(work), obeyed, explanation, handler_of<T>{std::forward<Handler>(handler)});
    }
};

/// Makes an operation of a coroutine. `make_work` checks the arguments, and returns the coroutine, which must own all
/// that it needs: what it throws is given to the token as well, so nothing is thrown here.
template<class MakeWork, class Token>
auto start(asio::any_io_executor executor, asio::cancellation_type obeyed, diagnostics* explanation,
           MakeWork&& make_work, Token&& token)
{
    using work_type = std::invoke_result_t<MakeWork>;
    using value_type = typename work_type::value_type;
    auto work = [&]() -> work_type {
        try {
            return make_work();
        } catch (...) {
            return fail_with<value_type>(std::current_exception());
        }
    }();
    return asio::async_initiate<Token, typename completion_of<value_type>::signature>(
        initiate_launch{std::move(executor)}, token, explanation, std::move(work), obeyed);
}

/// Turns an error code back into the exception it was made of. It is the handler of the operation, and in every
/// other respect like the handler that waits for the exception.
template<class Handler>
struct rethrown
{
    Handler handler;
    std::unique_ptr<diagnostics> own; ///< null: the caller has given one
    diagnostics* explanation;

    template<class... Values>
    void operator()(error_code ec, Values&&... values)
    {
        std::exception_ptr why;
        if (ec) {
            why = explanation->exception();
            if (!why)
                why = std::make_exception_ptr(system_error{ec});
        }
        own.reset();
        std::move(handler)(std::move(why), std::forward<Values>(values)...);
    }
};

template<class Initiation>
struct initiate_with_diagnostics
{
    using executor_type = asio::any_io_executor;

    Initiation initiation;

    executor_type get_executor() const noexcept { return initiation.get_executor(); }

    template<class Handler, class... Arguments>
    void operator()(Handler&& handler, diagnostics* explanation, Arguments&&... arguments)
    {
        auto own = explanation ? nullptr : std::make_unique<diagnostics>();
        auto* const used = own ? own.get() : explanation;
        std::move(initiation)(rethrown<std::decay_t<Handler>>{std::forward<Handler>(handler), std::move(own), used},
                              used, std::forward<Arguments>(arguments)...);
    }
};

template<class Signature>
struct reported_by_exception;
template<class... Values>
struct reported_by_exception<void(error_code, Values...)>
{
    using type = void(std::exception_ptr, Values...);
};

} // namespace detail
} // namespace coworker

namespace boost::asio {

template<class Token, class... Values>
struct async_result<coworker::with_diagnostics_t<Token>, void(boost::system::error_code, Values...)>
{
    template<class Initiation, class RawToken, class... Arguments>
    static auto initiate(Initiation&& initiation, RawToken&& token, Arguments&&... arguments)
    {
        return async_initiate<decltype((token.token)), void(std::exception_ptr, Values...)>(
            coworker::detail::initiate_with_diagnostics<std::decay_t<Initiation>>{
                std::forward<Initiation>(initiation)},
            token.token, std::forward<Arguments>(arguments)...);
    }
};

template<template<class, class> class Associator, class Handler, class DefaultCandidate>
struct associator<Associator, coworker::detail::rethrown<Handler>, DefaultCandidate>
    : Associator<Handler, DefaultCandidate>
{
    static decltype(auto) get(const coworker::detail::rethrown<Handler>& self) noexcept
    {
        return Associator<Handler, DefaultCandidate>::get(self.handler);
    }
    static decltype(auto) get(const coworker::detail::rethrown<Handler>& self,
                              const DefaultCandidate& otherwise) noexcept
    {
        return Associator<Handler, DefaultCandidate>::get(self.handler, otherwise);
    }
};

template<template<class, class> class Associator, class T, class DefaultCandidate>
struct associator<Associator, coworker::detail::completion<T>, DefaultCandidate>
    : Associator<coworker::detail::handler_of<T>, DefaultCandidate>
{
    using base = Associator<coworker::detail::handler_of<T>, DefaultCandidate>;

    static decltype(auto) get(const coworker::detail::completion<T>& self) noexcept { return base::get(self.handler); }
    static decltype(auto) get(const coworker::detail::completion<T>& self, const DefaultCandidate& otherwise) noexcept
    {
        return base::get(self.handler, otherwise);
    }
};

} // namespace boost::asio
