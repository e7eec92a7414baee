// SPDX-License-Identifier: MIT

// Tests the worker's handler and its retries, without Redis and without waiting.
#include "send.hpp"

#include <coworker/testing.hpp>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>

using namespace coworker::testing;

void check(bool holds, const char* what)
{
    if (holds)
        return;
    std::cerr << "FAILED: " << what << '\n';
    std::exit(1);
}

int main()
{
    std::ostringstream out;
    const auto handler = [&](const mail& job) { return send(job, out); };

    const auto good = run_handler<mail>(handler, {"ada@example.com"});
    check(good.result.what() == coworker::outcome::kind::success, "a mail to an address is sent");
    check(out.str() == "sent to ada@example.com\n", "it is sent to that address");

    const auto bad = run_handler<mail>(handler, {"ada"});
    check(bad.result.reason() == "not an address", "a mail to nowhere fails");

    manual_clock time;
    memory_queue<mail> mails{"mail", time};
    mails.push({"bob@example.com"});
    int runs = 0;
    const auto unlucky = [&](const mail& job) {
        if (++runs == 1)
            throw std::runtime_error{"no connection"};
        return send(job, out);
    };
    drain(mails, unlucky);
    check(mails.raw().scheduled().size() == 1, "an exception means: again, later");
    time.advance(std::chrono::hours{1}); // takes no time
    drain(mails, unlucky);
    check(runs == 2 && mails.raw().scheduled().empty(), "the second run sends it");
}
