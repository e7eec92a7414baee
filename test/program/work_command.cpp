// SPDX-License-Identifier: MIT
#include "work_test.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>

BOOST_FIXTURE_TEST_SUITE(work_command, coworker::test::work_test)

using namespace coworker::test;

BOOST_AUTO_TEST_CASE(gives_a_command_the_payload_and_says_which_job_it_is)
{
    push({"mail", "--id-field", "id"}, R"({"id":"first","to":"ada"})");
    running_program worker{
        work({"mail"},
             "echo $COWORKER_JOB_ID+$COWORKER_QUEUE+$COWORKER_ATTEMPT+${COWORKER_KIND-none}; cat; echo")};
    worker.wait_for("first+mail+1+none");
    worker.wait_for(R"({"id":"first","to":"ada"})");
    worker.wait_for("succeeded queue=mail job=first");
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(waiting("mail").empty());
    BOOST_TEST(failed("mail") == "");
}

BOOST_AUTO_TEST_CASE(works_on_managed_queues_whatever_the_kind)
{
    push({"managed:mail", "--kind", "Welcome", "--priority", "7", "--tag", "a", "--tag", "b,c"},
         R"({"to":"ada"})");
    running_program worker{work(
        {"managed:mail"}, "echo $COWORKER_QUEUE+$COWORKER_KIND+$COWORKER_PRIORITY+$COWORKER_RETRIES_LEFT; "
                          "echo $COWORKER_TAGS; cat; echo")};
    worker.wait_for("managed:mail+Welcome+7+5");
    worker.wait_for(R"(["a","b,c"])");
    worker.wait_for(R"({"to":"ada"})");
    worker.wait_for("succeeded queue=managed:mail");
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(tells_commands_what_travels_with_a_managed_job)
{
    coworker({"batches", "open", "b1"});
    push({"managed:mail", "--kind", "Page", "--id-field", "id"}, "{\"id\":\"p\"}\n");
    push({"managed:mail", "--kind", "Book", "--id-field", "id", "--depends", "p", "--reads-parents",
          "--batch", "b1", "--metadata", "say \"who\"=ada"},
         "{\"id\":\"c\"}\n");
    running_program worker{work({"managed:mail", "--concurrency", "1"},
                                "echo $COWORKER_JOB_ID+${COWORKER_BATCH-none}+${COWORKER_PARENTS-none}+"
                                "${COWORKER_METADATA-none}")};
    worker.wait_for("p+none+none+none");
    worker.wait_for(R"(c+b1+["p"]+{"say \"who\"":"ada"})");
    worker.wait_for("job=c");
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(runs_a_command_whose_job_has_more_parents_than_fit_a_variable)
{
    std::vector<std::string> child{"managed:mail", "--kind", "Book", "--id-field", "id", "--reads-parents"};
    for (int i = 0; i != 800; ++i) {
        const auto id = std::to_string(i) + std::string(190, 'x');
        qless("put", "", "pages", id, "Page", "{}", "0");
        child.insert(child.end(), {"--depends", id});
    }
    push(child, "{\"id\":\"c\"}\n");
    qless("pop", "pages", "w", 800);
    for (int i = 0; i != 800; ++i)
        qless("complete", child[7 + 2 * static_cast<std::size_t>(i)], "w", "pages", "{}");
    running_program worker{work({"managed:mail"}, "echo +${COWORKER_PARENTS-none}")};
    worker.wait_for("+none");
    worker.wait_for("job=c");
    BOOST_TEST(ends_well(worker));
}

/// A job that names 200 kB of something could never be started, if commands were told of it.
BOOST_AUTO_TEST_CASE(runs_a_command_whose_job_has_more_than_fits_variables)
{
    const std::string kind(200'000, 'k'), id(200'000, 'i');
    BOOST_TEST(
        push({"managed:mail", "--kind-field", "kind", "--retries", "0"}, "{\"kind\":\"" + kind + "\"}\n")
            .code == 0);
    std::vector<std::string> tagged{"managed:mail", "--kind", "Page", "--retries", "0"};
    for (int i = 0; i != 2'000; ++i) {
        tagged.emplace_back("--tag");
        tagged.push_back(std::string(100, 't') + std::to_string(i));
    }
    BOOST_TEST(push(tagged, "1\n").code == 0);
    // Each of them fits, and all together do not.
    std::vector<std::string> together{"managed:mail",
                                      "--retries",
                                      "0",
                                      "--kind-field",
                                      "kind",
                                      "--metadata",
                                      "m=" + std::string(8'000, 'm')};
    for (int i = 0; i != 630; ++i) {
        together.emplace_back("--tag");
        together.push_back(std::string(90, 't') + std::to_string(i));
    }
    BOOST_TEST(push(together, "{\"kind\":\"" + std::string(64'500, 'k') + "\"}\n").code == 0);
    server("LPUSH", "hworker-jobs-list", "[\"" + id + "\",1]");
    running_program worker{
        work({"managed:mail", "list", "--concurrency", "1"},
             "echo ${COWORKER_KIND:+kind}+${COWORKER_TAGS:+tags}+${COWORKER_METADATA:+metadata}+"
             "${COWORKER_JOB_ID:+id}+${COWORKER_QUEUE}")};
    for (const auto* words :
         {"+tags++id+managed:mail", "kind+++id+managed:mail", "kind+tags++id+managed:mail", "++++list"})
        worker.wait_for(words);
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(worker.seen().find("failed queue") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(fails_a_job_at_once_for_which_no_command_can_be_started)
{
    // The log of the command would have to name it.
    server("LPUSH", "hworker-jobs-mail", "[\"" + std::string(250'000, 'i') + "\",1]");
    running_program worker{work({"mail", "--log-format", "json"}, "true")};
    worker.wait_for("no command can be started for it");
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(failed("mail").find("Message too long") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(tells_apart_how_a_command_ends)
{
    push({"mail"}, "3\n65\n");
    push({"managed:mail", "--kind", "Welcome"}, "2\n");
    running_program worker{work({"mail", "managed:mail", "--fail-on", "2,3"},
                                R"(status=$(cat); test $status = 65 && exit 65; echo first >&2; )"
                                R"(printf 'no \033[31m\377 way %s\n\n' $status >&2; exit $status)")};
    worker.wait_for_all({R"(xff way 3")", R"(xff way 2")", R"(message="exit status 65")"});
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(server("HEXISTS", "hworker-counters-mail", "retry").integer == 1); // 65 is final no more
    BOOST_TEST(failed("mail").find(R"("message":"no \\x1b[31m\\xff way 3")") != std::string::npos,
               failed("mail"));
    const auto group = coworker({"failed", "--group", "Welcome:exit-2"});
    BOOST_TEST(group.says("xff way 2"), group.output);
}

BOOST_AUTO_TEST_CASE(names_the_signal_that_ended_a_command)
{
    push({"mail"}, "1\n");
    push({"managed:mail", "--kind", "Welcome"}, "1\n");
    running_program worker{
        work({"mail", "managed:mail", "--retries", "0", "--backoff", "0s"}, "echo oh >&2; kill -SEGV $$")};
    BOOST_TEST(worker.wait_for("failed queue=mail").find("ended by SIGSEGV: oh") != std::string::npos);
    worker.wait_for("failed queue=mail");
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(coworker({"failed", "--group", "Welcome:SIGSEGV"}).says("ended by SIGSEGV"));
}

BOOST_AUTO_TEST_CASE(runs_a_job_again_however_its_command_has_failed)
{
    push({"mail"}, "1\n");
    push({"managed:mail", "--kind", "Welcome"}, "1\n");
    running_program worker{
        work({"mail", "managed:mail", "--backoff", "0s", "--timeout", "10s", "--grace", "10ms"},
             "case $COWORKER_ATTEMPT in 1) echo no >&2; exit 1;; 2) kill -SEGV $$;; 3) exit 75;; esac")};
    for (int i = 0; i != 2; ++i)
        worker.wait_for("succeeded queue=mail");
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(server("HGET", "hworker-counters-mail", "retry").text == "3");
    BOOST_TEST(failed("mail") == "");
}

BOOST_AUTO_TEST_CASE(fails_a_job_at_once_whose_command_says_that_it_is_of_no_use)
{
    push({"mail"}, "1\n");
    push({"managed:mail", "--kind", "Welcome"}, "1\n");
    running_program worker{work({"mail", "managed:mail"}, "echo bad >&2; exit 65")};
    for (int i = 0; i != 2; ++i)
        BOOST_TEST(worker.wait_for("failed queue=mail").find("attempt=1") != std::string::npos);
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(failed("mail").find(R"("message":"bad")") != std::string::npos);
    BOOST_TEST(coworker({"failed", "--group", "Welcome:exit-65"}).says("bad"));
}

BOOST_AUTO_TEST_CASE(gives_up_when_the_retries_are_exhausted)
{
    push({"mail"}, "1\n");
    running_program worker{work({"mail", "--backoff", "0s", "--retries", "1"}, "exit 1")};
    worker.wait_for("retried");
    BOOST_TEST(worker.wait_for("failed queue=mail").find("given up after 2 attempts") != std::string::npos);
    push({"managed:mail", "--kind", "Welcome"}, "1\n");
    running_program other{work({"managed:mail", "--backoff", "0s"}, "exit 1")};
    BOOST_TEST(other.wait_for("failed queue=managed:mail").find("given up after 6 attempts") !=
               std::string::npos);
    BOOST_TEST(ends_well(other));
    BOOST_TEST(coworker({"failed", "--group", "Welcome:exit-1"}).says("exit status 1"));
}

BOOST_AUTO_TEST_CASE(does_not_mind_whether_a_command_reads_its_input)
{
    const std::string large = '"' + std::string(1'000'000, 'x') + "\"\n";
    push({"mail"}, large);
    push({"other"}, large);
    running_program worker{
        work({"mail", "other", "--concurrency", "1"}, "test $COWORKER_QUEUE = mail || wc -c")};
    worker.wait_for("succeeded queue=mail");
    worker.wait_for("1000002");
    worker.wait_for("succeeded queue=other");
}

BOOST_AUTO_TEST_CASE(removes_the_working_directory_whatever_is_in_it)
{
    push({"mail"}, "1\n2\n");
    running_program worker{work({"mail"}, "test -z \"$(ls -A)\" || exit 1; pwd; mkdir -p a/b; touch a/b/c; "
                                          "ln -s / root; chmod 0 a/b; chmod 500 a")};
    const auto folder = worker.wait_for(sandboxes.path().native());
    worker.wait_for("succeeded");
    worker.wait_for("succeeded");
    BOOST_TEST(!std::filesystem::exists(folder));
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(sandboxes_are_empty());
}

BOOST_AUTO_TEST_CASE(runs_as_many_commands_at_a_time_as_it_may)
{
    push({"mail"}, "1\n2\n3\n4\n5\n");
    gate gate;
    running_program worker{work({"mail", "--concurrency", "3"}, "echo begun; " + gate.wait())};
    for (int i = 0; i != 3; ++i)
        worker.wait_for("begun");
    BOOST_TEST(server("HLEN", "hworker-progress-mail").integer == 3);
    BOOST_TEST(gate.let_pass(5));
    for (int i = 0; i != 2; ++i)
        worker.wait_for("begun");
}

BOOST_AUTO_TEST_CASE(hands_on_no_open_file)
{
    push({"mail"}, "1\n");
    running_program worker{work({"mail"}, "for i in 0 1 2 3 4 5 6 7 8 9; do test ! -e /proc/$$/fd/$i || "
                                          "files=\"$files $i\"; done; echo files:$files")};
    BOOST_TEST(worker.wait_for("files:") == "files: 0 1 2");
}

BOOST_AUTO_TEST_CASE(kills_what_a_command_leaves_running)
{
    push({"mail"}, "1\n");
    running_program worker{work({"mail"}, "setsid sleep 1000 & sleep 1000 & echo left $!")};
    const auto line = worker.wait_for("left ");
    worker.wait_for("succeeded");
    BOOST_TEST(::kill(std::stoi(line.substr(5)), 0) == -1);
    BOOST_TEST(ends_well(worker)); // with it ends all that has its output
}

BOOST_AUTO_TEST_CASE(ends_a_command_that_takes_too_long)
{
    push({"mail"}, "1\n");
    push({"managed:mail", "--kind", "Welcome"}, "1\n");
    running_program worker{work({"mail", "managed:mail", "--timeout", "200ms", "--grace", "100ms",
                                 "--retries", "0", "--backoff", "0s"},
                                "trap '' TERM; while :; do sleep 1; done")};
    for (int i = 0; i != 2; ++i)
        BOOST_TEST(worker.wait_for("failed queue=mail").find("its timeout has passed") != std::string::npos);
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(sandboxes_are_empty());
}

BOOST_AUTO_TEST_CASE(goes_on_when_redis_was_away)
{
    push({"mail"}, "1\n");
    server("CONFIG", "SET", "appendonly", "yes");
    running_program worker{work({"mail"}, "echo done $(cat)")};
    worker.wait_for("done 1");
    server.restart();
    push({"mail"}, "2\n");
    worker.wait_for("done 2");
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(takes_queues_in_the_order_that_was_asked_for)
{
    push({"a"}, "1\n2\n3\n4\n");
    push({"b"}, "1\n2\n");
    running_program worker{
        work({"a=2", "b=1", "--order", "weighted", "--concurrency", "1"}, "echo did $COWORKER_QUEUE")};
    int of_a = 0, of_b = 0;
    while (of_a + of_b != 3)
        ++(worker.wait_for("did ") == "did a" ? of_a : of_b);
    BOOST_TEST(of_a == 2);
    BOOST_TEST(of_b == 1);
}

BOOST_AUTO_TEST_CASE(takes_only_jobs_of_the_kinds_that_were_named)
{
    const auto is_job = [&](const std::string& kind, const std::string& version) {
        push({"managed:mail", "--kind", kind, "--payload-version", version}, "1\n");
    };
    is_job("Letter", "1");
    is_job("Letter", "2");
    is_job("Report", "1");
    is_job("Report", "2");
    is_job("Parcel", "1");
    running_program worker{
        work({"managed:mail", "--kind", "Letter", "--kind", "Report=2,3", "--concurrency", "1"},
             "echo did $COWORKER_KIND")};
    BOOST_TEST(worker.wait_for("did ") == "did Letter");
    BOOST_TEST(worker.wait_for("did ") == "did Report");
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(server("ZCARD", "ql:q:mail-work").integer == 3);
}

BOOST_AUTO_TEST_CASE(refuses_what_makes_no_sense_before_any_job_is_taken)
{
    push({"mail"}, "1\n");
    const auto is_refused = [&](std::vector<std::string> words, const std::string& why) {
        words.insert(words.begin(), "work");
        const auto result = coworker(words);
        BOOST_TEST(result.code == 2, why);
        BOOST_TEST(result.complains(why), result.errors);
    };
    is_refused({}, "QUEUE is required");
    is_refused({"mail"}, "-- COMMAND");
    is_refused({"mail", "--"}, "-- COMMAND");
    is_refused({"--", "true"}, "QUEUE is required");
    is_refused({"mail", "--", "no-such-command"}, "no command 'no-such-command'");
    is_refused({"mail", "--", "./no-such-command"}, "cannot be run");
    is_refused({"mail", "--", "/etc/passwd"}, "chmod +x");
    is_refused({"mail", "--", "/tmp"}, "directory");
    is_refused({"mail", "mail", "--", "true"}, "named twice");
    is_refused({"mail=3", "--", "true"}, "--order weighted");
    for (const std::string text : {"mail=0", "mail=-1", "mail=1.5", "mail=", "mail=99999999999"})
        is_refused({text, "--order", "weighted", "--", "true"}, "weight");
    is_refused({"mail", "--order", "some", "--", "true"}, "--order");
    is_refused({"mail", "--kind", "a", "--", "true"}, "--kind is for managed queues");
    is_refused({"managed:mail", "--kind", "=1", "--", "true"}, "no name");
    is_refused({"managed:mail", "--kind", "a", "--kind", "a=2,1", "--", "true"}, "named twice");
    for (const std::string text : {"a=", "a=0", "a=1,", "a=x", "a=1.5", "a=1000001"})
        is_refused({"managed:mail", "--kind", text, "--", "true"}, "versions");
    is_refused({"mail", "--lease", "5", "--", "true"}, "--lease '5'");
    is_refused({"mail", "--worker-grace", "5", "--", "true"}, "--worker-grace '5'");
    is_refused({"mail", "--lease", "1ms", "--", "true"}, "shorter");
    is_refused({"mail", "--backoff", "2m..1m", "--", "true"},
               "The longest wait of a back-off is shorter than the first one; see coworker work --help");
    is_refused({"mail", "--backoff", "1m:2m", "--", "true"}, "--backoff is not ");
    is_refused({"mail", "--backoff", "1m..", "--", "true"}, "--backoff is not ");
    is_refused({"mail", "--concurrency", "0", "--", "true"}, "--concurrency");
    is_refused({"mail", "--retries", "-1", "--", "true"}, "--retries");
    for (const std::string status : {"0", "256", "x", "1,x"})
        is_refused({"mail", "--fail-on", status, "--", "true"}, "--fail-on");
    is_refused({"mail", "--fail-on", "1,75", "--", "true"}, "EX_TEMPFAIL");
    is_refused({"mail", "--sandbox", "/no/such", "--", "true"}, "--sandbox");
    BOOST_TEST(waiting("mail").size() == 1);
}

BOOST_AUTO_TEST_CASE(warns_of_a_queue_of_the_other_kind_where_there_is_none_of_this_one)
{
    push({"one"}, "1\n");
    push({"managed:two", "--kind", "k"}, "1\n");
    push({"both"}, "1\n");
    push({"managed:both", "--kind", "k"}, "1\n");
    running_program worker{
        work({"managed:one", "two", "both", "new", "--concurrency", "1"}, "echo $COWORKER_QUEUE-")};
    worker.wait_for("warning there is no queue 'managed:one' yet, but jobs wait in 'one'");
    worker.wait_for("warning there is no queue 'two' yet, but jobs wait in 'managed:two'");
    worker.wait_for("working on managed:one, two, both, new");
    worker.wait_for("both-");
    BOOST_TEST(worker.seen().find("'new'") == std::string::npos);
    BOOST_TEST(worker.seen().find("'both'") == std::string::npos);
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(tells_once_why_a_server_cannot_be_reached_however_often_it_tries)
{
    namespace asio = boost::asio;
    redis_server reached{{.tcp = true}};
    reached("LPUSH", "hworker-jobs-mail", R"(["first",1])");
    running_program worker{{"work", "--verbose", "mail", "--redis", reached.tcp_url(), "--", "true"}};
    worker.wait_for("succeeded");
    reached.kill();
    asio::io_context io;
    asio::ip::tcp::acceptor acceptor{
        io, {asio::ip::address_v4::loopback(), static_cast<asio::ip::port_type>(reached.tcp_port())}};
    for (int attempt = 0; attempt != 4; ++attempt)
        acceptor.accept().close();
    worker.signal(SIGTERM);
    worker.signal(SIGTERM);
    worker.read_to_end();
    const std::string why = "does not answer as Redis";
    std::size_t lines = 0;
    for (auto at = worker.seen().find(why); at != std::string::npos; at = worker.seen().find(why, at + 1))
        ++lines;
    BOOST_TEST(lines >= 1u, worker.seen());
    BOOST_TEST(lines <= 2u, worker.seen()); // twice a minute at most
}

BOOST_AUTO_TEST_SUITE_END()
