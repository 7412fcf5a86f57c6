-- For wrk: asks a relay for a good address with another signature each time, and prints the answers by status.
-- Each call has a connection of its own, since a relay keeps none of those it refuses.

local letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  answers = {}
  before, after = args[1]:match('^(.*%.)[%w_-]+(%.%w+)$')
end

function request()
  local signature = {}
  for i = 1, 16 do
    local at = math.random(#letters)
    signature[i] = letters:sub(at, at)
  end
  return 'GET ' .. before .. table.concat(signature) .. after .. ' HTTP/1.0\r\n\r\n'
end

function response(status)
  answers[status] = (answers[status] or 0) + 1
end

function done(summary)
  local sums = {}
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get('answers')) do
      sums[status] = (sums[status] or 0) + count
    end
  end
  local errors = summary.errors
  sums.unanswered = errors.connect + errors.read + errors.write + errors.timeout
  local parts = {}
  for status, count in pairs(sums) do
    table.insert(parts, string.format('"%s": %d', status, count))
  end
  print('answers {' .. table.concat(parts, ', ') .. '}')
end
