# SPDX-License-Identifier: MIT
# Sidekiq, run by its own program: `sidekiq -r sidekiq.rb -q chaos -c CONCURRENCY`, with URL and RECORD in the environment.
# `ruby sidekiq.rb push URL` pushes. Reliable fetching and pushing are in Sidekiq Pro, which is not free.
require 'sidekiq'
require 'json'

url = ENV.fetch('CHAOS_URL') { ARGV[1] }
Sidekiq.configure_server { |config| config.redis = { url: url } }
Sidekiq.configure_client { |config| config.redis = { url: url } }

module Record
  RECORD = ENV['CHAOS_RECORD']
  LINES = RECORD && File.open(RECORD, File::WRONLY | File::APPEND | File::CREAT)

  def self.write(what, job)
    LINES.syswrite("#{Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)} #{Process.pid} #{what} #{job}\n")
  end

  def self.first? # only the first run blocks
    File.open("#{RECORD}.blocked", File::WRONLY | File::CREAT | File::EXCL).close
    true
  rescue Errno::EEXIST
    false
  end
end

class ChaosJob
  include Sidekiq::Worker
  sidekiq_options queue: 'chaos'

  def perform(job)
    Record.write('began', job['id'])
    # Its threads take turns; one that computes has the interpreter's lock but for short moments.
    if job['block'].positive? && Record.first?
      ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + job['block'] / 1000.0
      nil while Process.clock_gettime(Process::CLOCK_MONOTONIC) < ends
    end
    sleep job['ms'] / 1000.0
    Record.write('ended', job['id'])
  end
end

if ARGV[0] == 'push'
  $stdin.each_line { |line| ChaosJob.perform_async(JSON.parse(line)) }
else
  Sidekiq.configure_server { |config| config.on(:startup) { Record.write('ready', '-') } }
end
