-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua
-- The step of a worker that waits for jobs of a queue where most often one comes at a time: at most one job that has
-- succeeded, at most one that it takes, and nothing that makes either special. It stands before the other parts of
-- ack_and_fetch, so that Redis need not make their functions, which would cost more than the step. Answers as they do, and
-- leaves the same state; or answers nothing, and has changed nothing.
local short_way = true -- tests take the long way, too

local function is_plain_step()
  if not short_way or ARGV[1] == '0' or ARGV[3] == '' then return false end
  local plain_acks = ARGV[9] == '0' and not ARGV[10] or ARGV[9] == '1' and ARGV[11] == '1' and not ARGV[13]
  if not plain_acks then return false end
  local waiting = redis.pcall('LLEN', KEYS[1])
  -- neither scheduled jobs nor attempts, duplicates, a pause, or times since when jobs can run
  return (waiting == 0 or waiting == 1) and redis.call('EXISTS', KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[15]) == 0
    and redis.call('HGET', KEYS[7], ARGV[2]) == ARGV[3]
end

local function plain_step()
  local jobs, progress, counters, token, done = KEYS[1], KEYS[2], KEYS[8], ARGV[10], ARGV[12]
  local job = redis.call('LINDEX', jobs, 0)
  if job and #job > 65536 then return end
  local held = redis.pcall('HMGET', progress, done or '', job or '')
  if held.err or done and held[1] ~= token or job and held[2] then return end
  if done then
    redis.call('HDEL', progress, done)
    redis.call('HINCRBY', counters, 'success', 1)
  end
  local worker = tonumber(ARGV[2])
  local start = start_time(worker)
  if job then
    redis.call('HSET', progress, job, start)
    redis.call('LTRIM', jobs, 0, -2)
  end
  return { start, worker, 0, {}, { job or nil }, {} }
end

local plain_answer = is_plain_step() and plain_step()
if plain_answer then return plain_answer end
