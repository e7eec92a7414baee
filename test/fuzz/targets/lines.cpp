// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "exec/last_line.hpp"
#include "exec/output_lines.hpp"
#include "program/commands/job_line.hpp"
#include "program/commands/push_line.hpp"
#include "program/commands/qless_line.hpp"
#include "text/json_spans.hpp"
#include "text/utf8.hpp"

#include <algorithm>

namespace coworker::fuzz {

using namespace program;

namespace {

bool is_line(std::string_view text)
{
    return text.find('\n') == text.npos;
}

void read_said_line(std::string_view line)
{
    for (const line_rules rules : {line_rules{}, line_rules{true, false}, line_rules{true, true}}) {
        const auto said = read_line(line, "1", "0", rules);
        const int kinds = said.result.has_value() + said.progress.has_value() + said.checkpoint.has_value() +
                          !said.step.empty() + said.is_late + !said.problem.empty();
        claim(kinds == 1);
        claim(is_line(said.problem) && detail::is_utf8(said.problem));
        claim(!said.checkpoint || detail::is_json(said.checkpoint->text));
        claim(said.step.empty() || detail::is_json(said.value.text));
    }
    const auto saved = saved_line(line, std::string{line});
    claim(is_line(saved) && detail::is_json(saved));
}

void read_pushed_line(std::string_view line)
{
    const auto job = read_line_job(std::string{line}, {.id = "id", .kind = "kind", .key = "key"});
    claim(job.json == line);
    claim(!job.complaint.empty() || (job.id && !job.kind.empty() && !job.key.empty()));
    claim(!job.is_cut_off || !job.complaint.empty());
    claim(read_line_job(std::string{line}, {}).complaint.empty() == detail::is_json(line));
}

void read_request_line(std::string_view line)
{
    const auto request = parse_request(line);
    claim(!request.complaint.empty() || !request.words.empty());
    qless_reply reply;
    reply.kind = qless_reply::type::list;
    for (const auto& word : request.words)
        reply.list.push_back({qless_reply::type::text, 0, word, {}});
    reply.list.push_back({qless_reply::type::text, 0, std::string{line}, {}});
    for (const auto& answer : {reply_line(reply), error_line(line)})
        claim(is_line(answer) && detail::is_json(answer));
}

std::string write_whole(std::string_view about, std::string_view level, std::string_view text)
{
    return std::string{about} + std::string{level} + std::string{text};
}

/// What a command writes, in two parts that end anywhere.
void read_output(std::string_view text)
{
    const auto middle = text.empty() ? 0 : static_cast<unsigned char>(text.back()) % text.size();
    exec::last_line last, last_of_all;
    last_of_all.add(text);
    last.add(text.substr(0, middle));
    last.add(text.substr(middle));
    claim(last.text() == last_of_all.text() && last.text().size() <= exec::last_line::longest);
    claim(is_line(last.text()));
    exec::output_lines lines{"a", write_whole};
    auto shown = lines.add(text.substr(0, middle));
    shown += lines.add(text.substr(middle)) + lines.end();
    claim(shown.empty() || shown.ends_with('\n'));
    exec::output_lines as_it_is{"", nullptr};
    claim(as_it_is.add(text.substr(0, middle)) + as_it_is.add(text.substr(middle)) + as_it_is.end() == text);
}

} // namespace

/// Lines of other programs: of a command of `work --lines`, of `push`, of `coworker qless`, and what a command writes.
FUZZ_TARGET(lines)
{
    const auto line = bytes.substr(0, bytes.find('\n'));
    read_said_line(line);
    read_pushed_line(line);
    read_request_line(line);
    read_output(bytes);
}

} // namespace coworker::fuzz
