-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Published messages. Key order inside the JSON is part of the protocol.

local anything_tracked

local function is_anything_tracked()
  if anything_tracked == nil then anything_tracked = call('ZCARD', prefix .. 'tracked') > 0 end
  return anything_tracked
end

-- Of all jobs the channel `log` tells. A user who may not publish is heard by nobody. An error would leave the job
-- half done.
local function publish(channel, text)
  redis.pcall('PUBLISH', prefix .. channel, text)
end

-- False if it is known that nobody hears the channel `log`: then what is told of each
-- job of a batch need not be made (parts/listeners.lua).
local log_is_heard = true

-- Tells the channel of an event, for tracked jobs only.
local function announce(channel, jid)
  if is_anything_tracked() and call('ZSCORE', prefix .. 'tracked', jid) then publish(channel, jid) end
end
