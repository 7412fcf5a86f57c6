-- For wrk: asks for menus, each connection so many times a second at most, and prints how they were answered.
-- Arguments: milliseconds between two calls of a connection, then paths.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  pause = tonumber(args[1])
  paths = {}
  for i = 2, #args do
    paths[i - 1] = args[i]
  end
  calls, whole, others = 0, 0, {}
end

function delay()
  return pause
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
