-- SPDX-License-Identifier: MIT
-- uses: parts/options.lua
-- The settings of a limit.

-- By name: the least and the largest value that makes sense.
local bounds = { max = { 0, 1e9 }, rate = { 0, 1e9 }, period = { 0.001, 1e8 }, burst = { 1, 1e9 } }

-- From name and value of each, as JSON; nil if none is given; nil and what is wrong.
local function one_limit(list)
  local set, texts = options(list, 2), {}
  for _, name in ipairs({ 'max', 'rate', 'period', 'burst' }) do
    local value, bound = set[name], bounds[name]
    if value then
      local read = number(value)
      if not read or read < bound[1] or read > bound[2] or name ~= 'period' and read % 1 ~= 0 then
        return nil, 'LimitSet(): Arg "' .. name .. '" not a number from ' .. bound[1] .. ' to ' .. bound[2] .. ': ' .. value
      end
      texts[#texts + 1] = '"' .. name .. '":' .. exact(read)
      set[name] = nil
    end
  end
  local unknown = next(set)
  if unknown then return nil, 'LimitSet(): Unknown setting "' .. unknown .. '"' end
  return texts[1] and '{' .. table.concat(texts, ',') .. '}'
end
