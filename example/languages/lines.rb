#!/usr/bin/env ruby
# SPDX-License-Identifier: MIT
# Runs many jobs in one process, for `coworker work QUEUE --lines -- ruby lines.rb`.
#
# Standard output is for answers only: one flushed line each. Everything else goes to standard error.
require "json"

def handle(job) # your work; it may run twice, so let that do no harm
  warn "hello #{job["payload"].fetch("to")}"
  {"greeted" => job["payload"]["to"]}
end

$stdout.sync = true
$stdin.each_line do |line|
  job = JSON.parse(line)
  answer =
    begin
      {"outcome" => "success", "result" => handle(job)}
    rescue => error
      {"outcome" => "retry", "message" => error.message}
    end
  puts JSON.generate({"id" => job["id"]}.merge(answer))
end
