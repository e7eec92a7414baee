// SPDX-License-Identifier: MIT
#pragma once

#include "table.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace coworker::test {

/// What steps.table holds: what calls publish and change, under lines with parameters.
class named_steps
{
public:
    /// Throws, with the place in the file, what is wrong with it.
    named_steps(std::istream& lines, std::string file);

    /// Adds what a line such as `completed j of q by w at 120` stands for. Throws if there is no such step.
    void add(table_outcome& outcome, const std::string& use, const std::string& place);

    /// The places of those that have not been used.
    std::vector<std::string> unused() const;

private:
    struct line
    {
        std::size_t number;
        std::string text;
    };
    struct step
    {
        std::size_t number;
        std::string text;
        std::vector<std::string> words; ///< of the text; those in capital letters are parameters
        std::vector<line> messages{}, changes{};
        bool is_used = false;
    };

    void read(std::size_t number, const std::string& text);
    void begin(std::size_t number, const std::string& text);
    void end() const;
    std::string similar(const std::string& name) const;
    std::string place(std::size_t number) const { return file_ + ':' + std::to_string(number); }

    std::string file_;
    std::vector<step> steps_;
    std::string section_; ///< the one that is being read; empty outside of a step
};

} // namespace coworker::test
