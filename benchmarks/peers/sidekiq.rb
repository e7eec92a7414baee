# SPDX-License-Identifier: MIT
# Sidekiq: push_bulk, and one process with 10 threads, its default. Understands what driver.js understands.
require 'sidekiq/cli'
require 'sidekiq/launcher'
require 'json'

url, what, count, how = ARGV
count = count.to_i
Sidekiq.logger.level = Logger::ERROR
Sidekiq.options[:queues] = ['bench']
Sidekiq.options[:concurrency] = 10
Sidekiq.configure_server { |config| config.redis = { url: url } }
Sidekiq.configure_client { |config| config.redis = { url: url } }

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
def job(number) = [{ 'to' => 'ada.lovelace@example.com', 'subject' => 'Your report of last week is ready', 'number' => number }]
def push(number) = Sidekiq::Client.push('class' => 'Letter', 'queue' => 'bench', 'args' => job(number))

$tally = { lock: Mutex.new, handled: 0, count: count, samples: [], done: Queue.new, timed: how == 'latency' }

class Letter
  include Sidekiq::Worker
  def perform(job)
    sample = now - job['number']
    $tally[:lock].synchronize do
      $tally[:samples] << sample if $tally[:timed]
      $tally[:begin] ||= [now, Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)]
      $tally[:done] << now if ($tally[:handled] += 1) == $tally[:count]
    end
  end
end

case what
when 'push'
  begun = now
  case how
  when 'one' then count.times { |i| push(i) }
  when 'flight' then 10.times.map { |t| Thread.new { (count / 10).times { |i| push(t * count + i) } } }.each(&:join)
  when 'bulk'
    (0...count).each_slice(1000) { |some| Sidekiq::Client.push_bulk('class' => 'Letter', 'queue' => 'bench', 'args' => some.map { |i| job(i) }) }
  when 'paced' then count.times { sleep 0.002 + rand * 0.001; push(now) }
  end
  puts({ seconds: (now - begun) / 1e9 }.to_json)
when 'work'
  launcher = Sidekiq::Launcher.new(Sidekiq.options)
  launcher.run
  puts 'ready'
  $stdout.flush
  ended = $tally[:done].pop
  begun, cpu = $tally[:begin]
  samples = $tally[:samples].drop(count / 10).sort
  at = ->(share) { samples.empty? ? 0 : samples[[(share * samples.size).to_i, samples.size - 1].min] / 1000.0 }
  puts({ seconds: (ended - begun) / 1e9, cpu: Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - cpu,
         p50: at.(0.5), p99: at.(0.99) }.to_json)
  $stdout.flush
  exit!(0)
end
