#include "program/commands/top_input.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <optional>
#include <utility>

#include <unistd.h>

namespace coworker::cli {
namespace asio = boost::asio;

/// Shared with the operations under way, which may end after the input has gone.
struct top_input::state : std::enable_shared_from_this<top_input::state>
{
    state(const asio::any_io_executor& executor, terminal_screen* on_screen)
        : signals{executor}, wake_up{executor}, screen{on_screen}
    {
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
            signals.add(signal);
        if (!screen)
            return;
        signals.add(SIGWINCH);
        signals.add(SIGTSTP);
        keyboard.emplace(executor, ::dup(screen->file()));
    }

    void wait_for_signal()
    {
        signals.async_wait([self = shared_from_this()](const boost::system::error_code& error, int signal) {
            if (error || self->stopped)
                return;
            self->receive(signal);
            self->wait_for_signal();
        });
    }

    void wait_for_keys()
    {
        if (!keyboard)
            return;
        keyboard->async_wait(asio::posix::descriptor_base::wait_read,
                             [self = shared_from_this()](const boost::system::error_code& error) {
                                 if (!error && !self->stopped && self->read())
                                     self->wait_for_keys();
                             });
    }

    /// Returns false when no more will come.
    bool read()
    {
        const auto typed = screen->read();
        for (const auto each : read_keys(typed)) {
            happened.keys.push_back(each);
            happened.end |= each == key::quit;
        }
        wake();
        return !typed.empty();
    }

    void receive(int signal)
    {
        if (signal == SIGTSTP) {
            screen->leave();
            ::kill(::getpid(), SIGSTOP); // goes on here when it is brought back
            screen->enter();
        }
        (signal == SIGWINCH || signal == SIGTSTP ? happened.redraw : happened.end) = true;
        wake();
    }

    void wake()
    {
        wake_up.cancel();
        if (happened.end)
            ended.emit(asio::cancellation_type::terminal);
    }

    asio::signal_set signals;
    asio::steady_timer wake_up;
    std::optional<asio::posix::stream_descriptor> keyboard;
    terminal_screen* screen;
    happening happened;
    bool stopped = false;
    asio::cancellation_signal ended;
};

top_input::top_input(const asio::any_io_executor& executor, terminal_screen* screen)
    : state_{std::make_shared<state>(executor, screen)}
{
    state_->wait_for_signal();
    state_->wait_for_keys();
}

top_input::~top_input()
{
    state_->stopped = true;
    state_->signals.cancel();
    if (state_->keyboard)
        state_->keyboard->cancel();
}

asio::cancellation_slot top_input::end_slot()
{
    return state_->ended.slot();
}

asio::awaitable<top_input::happening> top_input::wait(std::chrono::steady_clock::time_point deadline)
{
    const auto nothing_happened = [](const happening& what) {
        return !what.end && !what.redraw && what.keys.empty();
    };
    const bool wait = nothing_happened(state_->happened);
    if (wait) {
        state_->wake_up.expires_at(deadline);
        boost::system::error_code cancelled;
        co_await state_->wake_up.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
    auto what = std::exchange(state_->happened, {});
    what.time_to_look = std::chrono::steady_clock::now() >= deadline;
    co_return what;
}

} // namespace coworker::cli
