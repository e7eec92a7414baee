-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/read_effects.lua
-- uses: ../redis/parts/command_effects.lua
-- uses: parts/finish.lua
-- Settles a job that succeeded and hands over Redis commands, those behind its six words from ARGV[at] on. Returns whether it
-- was held; why it has failed, if one of the commands cannot be carried out: then none is; and the place behind it.
local function finish_with_effects(keys, at, job)
  local list, behind = read_effects(ARGV, at + 6)
  if not list then error('the counts of effects do not fit the arguments', 0) end
  local own, flaw = {}, nil
  for _, key in ipairs(KEYS) do own[key] = true end
  local function is_reserved(key, name)
    return own[key] and not (key == keys.jobs and name == 'LPUSH') -- that is a push
  end
  look_anew()
  for _, words in ipairs(list) do flaw = flaw or explain_command(words, is_reserved) end
  if flaw then job.message = flaw end
  local held = finish(keys, ARGV[at + 1], flaw and 'failure' or 'success', job)
  if held and not flaw then
    for _, words in ipairs(list) do carry_out_command(words) end
  end
  return held, flaw, behind
end
