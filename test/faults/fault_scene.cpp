// SPDX-License-Identifier: MIT
#include "fault_scene.hpp"

#include "record_lines.hpp"
#include "support/coroutine.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace coworker::test {

using namespace std::chrono_literals;

run_record& run_record::refresh()
{
    for (const auto& line : read_lines(path_, read_)) {
        const auto blank = line.rfind(' ');
        ++runs_;
        ++by_job_[line.substr(0, blank)];
        ++by_process_[line.substr(blank + 1)];
    }
    return *this;
}

std::size_t run_record::runs_of(const std::string& job) const
{
    const auto found = by_job_.find(job);
    return found == by_job_.end() ? 0 : found->second;
}

std::size_t run_record::repeated() const
{
    return static_cast<std::size_t>(
        std::count_if(by_job_.begin(), by_job_.end(), [](const auto& job) { return job.second > 1; }));
}

std::size_t run_record::missing(std::size_t count) const
{
    std::size_t result = 0;
    for (std::size_t i = 0; i != count; ++i)
        result += by_job_.contains(std::to_string(i)) ? 0 : 1;
    return result;
}

std::size_t run_record::runs_by(pid_t process) const
{
    const auto found = by_process_.find(std::to_string(process));
    return found == by_process_.end() ? 0 : found->second;
}

std::vector<std::string> run_record::in_order() const
{
    std::vector<std::string> result;
    for (const auto& line : read_lines(path_))
        result.push_back(line.substr(0, line.rfind(' ')));
    return result;
}

fault_scene::fault_scene(std::string queue) : works_on{std::move(queue)}
{
    const auto seed = std::random_device{}();
    random.seed(seed);
    BOOST_TEST_MESSAGE("seed " << seed);
}

void fault_scene::wait_until(const std::string& what, const std::function<bool()>& condition)
{
    const auto give_up = std::chrono::steady_clock::now() + 4 * patience;
    while (!condition()) {
        look_after_servers();
        if (std::chrono::steady_clock::now() > give_up) {
            std::ostringstream text;
            text << "waited in vain until " << what << "; " << record.refresh().runs() << " runs so far, "
                 << situation() << worker_log();
            throw std::runtime_error{text.str()};
        }
        std::this_thread::sleep_for(2ms);
    }
}

void fault_scene::wait_until_it_works(const process& worker)
{
    wait_until("a worker works", [&] { return record.refresh().runs_by(worker.id()) != 0; });
}

std::string fault_scene::log_in(const std::string& file) const
{
    std::ostringstream text;
    text << std::ifstream{records.file(file)}.rdbuf();
    return text.str();
}

} // namespace coworker::test
