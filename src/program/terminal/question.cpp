// SPDX-License-Identifier: MIT
#include "program/terminal/question.hpp"

#include "program/exit_code.hpp"

#include <unistd.h>

#include <iostream>

namespace coworker::program {

void expect_yes(bool answered, const std::string& what)
{
    if (answered)
        return;
    if (::isatty(STDIN_FILENO) == 0)
        refuse("this would " + what + "; say --yes if that is meant");
    std::cerr << "This will " << what << ". Go on? [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    if (answer != "y" && answer != "yes")
        throw failure{exit_code::failed, "nothing was done"};
}

} // namespace coworker::program
