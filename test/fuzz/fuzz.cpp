// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "text/plain_text.hpp"
#include "text/utf8.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace coworker::fuzz {

std::vector<target>& targets()
{
    static std::vector<target> all;
    return all;
}

const target* find_target(std::string_view name)
{
    const auto found = std::find_if(targets().begin(), targets().end(),
                                    [&](const target& each) { return each.name == name; });
    return found == targets().end() ? nullptr : &*found;
}

void claim(bool is_true, std::source_location where)
{
    if (is_true)
        return;
    std::fprintf(stderr, "coworker-fuzz: %s:%u: what is claimed there is not so\n", where.file_name(),
                 static_cast<unsigned>(where.line()));
    std::abort();
}

void claim_sentence(std::string_view text, std::string_view of, std::source_location where)
{
    const bool is_good =
        std::count(text.begin(), text.end(), ' ') >= 2 && (detail::is_utf8(text) || !detail::is_utf8(of));
    if (!is_good)
        std::fprintf(stderr, "coworker-fuzz: no sentence: '%s'\n", detail::escaped(text).c_str());
    claim(is_good, where);
}

bool is_within(std::string_view part, std::string_view whole)
{
    return part.empty() ||
           (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

} // namespace coworker::fuzz
