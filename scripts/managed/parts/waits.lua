-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- What runs of a job have waited for: sleeps, signals and ends of other jobs. All of it is in the job's hash, so it goes with
-- the job.
--
--   waits              how many of the following fields there are
--   wait:N:KIND:NAME   the Nth wait under this name of a run: until when; once it is decided, of a signal `#` and which one
--                      the run got, of a job `=` and how it ended (parts/end_of_job.lua), or `-`: not in time. KIND is
--                      sleep, signal, or job, with the jid of the other job as NAME
--   signal:K:NAME      the Kth signal NAME, as JSON; signals:NAME says how many there are, read:NAME how many of them
--                      runs have got, signal-bytes how large all are, with stored ends of jobs
--   asleep             what the job sleeps for: until when, how many signals do not wake it, N, KIND and NAME

-- So many waits, and names of signals, a job may have.
local most_waits = 1000
-- So many bytes of signals of all names together, with those that runs have got.
local most_bytes_of_signals = 1024 * 1024
-- So far ahead, in seconds, a sleep may end.
local longest_wait = 1e10

local wait_kinds = { sleep = true, signal = true, job = true }

local function wait_field(turn, kind, name)
  return 'wait:' .. turn .. ':' .. kind .. ':' .. name
end

-- The time that `when` means: `@` and a time, or seconds from now. Nil if it makes no sense.
local function time_meant(when)
  local time = number((when or ''):match('^@(.*)$'))
  local seconds = not time and number(when)
  if seconds then time = now + math.max(seconds, 0) end
  return time and math.min(time, now + longest_wait)
end

-- Adds a field to those that are counted; returns whether there was room.
local function add_wait(key, field, value)
  local count = number(call('HGET', key, 'waits')) or 0
  if count >= most_waits then return false end
  call('HSET', key, field, value, 'waits', exact(count + 1))
  return true
end
