-- uses: parts/leave.lua
-- uses: parts/unlink.lua
-- What has to go when a job that exists is put anew.

-- Drops the dependencies that are not asked for any more. An empty list keeps the old ones.
local function narrow_dependencies(jid, depends)
  if not depends[1] then return end
  local wanted = {}
  for _, other in ipairs(depends) do wanted[other] = true end
  for _, other in ipairs(call('SMEMBERS', job_key(jid) .. '-dependencies')) do
    if not wanted[other] then unlink(jid, other) end
  end
end

-- `old` is what `leave` wants to know of it. Its tags are kept unless others are given.
local function replace(new, old)
  narrow_dependencies(new.jid, new.depends)
  leave(new.jid, old, new.worker, new.queue)
  new.tags = new.tags or stored_tags(old.tags)
end
