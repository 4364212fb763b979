-- One round of load with wrk. Arguments: a file with the requests, apart by NUL, which are sent by turns; what the
-- keys of this round begin with; how many requests a second, 0 for as many as the connections can.
local ffi = require("ffi")
ffi.cdef("struct timeval { long seconds, micros; }; int gettimeofday(struct timeval *, void *);")
local requests, sent, prefix = {}, 0, ""

function init(arguments)
  local file, rate = assert(io.open(arguments[1], "rb")), tonumber(arguments[3])
  for request in file:read("*a"):gmatch("[^%z]+") do
    requests[#requests + 1] = request
  end
  prefix = arguments[2]
  if rate > 0 then
    delay = pacer(rate)
  end
end

-- Milliseconds until the next request may go: an even stream with some jitter, whichever connection is free.
function pacer(rate)
  local time, due = ffi.new("struct timeval"), 0
  return function()
    ffi.C.gettimeofday(time, nil)
    local now = tonumber(time.seconds) + tonumber(time.micros) / 1e6
    due = math.max(due, now) + (0.5 + math.random()) / rate
    return (due - now) * 1000
  end
end

-- Every enquiry has a key of its own.
function request()
  sent = sent + 1
  return (requests[sent % #requests + 1]:gsub("{key}", prefix .. sent))
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  local rate, p99 = summary.requests / summary.duration * 1e6, latency:percentile(99) / 1000
  print(string.format('{"all": %d, "rate": %f, "p99": %f, "failed": %d}', summary.requests, rate, p99, failed))
end
