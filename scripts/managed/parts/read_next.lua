-- uses: parts/options.lua
-- uses: parts/parse_names.lua
-- uses: parts/dependencies.lua
-- Notes where a job that is completed goes next, or says what is wrong.
local function read_next(done, args)
  local given = options(args, 5)
  local delay, depends, why = number(given.delay or 0), {}, nil
  if not delay then return 'assertion failed!' end
  if given.depends then depends, why = parse_names(given.depends, 'Complete(): Arg "depends" not JSON: ') end
  if why then return why end
  if given.delay and not given.next then return 'Complete(): "delay" cannot be used without a "next".' end
  if given.depends and not given.next then return 'Complete(): "depends" cannot be used without a "next".' end
  done.next, done.delay, done.depends = given.next, delay, depends
  if not depends[1] then
    done.unmet = depends
    return
  end
  done.unmet, why = unmet_of(done.jid, depends)
  if why then return 'Complete(): Job ' .. done.jid .. ' cannot wait: ' .. why end
end
