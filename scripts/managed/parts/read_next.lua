-- SPDX-License-Identifier: MIT
-- uses: parts/options.lua
-- uses: parts/parse_names.lua
-- uses: parts/dependencies.lua
-- uses: parts/time.lua
-- Notes where a job that is completed goes next, and what it leaves behind, or says what is wrong.

-- What the job leaves: its result, kept for so many milliseconds, begins with the time at which this run ended, so that it
-- is not taken for that of a later run. A checkpoint goes, and so does what it has waited for.
local function end_with(jid, given, keep)
  if given.checkpoint == 'drop' then
    call('HDEL', job_key(jid), 'checkpoint')
    demand 'forget_waits'(jid)
  end
  -- no job may get lost where its result cannot be kept
  if keep then
    redis.pcall('SET', prefix .. 'coworker:result:' .. jid, stamp .. ' ' .. given.result, 'PX', exact(keep))
  end
end

local longest_keep = 1e15 -- Redis takes no time to live that is much longer

local function read_result(done, given)
  local keep = given.result and math.min(floor(number(given.keep) or 0), longest_keep)
  if keep and keep < 1 then
    return 'Complete(): Arg "keep" missing or not greater than 0: ' .. tostring(given.keep)
  end
  if keep and given.next then return 'Complete(): "result" cannot be used with a "next".' end
  done.leave = function() end_with(done.jid, given, keep) end
end

local function read_next(done, args)
  local given = options(args, 5)
  local delay, depends, why = number(given.delay or 0), {}, nil
  if not delay then return 'assertion failed!' end
  if given.depends then depends, why = parse_names(given.depends, 'Complete(): Arg "depends" not JSON: ') end
  if why then return why end
  if given.delay and not given.next then return 'Complete(): "delay" cannot be used without a "next".' end
  if given.depends and not given.next then return 'Complete(): "depends" cannot be used without a "next".' end
  if given.result or given.checkpoint then why = read_result(done, given) end
  if why then return why end
  done.next, done.delay, done.depends = given.next, delay, depends
  if not depends[1] then
    done.unmet = depends
    return
  end
  done.unmet, why = unmet_of(done.jid, depends)
  if why then return 'Complete(): Job ' .. done.jid .. ' cannot wait: ' .. why end
end
