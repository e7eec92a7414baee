// SPDX-License-Identifier: MIT

// Four ways to say what a job is. All are JSON in Redis, which any language can write and read.
//
//   2_typed_jobs [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>
#include <boost/json.hpp>

#include <iostream>
#include <optional>
#include <stdexcept>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;

// 1. A described struct: a JSON object with the same members. Other described types, containers,
//    optional and variant may be among them.
struct thumbnail
{
    std::string picture;
    std::vector<unsigned> widths;
    std::optional<std::string> caption;
};
BOOST_DESCRIBE_STRUCT(thumbnail, (), (picture, widths, caption))

// 2. A class that says itself what its JSON is: here a number, not just any.
class temperature
{
public:
    explicit temperature(double kelvin) : kelvin_{kelvin} {}
    double celsius() const { return kelvin_ - 273.15; }

    friend void tag_invoke(const json::value_from_tag&, json::value& value, const temperature& self)
    {
        value = self.kelvin_;
    }
    friend temperature tag_invoke(const json::value_to_tag<temperature>&, const json::value& value)
    {
        const auto kelvin = value.to_number<double>();
        if (kelvin < 0)
            throw std::range_error{"below absolute zero"};
        return temperature{kelvin};
    }

private:
    double kelvin_;
};

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::list_queue<thumbnail> thumbnails{redis, "thumbnails"};
    coworker::list_queue<temperature> temperatures{redis, "temperatures"};
    coworker::list_queue<json::value> notes{redis, "notes"};        // 3. any JSON, parsed
    coworker::list_queue<coworker::raw_json> texts{redis, "texts"}; // 4. any JSON, as it was written

    const thumbnail cat{"cat.jpg", {64, 256}, std::nullopt};
    const temperature boiling{373.15};
    const json::value note = {{"to", "Grace"}, {"pages", 2}};
    const coworker::raw_json precise{"0.1234567890123456789"};
    const coworker::raw_json impossible{"-1"};
    co_await thumbnails.async_push(cat);
    co_await temperatures.async_push(boiling);
    co_await temperatures.async_push_json(impossible); // as another program might
    co_await notes.async_push(note);
    co_await texts.async_push(precise);

    coworker::worker worker{redis};
    unsigned left = 4;
    const auto done = [&] {
        if (--left == 0)
            worker.stop();
    };
    // A handler may be a plain function when it has nothing to wait for.
    worker.handle(thumbnails, [&](thumbnail job) {
        std::cout << "thumbnail: " << job.picture << " in " << job.widths.size() << " widths\n";
        done();
    });
    worker.handle(temperatures, [&](temperature job) {
        std::cout << "temperature: " << job.celsius() << " degrees\n";
        done();
    });
    worker.handle(notes, [&](json::value job) {
        std::cout << "note: to " << job.at("to").as_string() << '\n';
        done();
    });
    worker.handle(texts, [&](coworker::raw_json job) {
        std::cout << "text: " << job.text << '\n';
        done();
    });
    co_await worker.async_run();

    // What did not decode was set aside and harmed nobody.
    const coworker::inspector inspector{redis};
    const auto queue = coworker::queue_ref::list(temperatures.name());
    const auto broken = co_await inspector.async_jobs(queue, coworker::job_state::broken);
    for (const auto& job : broken.jobs)
        std::cout << "broken: " << job.data << '\n';
    coworker::job_filter all_broken;
    all_broken.state = coworker::job_state::broken;
    co_await inspector.async_act_on_all(coworker::job_action::remove, queue, all_broken);
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
