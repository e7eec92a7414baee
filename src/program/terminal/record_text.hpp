// SPDX-License-Identifier: MIT
#pragma once

#include "program/terminal/output.hpp"
#include "program/terminal/text_functions.hpp"

#include <cstddef>
#include <string>

namespace coworker::program {

/// Names and values, one a line; values that are empty are left out.
class record_text
{
public:
    explicit record_text(output& out) : out_{out} {}

    void line(const std::string& name, const std::string& value, tone colour = tone::plain)
    {
        constexpr std::size_t width = 14;
        if (!value.empty())
            out_.line(out_.painted(name, tone::heading) + std::string(width - name.size(), ' ') +
                      out_.painted(escaped(value), colour));
    }

private:
    output& out_;
};

} // namespace coworker::program
