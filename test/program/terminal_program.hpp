#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

#include <termios.h>

namespace coworker::test {

/// `coworker` on a terminal of its own, which somebody types on. Killed when this object is destroyed.
class terminal_program
{
public:
    /// @param environment  such as "NO_COLOR=1"
    terminal_program(const std::vector<std::string>& arguments, std::vector<std::string> environment);
    ~terminal_program();
    terminal_program(const terminal_program&) = delete;
    terminal_program& operator=(const terminal_program&) = delete;

    void type(const std::string& keys);
    void resize(unsigned short columns, unsigned short rows);
    void signal(int number);

    /// Waits until this has been written, from now on; throws if the program ends before. Returns what was
    /// written up to there.
    std::string read_until(const std::string& text);

    /// Waits for the end. Returns the exit code, or minus the number of the signal; `rest` is what was written.
    int finish(std::string& rest);
    /// Waits until a signal has stopped it.
    void wait_until_stopped();

    /// Input comes letter by letter, and is not shown.
    bool is_raw() const;

private:
    std::string read_what_is_there(int patience);

    pid_t id_ = 0;
    int ours_ = -1, theirs_ = -1;
    std::string unread_;
};

} // namespace coworker::test
