#!lua flags=no-writes
-- uses: parts/keys.lua
-- Counts the workers that hold jobs and whose connection can be looked for, other than the caller: those named
-- after it, with a colon and 16 hexadecimal digits at the end.
--
-- Every pop writes `workers`, so who declares it hears of new holders.
--
-- KEYS[1]  prefix of all keys
-- KEYS[2]  workers
-- ARGV     now worker
-- Returns  how many

if KEYS[2] ~= prefix .. 'workers' then return refuse('Holders(): key 2 must be ' .. prefix .. 'workers') end
local connection, count = ':' .. ('[0-9a-f]'):rep(16) .. '$', 0
for _, worker in ipairs(call('ZRANGE', prefix .. 'workers', 0, -1)) do
  if worker ~= args[1] and worker:find(connection) and call('ZCARD', worker_key(worker)) > 0 then
    count = count + 1
  end
end
return count
