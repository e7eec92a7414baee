// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace coworker::test {

/// `coworker` while it runs. Killed when this object is destroyed, or the whole test program ends.
///
/// Its output and its errors come through one pipe, which every process that it starts has as well: the end of
/// the output means that all of them are gone.
class running_program
{
public:
    /// @param prepare  called in the process that becomes `coworker`: async-signal-safe calls only
    explicit running_program(const std::vector<std::string>& arguments, void (*prepare)() = nullptr);
    ~running_program();
    running_program(const running_program&) = delete;
    running_program& operator=(const running_program&) = delete;

    pid_t id() const noexcept { return id_; }

    /// Leaves room for one page of output that is not read. Returns whether it could be done.
    bool make_pipe_small();

    void signal(int number);

    /// Reads up to a line with these words, and returns it. Throws at the end of the output, or if it does not
    /// come for very long.
    std::string wait_for(std::string_view words);

    /// Reads until all of these have been written, in any order: by the program and by what it has started.
    void wait_for_all(std::initializer_list<std::string_view> words);

    /// Reads all that is left, until nobody can write any more.
    std::string read_to_end();

    /// Waits for its end. Returns the exit code, or minus the number of the signal.
    int wait();

    /// All that was read so far.
    const std::string& seen() const noexcept { return seen_; }

private:
    bool read_more();

    pid_t id_ = 0;
    int output_ = -1;
    std::string seen_;
    std::size_t next_ = 0; ///< in `seen_`: where the line begins that is next
};

} // namespace coworker::test
