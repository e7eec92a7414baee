// SPDX-License-Identifier: MIT
#include "support/temporary_folder.hpp"
#include "work_test.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

/// coworker work --lines: processes that get many jobs.
BOOST_FIXTURE_TEST_SUITE(work_lines, coworker::test::work_test)

using namespace coworker::test;

namespace {

const std::string succeeds = says(R"("outcome":"success")");

struct line_language
{
    std::string interpreter, file;

    friend std::ostream& operator<<(std::ostream& out, const line_language& what) { return out << what.file; }
};

const line_language line_languages[] = {{"python3", "lines.py"}, {"ruby", "lines.rb"}, {"node", "lines.mjs"}};

std::size_t count_of(std::string_view words, std::string_view text)
{
    std::size_t count = 0;
    for (auto at = text.find(words); at != text.npos; at = text.find(words, at + 1))
        ++count;
    return count;
}

} // namespace

BOOST_AUTO_TEST_CASE(gives_many_jobs_to_one_process)
{
    push({"mail", "--id-field", "id"}, "{\"id\":\"a\",\"to\":[1.50]}\n{\"id\":\"b\"}\n{\"id\":\"c\"}\n");
    running_program worker{
        work({"mail", "--concurrency", "1", "--lines"},
             "echo begun >&2; " + reads + "echo \"$job\" >&2; " + succeeds + "done; echo bye >&2")};
    worker.wait_for_all(
        {R"({"id":"a","queue":"mail","attempt":1,"kind":null,"payload":{"id":"a","to":[1.50]}})",
         "succeeded queue=mail job=a", "succeeded queue=mail job=b", "succeeded queue=mail job=c"});
    BOOST_TEST(!sandboxes_are_empty());
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(count_of("begun", worker.seen()) == 1u);
    BOOST_TEST(count_of("bye", worker.seen()) == 1u); // its input ended, it was not killed
    BOOST_TEST(waiting("mail").empty());
    BOOST_TEST(sandboxes_are_empty());
}

BOOST_AUTO_TEST_CASE(replaces_a_process_that_had_enough_jobs)
{
    push({"mail"}, "1\n2\n3\n4\n");
    running_program worker{work({"mail", "--concurrency", "1", "--lines", "--jobs-per-process", "2"},
                                "echo begun >&2; " + reads + succeeds + "done")};
    for (int i = 0; i != 4; ++i)
        worker.wait_for("succeeded queue=mail");
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(count_of("begun", worker.seen()) == 2u);
}

BOOST_AUTO_TEST_CASE(tells_managed_jobs_all_about_themselves_and_keeps_results)
{
    push({"managed:mail", "--kind", "Welcome", "--priority", "7", "--tag", "a", "--id-field", "id"},
         "{\"id\":\"w\"}\n");
    running_program worker{work({"managed:mail", "--lines"},
                                reads + "echo \"$job\" >&2; echo '{\"id\":\"w\",\"outcome\":\"success\","
                                        "\"result\":{\"pages\":12}}'; done")};
    worker.wait_for_all(
        {R"("kind":"Welcome","priority":7,"retries_left":5,"tags":["a"])", "succeeded queue=managed:mail"});
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(server("GET", "ql:coworker:result:w").text.find("{\"pages\":12}") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(tells_managed_jobs_what_travels_with_them)
{
    coworker({"batches", "open", "b1"});
    push({"managed:mail", "--kind", "Page", "--id-field", "id"}, "{\"id\":\"p\"}\n");
    push({"managed:mail", "--kind", "Book", "--id-field", "id", "--depends", "p", "--reads-parents",
          "--batch", "b1", "--timeout", "90s", "--metadata", "say \"who\"=ada"},
         "{\"id\":\"c\"}\n");
    running_program worker{work({"managed:mail", "--lines", "--concurrency", "1"},
                                reads + "echo \"$job\" >&2; " + succeeds + "done")};
    // Of the first job nothing is said that it does not have.
    worker.wait_for(R"("kind":"Page","priority":0,"retries_left":5,"tags":[],"payload":)");
    worker.wait_for_all({R"("tags":[],"timeout":90,"metadata":{"say \"who\"":"ada"},"batch":"b1",)"
                         R"("parents":["p"],"payload":)",
                         "job=c"});
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(carries_out_effects_with_the_answer)
{
    push({"managed:orders", "--kind", "Order"}, "1\n");
    push({"mail"}, "1\n");
    running_program worker{work(
        {"managed:orders", "mail", "--lines", "--concurrency", "1"},
        reads + "case $job in *'\"queue\":\"mail\"'*) " +
            says(R"("outcome":"success","effects":[{"command":["INCRBY","mails","2"]}])") + ";; *) " +
            says(
                R"("outcome":"success","effects":[{"command":["HINCRBY","stats","orders","1"]},)"
                R"({"queue":"managed:receipts","job":{"kind":"Receipt","id":"r","payload":[1.50]}},)"
                R"({"queue":"managed:receipts","job":{"kind":"Later","id":"l","run_at":"2030-01-01T00:00:00Z"}},)"
                R"({"queue":"audit","job":{"payload":{"n":1.50}}}])") +
            ";; esac; done")};
    worker.wait_for_all({"succeeded queue=managed:orders", "succeeded queue=mail"});
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(server("HGET", "stats", "orders").text == "1");
    BOOST_TEST(server("GET", "mails").text == "2");
    BOOST_TEST(server("HGET", "ql:j:r", "data").text == "[1.50]");
    BOOST_TEST(server("ZCARD", "ql:q:receipts-work").integer == 1);
    BOOST_TEST(server("ZCARD", "ql:q:receipts-scheduled").integer == 1);
    BOOST_TEST_REQUIRE(waiting("audit").size() == 1u);
    BOOST_TEST(waiting("audit")[0].find("{\"n\":1.50}") != std::string::npos);
}

/// What an answer has that cannot be carried out, and what is said of it.
struct useless_effects
{
    std::string queue, answer, complaint;

    friend std::ostream& operator<<(std::ostream& out, const useless_effects& what)
    {
        return out << what.complaint;
    }
};

/// Others: said_lines.cpp.
const useless_effects all_useless_effects[] = {
    {"mail", R"("outcome":"success","effects":[{"command":["INCR","n"]},{"command":["EVAL","return 1"]}])",
     "number 2. The command 'EVAL' is not permitted"},
    {"managed:mail",
     R"("outcome":"success","effects":[{"command":["INCR","n"]},{"command":["DEL","ql:q:mail"]}])",
     "number 2."},
};

BOOST_DATA_TEST_CASE(retries_a_job_whose_effects_cannot_be_used, all_useless_effects, each)
{
    push(each.queue == "mail" ? std::vector<std::string>{"mail"}
                              : std::vector<std::string>{each.queue, "--kind", "Order"},
         "1\n");
    running_program worker{work({each.queue, "--lines", "--concurrency", "1", "--backoff", "0s"},
                                reads + "case $job in *'\"attempt\":1,'*) " + says(each.answer) + ";; *) " +
                                    succeeds + ";; esac; done")};
    const auto retried = worker.wait_for("retried queue=" + each.queue);
    BOOST_TEST(retried.find("the process' answer cannot be used") != std::string::npos, retried);
    BOOST_TEST(retried.find(each.complaint) != std::string::npos, retried);
    worker.wait_for("succeeded queue=" + each.queue);
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(server("EXISTS", "n").integer == 0); // all or none
}

BOOST_AUTO_TEST_CASE(does_what_the_answer_says)
{
    push({"mail"}, "1\n");
    running_program worker{work({"mail", "--lines", "--backoff", "0s"},
                                reads + "case $job in *'\"attempt\":1,'*) " +
                                    says(R"("outcome":"retry","message":"not yet","delay":0)") + ";; *) " +
                                    says(R"("outcome":"failure","message":"no way")") + ";; esac; done")};
    BOOST_TEST(worker.wait_for("retried queue=mail").find("not yet") != std::string::npos);
    BOOST_TEST(worker.wait_for("failed queue=mail").find("no way") != std::string::npos);
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(failed("mail").find("\"message\":\"no way\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(retries_a_job_whose_process_does_not_answer_well)
{
    const std::pair<std::string, std::string> misdeeds[] = {
        {"echo oops >&2; exit 0", "ended before it answered, with status 0: oops"},
        {"kill -SEGV $$", "ended by SIGSEGV"},
        {"echo hello", "it is no JSON object: hello"}};
    for (const auto& [misdeed, complaint] : misdeeds) {
        push({"mail"}, "1\n");
        running_program worker{work({"mail", "--lines", "--concurrency", "1", "--backoff", "0s"},
                                    "setsid sleep 1000 & " + reads + "case $job in *'\"attempt\":1,'*) " +
                                        misdeed + ";; *) " + succeeds + ";; esac; done")};
        const auto line = worker.wait_for("retried queue=mail");
        BOOST_TEST(line.find(complaint) != line.npos, line);
        worker.wait_for("succeeded queue=mail");
        BOOST_TEST(ends_well(worker)); // to the end of the output: nothing is left
        BOOST_TEST(sandboxes_are_empty());
    }
}

BOOST_AUTO_TEST_CASE(says_why_a_process_gave_no_answer)
{
    const std::pair<std::string, std::string> misdeeds[] = {
        {"exec >&-; exit 4", "ended before it answered, with status 4"},
        {"exec >&-", "gave no answer: it closed its standard output"},
        {"trap 'exit 0' TERM; exec >&-; sleep 1000 & wait", "gave no answer: it closed its standard output"},
        {"tr '\\0' x </dev/zero", "gave no answer: it wrote a line of more than 64 MiB"}};
    for (const auto& [misdeed, complaint] : misdeeds) {
        push({"mail"}, "1\n");
        running_program worker{work({"mail", "--lines", "--retries", "0"}, reads + misdeed + "; done")};
        const auto line = worker.wait_for("failed queue=mail");
        BOOST_TEST(line.find(complaint) != line.npos, line);
        BOOST_TEST(ends_well(worker));
        BOOST_TEST(sandboxes_are_empty());
    }
}

BOOST_AUTO_TEST_CASE(says_when_a_process_has_not_read_its_job)
{
    push({"mail"}, "\"" + std::string(300'000, 'x') + "\"\n");
    running_program worker{work({"mail", "--lines", "--retries", "0"}, "echo '{}'; sleep 1000")};
    const auto line = worker.wait_for("failed queue=mail");
    BOOST_TEST(line.find("gave no answer: it wrote a line before it had read its job") != line.npos, line);
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(starts_processes_that_end_at_once_ever_later_and_loses_no_job)
{
    const temporary_folder folder;
    const auto starts = folder.file("starts");
    push({"mail"}, "1\n");
    running_program worker{work({"mail", "--lines", "--concurrency", "1", "--backoff", "0s"},
                                "date +%s%N >>" + starts + "; [ $(wc -l <" + starts +
                                    ") -ge 5 ] || exit 3; " + reads + succeeds + "done")};
    for (int i = 0; i != 4; ++i)
        BOOST_TEST(worker.wait_for("retried queue=mail").find("with status 3") != std::string::npos);
    worker.wait_for("succeeded queue=mail");
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(waiting("mail").empty());
    std::ifstream file{starts};
    const std::vector<std::int64_t> times{std::istream_iterator<std::int64_t>{file}, {}};
    BOOST_REQUIRE(times.size() == 5u);
    std::int64_t pause = 100'000'000; // nanoseconds; doubled each time
    for (std::size_t i = 1; i != times.size(); ++i, pause *= 2)
        BOOST_TEST(times[i] - times[i - 1] >= pause, "before start " << i + 1);
}

BOOST_AUTO_TEST_CASE(kills_a_process_at_the_timeout)
{
    push({"mail"}, "1\n");
    running_program worker{
        work({"mail", "--lines", "--timeout", "300ms", "--grace", "10ms", "--backoff", "0s"},
             reads + "case $job in *'\"attempt\":1,'*) sleep 1000;; *) " + succeeds + ";; esac; done")};
    worker.wait_for("retried queue=mail");
    worker.wait_for("succeeded queue=mail");
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(lets_the_job_end_when_told_to_stop_and_gives_it_back_at_the_second_signal)
{
    push({"mail"}, "1\n2\n");
    gate gate;
    running_program worker{
        work({"mail", "--lines", "--concurrency", "1"},
             reads + "echo begun >&2; " + gate.wait() + " >/dev/null; " + succeeds + "done")};
    worker.wait_for("begun");
    worker.signal(SIGTERM);
    worker.wait_for("a second signal");
    BOOST_TEST(gate.let_pass(1));
    worker.wait_for("succeeded queue=mail");
    worker.read_to_end();
    BOOST_TEST(worker.wait() == 0);
    BOOST_TEST(waiting("mail").size() == 1u);
    running_program next{
        work({"mail", "--lines"}, "trap '' TERM; " + reads + "echo begun >&2; sleep 1000; done")};
    next.wait_for("begun");
    next.signal(SIGTERM);
    next.wait_for("a second signal");
    next.signal(SIGTERM);
    next.read_to_end();
    BOOST_TEST(next.wait() == 0);
    BOOST_TEST(waiting("mail").size() == 1u);
    BOOST_TEST(sandboxes_are_empty());
    running_program last{work({"mail"}, "echo attempt $COWORKER_ATTEMPT")};
    last.wait_for("attempt 1");
}

BOOST_AUTO_TEST_CASE(leaves_no_process_when_it_is_killed_and_the_job_runs_again)
{
    push({"mail"}, "1\n");
    running_program worker{
        work({"mail", "--lines"}, "setsid sleep 1000 & " + reads + "echo begun >&2; sleep 1000; done")};
    worker.wait_for("begun");
    worker.signal(SIGKILL);
    worker.read_to_end(); // the end comes when the last process that could write has gone
    BOOST_TEST(worker.wait() == -SIGKILL);
    BOOST_TEST(sandboxes_are_empty());
    running_program next{work({"mail", "--lines"}, reads + "echo \"$job\" >&2; " + succeeds + "done")};
    next.wait_for_all({"\"attempt\":2", "succeeded queue=mail"});
    BOOST_TEST(ends_well(next));
}

BOOST_AUTO_TEST_CASE(carries_a_job_that_is_larger_than_a_pipe)
{
    push({"mail"}, "\"" + std::string(300'000, 'x') + "\"\n");
    running_program worker{work({"mail", "--lines"}, reads + succeeds + "done")};
    worker.wait_for("succeeded queue=mail");
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(says_which_options_make_no_sense)
{
    BOOST_TEST(coworker({"work", "mail", "--lines", "--fail-on", "3", "--", "true"}).code == 2);
    BOOST_TEST(coworker({"work", "mail", "--jobs-per-process", "3", "--", "true"}).code == 2);
}

BOOST_DATA_TEST_CASE(the_examples_run_many_jobs, boost::unit_test::data::make(line_languages), which)
{
    if (std::system(("command -v " + which.interpreter + " >/dev/null 2>&1").c_str()) != 0) {
        BOOST_TEST_MESSAGE(which.interpreter << " is not installed");
        return;
    }
    push({"managed:mail", "--kind", "Letter", "--id-field", "id"},
         "{\"id\":\"a\",\"to\":\"ada\"}\n{\"id\":\"b\",\"to\":\"bob\"}\n{\"id\":\"c\"}\n");
    running_program worker{work({"managed:mail", "--lines", "--concurrency", "1", "--backoff", "1h"},
                                std::vector<std::string>{which.interpreter, EXAMPLES "/" + which.file})};
    worker.wait_for_all({"hello ada", "hello bob", "retried queue=managed:mail"});
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(server("GET", "ql:coworker:result:a").text.find("ada") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(tells_how_far_a_job_is_and_goes_on_at_its_checkpoint)
{
    const auto script = server.folder().file("parts.py");
    std::ofstream{script} << R"(import json, os, sys
def say(**line):
    print(json.dumps(line), flush=True)
for line in sys.stdin:
    job = json.loads(line)
    begin = job.get("checkpoint", 0)
    if begin == 0:
        say(id=job["id"], progress=0.25, message="part 1")
        say(id=job["id"], checkpoint={"part": 1})
        print("told", sys.stdin.readline().strip(), file=sys.stderr, flush=True)
        os._exit(1)
    say(id=job["id"], progress=1)
    say(id=job["id"], outcome="success", result={"began": begin})
)";
    push({"managed:mail", "--kind", "Page", "--id-field", "id"}, "{\"id\":\"p\"}\n");
    running_program worker{work({"managed:mail", "--lines", "--checkpoints", "--backoff", "0s"},
                                std::vector<std::string>{"python3", script})};
    worker.wait_for_all({R"(told {"id":"p","saved":true})", "succeeded queue=managed:mail job=p"});
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(server("GET", "ql:coworker:result:p").text.find(R"({"began": {"part": 1}})") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(stores_steps_and_gives_them_to_the_next_attempt)
{
    const auto script = server.folder().file("steps.py");
    std::ofstream{script} << R"(import json, os, sys
def say(**line):
    print(json.dumps(line), flush=True)
def store(job, name, value):
    say(id=job["id"], step=name, value=value)
    print("told", name, sys.stdin.readline().strip(), file=sys.stderr, flush=True)
for line in sys.stdin:
    job = json.loads(line)
    steps = job.get("steps", {})
    if not steps:
        store(job, "charge", {"receipt": 1})
        store(job, "charge", {"receipt": 2})
        store(job, "note", None)
        os._exit(1)
    store(job, "charge", {"receipt": 3})
    say(id=job["id"], outcome="success", result=steps)
)";
    push({"managed:mail", "--kind", "Page", "--id-field", "id"}, "{\"id\":\"p\"}\n");
    running_program worker{
        work({"managed:mail", "--lines", "--backoff", "0s"}, std::vector<std::string>{"python3", script})};
    worker.wait_for_all({R"(told charge {"id":"p","saved":true})",
                         R"(told charge {"id":"p","saved":false,"message":"this run has had a step 'charge')",
                         R"(told note {"id":"p","saved":true})",
                         R"(told charge {"id":"p","saved":false,"message":"the step has another value)",
                         "succeeded queue=managed:mail job=p"});
    BOOST_TEST(ends_well(worker));
    const auto result = server("GET", "ql:coworker:result:p").text;
    BOOST_TEST(result.find(R"({"charge": {"receipt": 1}, "note": null})") != result.npos, result);
    BOOST_TEST(server("HEXISTS", "ql:j:p", "steps").integer == 0);
}

BOOST_AUTO_TEST_CASE(sleeps_until_a_signal_comes)
{
    const auto script = server.folder().file("waits.py");
    std::ofstream{script} << R"(import json, sys
for line in sys.stdin:
    job = json.loads(line)
    answers = job.get("signals", {}).get("yes", [])
    if answers:
        print(json.dumps({"id": job["id"], "outcome": "success", "result": answers}), flush=True)
    else:
        print(json.dumps({"id": job["id"], "outcome": "sleep", "signal": "yes", "delay": "1d"}), flush=True)
)";
    push({"managed:mail", "--kind", "Page", "--id-field", "id"}, "{\"id\":\"p\"}\n");
    running_program worker{
        work({"managed:mail", "--lines", "--checkpoints"}, std::vector<std::string>{"python3", script})};
    worker.wait_for("released queue=managed:mail job=p");
    while (server("HGET", "ql:j:p", "state").text != "scheduled") // it is told before it is stored
        std::this_thread::yield();
    BOOST_TEST(run_coworker({"signal", "p", "yes", "[7]", "--redis", server.url()}).code == 0);
    worker.wait_for("succeeded queue=managed:mail job=p");
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(server("GET", "ql:coworker:result:p").text.find("[[7]]") != std::string::npos);
    BOOST_TEST(server("HEXISTS", "ql:j:p", "waits").integer == 0);
}

BOOST_AUTO_TEST_CASE(releases_and_forwards_jobs)
{
    push({"managed:mail", "--kind", "Page", "--id-field", "id"}, "{\"id\":\"p\"}\n");
    push({"managed:mail", "--kind", "Page", "--id-field", "id"}, "{\"id\":\"q\"}\n");
    const auto mark = server.folder().file("released");
    running_program worker{
        work({"managed:mail", "--lines", "--concurrency", "1"},
             reads + "if [ $id = p ] && [ ! -e " + mark + " ]; then touch " + mark + "; " +
                 says(R"("outcome":"release")") + "elif [ $id = p ]; then " + succeeds + "else " +
                 says(R"("outcome":"forward","queue":"next","payload":{"n":2})") + "fi; done")};
    worker.wait_for_all({"released queue=managed:mail", "succeeded queue=managed:mail job=p",
                         "forwarded queue=managed:mail job=q"});
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(server("ZCARD", "ql:q:next-work").integer == 1);
    BOOST_TEST(server("HGET", "ql:j:q", "data").text == "{\"n\":2}");
    BOOST_TEST(server("HGET", "ql:j:p", "remaining").text == "5"); // a release uses up no retry
}

BOOST_AUTO_TEST_CASE(takes_progress_that_is_rounded_up_or_late)
{
    const auto script = server.folder().file("late.py");
    std::ofstream{script} << R"(import json, sys
print("begun", file=sys.stderr, flush=True)
def say(**line):
    print(json.dumps(line), flush=True)
last = None
for line in sys.stdin:
    job = json.loads(line)
    if last:
        say(id=last, progress=1)
    say(id=job["id"], progress=1.0000002)
    say(id=job["id"], outcome="success")
    last = job["id"]
)";
    push({"managed:mail", "--kind", "Page"}, "1\n2\n3\n");
    running_program worker{
        work({"managed:mail", "--lines", "--concurrency", "1"}, std::vector<std::string>{"python3", script})};
    for (int i = 0; i != 3; ++i)
        worker.wait_for("succeeded queue=managed:mail");
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(count_of("begun", worker.seen()) == 1u);
}

BOOST_AUTO_TEST_CASE(stores_no_checkpoints_that_no_attempt_would_get)
{
    push({"managed:mail", "--kind", "Page", "--id-field", "id"}, "{\"id\":\"p\"}\n");
    running_program worker{
        work({"managed:mail", "--lines"},
             reads + says(R"("checkpoint":1)") + "read -r saved; echo \"$saved\" >&2; " + succeeds + "done")};
    worker.wait_for_all({R"({"id":"p","saved":false,"message":"it was started without --checkpoints"})",
                         "succeeded queue=managed:mail job=p"});
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(server("HEXISTS", "ql:j:p", "checkpoint").integer == 0);
}

BOOST_AUTO_TEST_CASE(ends_a_job_whose_checkpoint_cannot_be_stored)
{
    push({"managed:mail", "--kind", "Page"}, "1\n");
    gate gate;
    running_program worker{
        work({"managed:mail", "--lines", "--checkpoints", "--timeout", "300ms", "--grace", "10ms"},
             reads + "echo begun >&2; " + gate.wait() + " >/dev/null; " + says(R"("checkpoint":1)") +
                 "read -r saved; done")};
    worker.wait_for("begun");
    server.freeze();
    BOOST_TEST(gate.let_pass(1));
    worker.wait_for("retried queue=managed:mail"); // by the timeout, although Redis does not answer
    server.thaw();
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(ends_a_job_that_stores_a_checkpoint_when_it_is_told_to_end)
{
    push({"managed:mail", "--kind", "Page"}, "1\n");
    const auto trap = "trap '" + says(R"("checkpoint":1)") + "' TERM; ";
    running_program worker{
        work({"managed:mail", "--lines", "--checkpoints", "--timeout", "1s", "--grace", "100ms"},
             reads + trap + "echo begun >&2; sleep 1000 & wait; read -r saved; done")};
    worker.wait_for("begun");
    server.kill();
    worker.wait_for("retried queue=managed:mail"); // by the timeout, although there is no Redis
    server.restart();
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_SUITE_END()
