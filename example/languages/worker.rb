#!/usr/bin/env ruby
# SPDX-License-Identifier: MIT
# A worker in Ruby, with the standard library only: runs jobs of a queue of coworker's HTTP gateway.
#
#   worker.rb http://localhost:8080/v1/queues/managed:mail [how many jobs to run; default: for ever]
require "json"
require "net/http"
require "socket"
require "timeout"

$queue, left = ARGV[0], (ARGV[1] || Float::INFINITY).to_f
$headers = { "Content-Type" => "application/json", "Authorization" => "Bearer #{ENV["COWORKER_TOKEN"]}" }

def post(what, body)
  uri = URI("#{$queue}/#{what}")
  options = { use_ssl: uri.scheme == "https", read_timeout: 90 }
  answer = Net::HTTP.start(uri.host, uri.port, **options) { |http| http.post(uri.path, body.to_json, $headers) }
  [answer.code.to_i, JSON.parse(answer.body)]
end

def handle(job) # your work; it may run twice, so let that do no harm
  sleep job["payload"].fetch("seconds", 0)
  puts "hello #{job["payload"]["to"]}"
end

def over?(ended, seconds)
  Timeout.timeout(seconds) { ended.pop }
rescue Timeout::Error
  false
end

def renew_until(ended, job) # the lease ends if this is not done in time: then another worker gets the job
  until over?(ended, job["lease_seconds"] / 3.0)
    status, answer = post("renew", { token: job["token"] }) rescue next # tried again, as long as the lease lasts
    job.merge!(answer) if status == 200
    return warn("lost #{job["id"]}") if status == 409 # handle goes on in vain
  end
end

$stdout.sync = true
begin
  while left > 0
    status, answer = post("take", { worker: "#{Socket.gethostname}-#{Process.pid}", wait: "20s" })
    abort answer["detail"] if status != 200
    answer["jobs"].each do |job|
      ended = Queue.new
      renewing = Thread.new { renew_until(ended, job) }
      begin
        handle(job)
        outcome = { outcome: "success" }
      rescue SignalException # Ctrl-C or SIGTERM: the job runs again at once, elsewhere
        outcome, left = { outcome: "release" }, 0
      rescue StandardError => error
        outcome = { outcome: "retry", message: error.message }
      end
      ended << true
      renewing.join # a renewal that is under way brings the token that is valid then
      status, answer = post("acknowledge", { token: job["token"], **outcome })
      warn "#{job["id"]}: #{answer["detail"]}" if status != 200
      left -= 1
    end
  end
rescue SignalException
  # no job runs
end
