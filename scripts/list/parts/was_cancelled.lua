-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua
-- Runs that were cancelled must not be taken for ones whose field in `progress` a peer has overwritten or removed. The
-- sorted set `cancelled` has the SHA-1 of each such payload, by when that was, in microseconds since 1970; or by when the run
-- began, if the clock has been set back since. Its members are looked for only where a start time is not the one in
-- `progress`.

-- Whether a run of this payload with the start time `token`, which is in `progress` no more, was cancelled: any that
-- began before, also if a renewal of it was not answered.
local function was_cancelled(cancelled, payload, token)
  if redis.call('EXISTS', cancelled) == 0 then return false end
  local when = tonumber(redis.call('ZSCORE', cancelled, redis.sha1hex(payload)) or '')
  if not when then return false end
  return string.sub(token, 1, 27) <= string.format('"%s.%06d', utc(math.floor(when / 1000000)), when % 1000000)
end
