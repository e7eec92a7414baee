-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua
-- The step of a worker that waits for jobs of a queue where most often one comes at a time: at most one job that has
-- succeeded, at most one that it takes, and nothing that makes either special. It stands before the other parts of
-- ack_and_fetch, so that Redis need not make their functions, which would cost more than the step. Leaves the same state as
-- they do, and answers shortly; or answers nothing, and has changed nothing.
local short_way = true -- tests take the long way, too

local function plain_step()
  local call, worker, token, done = redis.call, ARGV[2], ARGV[6], ARGV[8]
  local jobs, progress = KEYS[1], KEYS[2]
  if ARGV[1] == '0' or ARGV[3] == '' or ARGV[9] or token and (ARGV[5] ~= '1' or ARGV[7] ~= '1') then return end
  local waiting = redis.pcall('LLEN', jobs)
  if waiting ~= 0 and waiting ~= 1 then return end
  -- neither scheduled jobs nor attempts, duplicates, a pause, or times since when jobs can run
  if call('EXISTS', KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[15]) ~= 0 then return end
  if call('HGET', KEYS[7], worker) ~= ARGV[3] then return end
  if done and redis.pcall('HGET', progress, done) ~= token then return end
  local job, start = nil, start_time(worker)
  if waiting == 1 then
    job = call('LINDEX', jobs, '0')
    -- one that is in progress already is a duplicate
    if #job > 65536 or redis.pcall('HSETNX', progress, job, start) ~= 1 then return end
    call('LTRIM', jobs, '0', '-2')
  end
  if done then
    call('HDEL', progress, done)
    call('HINCRBY', KEYS[8], 'success', '1')
  end
  return { start, job }
end

local plain_answer = short_way and plain_step()
if plain_answer then return plain_answer end
