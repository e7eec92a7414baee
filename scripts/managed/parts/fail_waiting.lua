-- SPDX-License-Identifier: MIT
-- uses: parts/failure_text.lua
-- uses: parts/end_failed.lua
-- uses: parts/messages.lua
-- Fails a job that has not been started and cannot be: it has expired, or is too large for being delivered, since Redis
-- would close the connection at every try, for ever. Its data stay in its hash.

-- size: in bytes, of one that is too large; nil of one that has expired.
local function fail_waiting(jid, queue, klass, holder, size)
  local group = (klass or '') .. (size and ':too-large' or ':expired')
  local message = size and 'The job has ' .. size .. ' bytes, which is more than a worker can be sent.' or
    'The job has expired before it was started.'
  publish('log', '{"message":' .. encode(message) .. ',"jid":' .. encode(jid) .. ',"group":' .. encode(group) ..
    ',"event":"failed","worker":""}')
  announce('failed', jid)
  end_failed(jid, { queue = queue, group = group, failure = failure_text(group, message, now_second, ''), by = '',
                    holder = holder or nil, waits = true })
end
