// SPDX-License-Identifier: MIT
#include "support/cuttable_network.hpp"

#include <boost/asio/post.hpp>

#include <cstdlib>
#include <future>
#include <stdexcept>
#include <utility>

namespace coworker::test {

cuttable_network::cuttable_network() : thread_{[this] { io_.run(); }} {}

cuttable_network::~cuttable_network()
{
    call([this] { entrances_.clear(); });
    work_.reset();
}

void cuttable_network::call(std::function<void()> function)
{
    std::packaged_task<void()> task{std::move(function)};
    auto done = task.get_future();
    asio::post(io_, [&] { task(); });
    done.get();
}

const cuttable_network::place& cuttable_network::add_place()
{
    call([this] {
        auto& added = entrances_.emplace_back(io_.get_executor());
        added.where = {"127.0.0." + std::to_string(9 + entrances_.size()), added.clients.port(),
                       added.bus.port()};
    });
    return entrances_.back().where;
}

cuttable_network::entrance& cuttable_network::entrance_of(const place& where)
{
    for (auto& each : entrances_)
        if (&each.where == &where)
            return each;
    throw std::logic_error{"no such place"};
}

void cuttable_network::open(const place& where, int port, int bus_port)
{
    call([&, this] {
        auto& found = entrance_of(where);
        found.clients.lead_to(port);
        if (bus_port != 0)
            found.bus.lead_to(bus_port);
    });
}

void cuttable_network::isolate(const place& which)
{
    isolate_with_clients(which, {});
}

void cuttable_network::isolate_with_clients(const place& which, std::string words)
{
    call([&, this] {
        for (auto& each : entrances_) {
            const bool is_inside = &each.where == &which;
            const auto is_held = [=, inside = which.address](const cutting_proxy::visitor& who) {
                if (who.address == "127.0.0.1")
                    return !is_inside && !words.empty() && who.first_words.find(words) != std::string::npos;
                return (who.address == inside) != is_inside;
            };
            each.clients.hold(is_held);
            each.bus.hold(is_held);
        }
    });
}

std::chrono::seconds cuttable_network::time_of_cut()
{
    const char* const text = std::getenv("CUT_SECONDS");
    return std::chrono::seconds{text == nullptr ? 0 : std::stoul(text)};
}

void cuttable_network::heal()
{
    call([this] {
        for (auto& each : entrances_) {
            each.clients.hold({});
            each.bus.hold({});
        }
    });
}

} // namespace coworker::test
