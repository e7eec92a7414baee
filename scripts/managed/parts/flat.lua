-- SPDX-License-Identifier: MIT
-- uses: parts/take.lua
-- Jobs that were taken as one flat list of texts, which is cheap to make and to read.

-- Ten texts per job: jid klass data priority retries remaining expires tags failure spawned_from_jid; the
-- last two are empty where there is none. Behind that, if any has options of coworker's own: numbers of jobs, each with
-- its options.
local function flat(taken)
  local reply, size, jids, expires, options = {}, 0, taken.jids, taken.expires, nil
  for place, job in ipairs(taken.jobs) do
    reply[size + 1], reply[size + 2], reply[size + 3] = jids[place], job[1] or '', job[2] or ''
    reply[size + 4], reply[size + 5], reply[size + 6] = job[3] or '0', job[5] or '0', job[6] or '0'
    reply[size + 7] = expires
    reply[size + 8], reply[size + 9], reply[size + 10] = job[4] or '{}', job[7] or '', job[8] or ''
    size = size + 10
    if job[12] then
      options = options or {}
      options[#options + 1], options[#options + 2] = place, job[12]
    end
  end
  return reply, options
end
