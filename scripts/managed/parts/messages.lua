-- uses: parts/args.lua
-- Published messages. Key order inside the JSON is part of the protocol.

local anything_tracked

local function tracked(jid)
  if anything_tracked == nil then anything_tracked = call('ZCARD', prefix .. 'tracked') > 0 end
  return anything_tracked and call('ZSCORE', prefix .. 'tracked', jid)
end

-- Tells the channel of an event, for tracked jobs only.
local function announce(channel, jid)
  if tracked(jid) then call('PUBLISH', prefix .. channel, jid) end
end

local function tell_log(text)
  call('PUBLISH', prefix .. 'log', text)
end
