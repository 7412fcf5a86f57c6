-- Menus for radios from this machine's memory, the same bytes that Longwave itself would have sent: docs/operations.md, "The edge".
--
-- The first menu of a caller is passed on, and Longwave tells beside its answer of which class the caller is and what goes
-- into its links (X-Longwave-Caller). For half a minute its next menus are then put together here: a template that all callers of the
-- class share, kept for seconds, with the caller's own parameters in its holes. What is not understood to the letter is passed on.
local zlib = require 'zlib'
local lrucache = require 'resty.lrucache'

local edge = {}
local callers, menus = ngx.shared.longwave_callers, ngx.shared.longwave_menus

-- How long menus are shown while Longwave does not answer, and while one call asks for a newer one.
local AWAY_SECONDS = 600
local UPDATING_SECONDS = 5
-- Longer than what was told of a caller counts: who saved something is passed on until then.
local CHANGED_SECONDS = 40
local MAX_ADDRESS, MAX_PARAMS, MAX_HEADER = 2000, 24, 200
local WORTH_COMPRESSING = 1024

local PATHS = {
  ['/Browse.ashx'] = '/Browse.ashx',
  ['/browse.ashx'] = '/Browse.ashx',
  ['/Index.aspx'] = '/Index.aspx',
  ['/index.aspx'] = '/Index.aspx',
}
-- In the order of the key. All other parameters are the caller's, or mean nothing to a menu.
local MENU_PARAMS = { 'c', 'id', 'filter', 'offset', 'pivot', 'detail', 'render' }
local IS_MENU_PARAM = {}
for _, name in ipairs(MENU_PARAMS) do IS_MENU_PARAM[name] = true end

-- Templates taken apart, for a second: two workers need not agree on less.
local parsed = assert(lrucache.new(500))

-- The parameters of the menu, each at most once and of plain characters, and those of the caller as they were sent.
local function read_query(query)
  local own, asked, count = {}, {}, 0
  for pair in query:gmatch('[^&]+') do
    count = count + 1
    local name, value = pair:match('^([%w_]+)=(.*)$')
    if not name or count > MAX_PARAMS then return end
    local lower = name:lower()
    if not IS_MENU_PARAM[lower] then
      own[#own + 1] = pair
    elseif asked[lower] or not value:find('^[%w_:,.-]+$') then
      return
    else
      asked[lower] = value
    end
  end
  return asked, table.concat(own, '&')
end

-- What a request asks for, as two keys, or nothing: the menu, and who asks with all that its class may depend on.
local function read_call()
  local var = ngx.var
  local address = var.request_uri
  local mark = address:find('?', 1, true)
  local path = PATHS[mark and address:sub(1, mark - 1) or address]
  if not path or #address > MAX_ADDRESS or ngx.req.get_method() ~= 'GET' or ngx.req.http_version() > 1.1 then return end
  if var.http_content_length or var.http_transfer_encoding then return end
  local asked, own = read_query(mark and address:sub(mark + 1) or '')
  if not asked then return end
  local languages, forwarded = var.http_accept_language or '', var.http_x_forwarded_for or ''
  if #languages > MAX_HEADER or #forwarded > MAX_HEADER then return end
  local menu = { path, '?' }
  for _, name in ipairs(MENU_PARAMS) do
    if asked[name] then menu[#menu + 1] = name .. '=' .. asked[name] .. '&' end
  end
  local caller = table.concat({ var.scheme, var.longwave_host, languages, var.remote_addr, forwarded, own }, '\n')
  return { menu = table.concat(menu), caller = caller }
end

-- What is kept instead of a template: there is none, or another one for each cell of the map.
local NOTHING, NEARBY = '', 'nearby'

-- Lines `Name: value`, an empty line, and the document with a hole (\1) wherever a caller's parameters go.
local function parse(text)
  if text == NOTHING or text == NEARBY then return text end
  local head_end = text:find('\n\n', 1, true)
  local menu = { headers = {}, parts = {} }
  for name, value in text:sub(1, head_end):gmatch('([^:\n]+): ([^\n]*)\n') do menu.headers[name] = value end
  menu.is_xml = menu.headers['Content-Type']:find('xml', 1, true) ~= nil
  local from = head_end + 2
  while true do
    local hole = text:find('\1', from, true)
    menu.parts[#menu.parts + 1] = text:sub(from, hole and hole - 1)
    if not hole then return menu end
    from = hole + 1
  end
end

local function parsed_for_now(key, text)
  local menu = parse(text)
  parsed:set(key, menu, 1)
  return menu
end

-- Longwave did not answer. One call in five seconds finds out whether it still does not; the others do not wait for that.
local function note_away() callers:set('away', true, 3 * UPDATING_SECONDS) end
local function is_away() return callers:get('away') and not callers:add('trying', true, UPDATING_SECONDS) end

-- Asks Longwave for a template; an unreachable one leaves what there was.
local function fetch(key, text)
  local path, query = key:match('^([^?]+)%?(.*)$')
  local answer = ngx.location.capture('/longwave-template' .. path, { args = query })
  if answer.status == 502 or answer.status == 504 then note_away() end
  local seconds = tonumber((answer.header['Cache-Control'] or ''):match('^public, max%-age=(%d+)$'))
  local found = ({ [200] = answer.body, [404] = NOTHING, [409] = NEARBY })[answer.status]
  if not seconds or not found or answer.truncated then return text end
  menus:set(key, found, seconds + AWAY_SECONDS, ngx.time() + seconds)
  return found
end

-- A template, or why there is none; nil if Longwave does not say. One call asks; the others go on with what was there, or wait a moment where there was nothing.
local function template(key, away)
  local known = parsed:get(key)
  if known ~= nil then return known end
  local text, fresh_until = menus:get(key)
  local now = ngx.time()
  if text and (away or fresh_until > now) then return parsed_for_now(key, text) end
  if away then return end
  local lock = 'asking ' .. key
  local is_first = menus:add(lock, true, UPDATING_SECONDS)
  if not is_first and text and fresh_until + UPDATING_SECONDS > now then return parse(text) end
  for _ = 1, (is_first or text) and 0 or 25 do
    ngx.sleep(0.02)
    text = menus:get(key)
    if text then return parse(text) end
  end
  text = fetch(key, text)
  if is_first then menus:delete(lock) end
  return text and parse(text)
end

-- As Longwave decides it.
local WANTS_GZIP = [[(?:^|[,\s])gzip\s*(?:,|$|;\s*q=(?:1|0\.0{0,2}[1-9]))]]

local function send(menu, suffix)
  local header = ngx.header
  local body = table.concat(menu.parts, menu.is_xml and suffix:gsub('&', '&amp;') or suffix)
  for name, value in pairs(menu.headers) do header[name] = value end
  if ngx.var.http_origin then header['Access-Control-Allow-Origin'] = '*' end
  local accepted = ngx.var.http_accept_encoding
  if accepted and #body >= WORTH_COMPRESSING and ngx.re.find(accepted, WANTS_GZIP, 'ijo') then
    body = zlib.deflate(1, 31)(body, 'finish')
    header['Vary'] = 'Accept-Encoding'
    header['Content-Encoding'] = 'gzip'
  end
  -- Radios exist that can read no chunks.
  header['Content-Length'] = #body
  ngx.print(body)
  return ngx.exit(ngx.HTTP_OK)
end

-- What Longwave told of the caller, and until when that counts.
local function known_caller(call)
  local told, fresh_until = callers:get(call.caller)
  if not told then return end
  local suffix, class = told:match('^(%S+) (%S+)$')
  return { suffix = suffix == '-' and '' or suffix, class = class, is_fresh = fresh_until > ngx.time() }
end

-- The last part of a class is the cell of the map, which most menus do not ask for.
local function answer_from_memory(call, caller, away)
  local menu = template(call.menu .. 'for=' .. caller.class:gsub('[^;]*$', '') .. '?', away)
  if menu == NEARBY then menu = template(call.menu .. 'for=' .. caller.class, away) end
  if menu and menu ~= NOTHING then return send(menu, caller.suffix) end
end

local function changed_mark() return 'changed ' .. ngx.var.remote_addr .. ' ' .. (ngx.var.http_x_forwarded_for or '') end

-- In the access phase: answers, or lets the request go on to Longwave.
function edge.answer()
  local call = read_call()
  if not call then
    local method = ngx.req.get_method()
    local is_reading = (method == 'GET' or method == 'HEAD') and not ngx.var.uri:lower():find('preset', 1, true)
    -- Who saves something sees it in the next list.
    if not is_reading then callers:set(changed_mark(), true, CHANGED_SECONDS) end
    return
  end
  if callers:get(changed_mark()) then return end
  ngx.ctx.caller = call.caller
  local caller = known_caller(call)
  if not caller then return end
  local away = is_away()
  if caller.is_fresh or away then return answer_from_memory(call, caller, away) end
end

-- In the header filter: keeps what Longwave told of the caller, which nobody else is told.
function edge.learn()
  if ngx.var.upstream_status then callers:delete('away') end
  local told = ngx.header['X-Longwave-Caller']
  if not told then return end
  ngx.header['X-Longwave-Caller'] = nil
  local seconds, suffix, class = told:match('^(%d+) ([%w&=%%.~!*(),:{}_-]+) ([%w:/;,._%[%]-]+)$')
  local caller = ngx.ctx.caller
  if not seconds or not caller then return end
  callers:set(caller, suffix .. ' ' .. class, seconds + AWAY_SECONDS, ngx.time() + seconds)
end

-- Instead of an answer that did not come: menus go on for those who were here before.
function edge.away()
  local call = read_call()
  -- Of menus alone: what else a caller sends may be what an answer did not come to.
  if call then note_away() end
  local caller = call and known_caller(call)
  if caller then answer_from_memory(call, caller, true) end
  ngx.status = 503
  ngx.header['Content-Type'] = 'text/plain; charset=utf-8'
  ngx.header['Retry-After'] = 5
  ngx.header['Cache-Control'] = 'private, no-cache, no-store'
  local text = 'The directory does not answer; try again in a few seconds\n'
  ngx.header['Content-Length'] = #text
  ngx.print(text)
end

return edge
