-- SPDX-License-Identifier: MIT
-- uses: parts/leave_queue.lua
-- uses: parts/end_failed.lua
-- Fails a job that has not been started and cannot be: it has expired, or is too large for being delivered, since Redis
-- would close the connection at every try, for ever. Its data stay in its hash.

-- size: in bytes, of one that is too large; nil of one that has expired.
local function fail_waiting(jid, queue, klass, holder, size)
  local group = (klass or '') .. (size and ':too-large' or ':expired')
  local message = size and 'The job has ' .. size .. ' bytes, which is more than a worker can be sent.' or
    'The job has expired before it was started.'
  end_failed(jid, { queue = queue, group = group, message = message, by = '', holder = holder, waits = leave_queue })
end
