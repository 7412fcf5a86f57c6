-- For wrk, with one thread: asks for menus, so many times a second over all connections, and prints how they were answered.
-- Arguments: calls a second, then paths.

local ffi = require('ffi')
ffi.cdef [[
  typedef struct { long seconds; long nanoseconds; } moment;
  int clock_gettime(int clock, moment *now);
]]
local MONOTONIC = 1

local moment = ffi.new('moment')
local function nowMs()
  ffi.C.clock_gettime(MONOTONIC, moment)
  return tonumber(moment.seconds) * 1000 + tonumber(moment.nanoseconds) / 1e6
end

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  everyMs = 1000 / tonumber(args[1])
  nextMs = nowMs()
  paths = {}
  for i = 2, #args do
    paths[i - 1] = args[i]
  end
  calls, whole, others = 0, 0, {}
end

-- Calls that no connection was free for are made up for, but not for longer than a second.
function delay()
  local now = nowMs()
  nextMs = math.max(nextMs + everyMs, now - 1000)
  return math.max(0, math.floor(nextMs - now))
end

function request()
  calls = calls + 1
  return wrk.format('GET', paths[calls % #paths + 1])
end

-- A fault is HTTP 200 too, with its status in the document.
function response(status, headers, body)
  if status == 200 and body:find('<status>200</status>', 1, true) then
    whole = whole + 1
  else
    others[status] = (others[status] or 0) + 1
  end
end

function done(summary)
  local whole, other = 0, 0
  for _, thread in ipairs(threads) do
    whole = whole + thread:get('whole')
    for _, count in pairs(thread:get('others')) do
      other = other + count
    end
  end
  local errors = summary.errors
  local unanswered = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format('menus {"whole": %d, "other": %d, "unanswered": %d, "seconds": %.1f}',
    whole, other, unanswered, summary.duration / 1e6))
end
