// SPDX-License-Identifier: MIT
#include "gateway/departure.hpp"

#include <poll.h>

namespace coworker::detail {

struct departure::state
{
    std::shared_ptr<timed_socket> socket;
    asio::cancellation_signal signal{};
    bool has_happened = false;
    bool is_watched = true;
};

namespace {

#ifdef POLLRDHUP
constexpr short half_closed = POLLRDHUP;
#else // is seen by whoever reads there next, or writes
constexpr short half_closed = 0;
#endif

bool has_hung_up(asio::ip::tcp::socket& socket)
{
    pollfd asked{.fd = socket.native_handle(), .events = half_closed, .revents = 0};
    return ::poll(&asked, 1, 0) > 0 && (asked.revents & (half_closed | POLLHUP | POLLERR)) != 0;
}

} // namespace

departure::departure(std::shared_ptr<timed_socket> socket)
    : state_{std::make_shared<state>(std::move(socket))}
{
    auto& watched = state_->socket->socket();
    watched.async_wait(asio::ip::tcp::socket::wait_read, [state = state_](const error_code& ec) {
        if (ec || !state->is_watched || !has_hung_up(state->socket->socket()))
            return;
        state->has_happened = true;
        state->signal.emit(asio::cancellation_type::terminal);
    });
}

departure::~departure()
{
    state_->is_watched = false;
    error_code ignored;
    state_->socket->socket().cancel(ignored);
}

asio::cancellation_slot departure::ends_waiting() const
{
    return state_->signal.slot();
}

bool departure::has_happened() const noexcept
{
    return state_->has_happened;
}

} // namespace coworker::detail
