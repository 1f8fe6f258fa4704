-- Certificates by SNI: host → id in one dictionary, id → PEM in another. Ids are content hashes, so what a worker
-- parsed once stays right. Without an entry the certificate on disk is served.

local lrucache = require("resty.lrucache")
local ocsp = require("kubewire.ocsp")
local ssl = require("ngx.ssl")

local pems = ngx.shared.certificate_data
local hosts = ngx.shared.certificate_servers

local parsed = lrucache.new(2000)

local _M = {}

local function id_of(host)
  host = host:lower():gsub("%.$", "")
  return hosts:get(host) or hosts:get((host:gsub("^[^.]+", "*", 1)))
end

-- What is known of hosts that were asked for, while the pushed data is of this version.
local registered, registered_version, registered_count = {}, nil, 0
-- Clients choose the names.
local most_hosts = 10000

-- Whether a certificate is registered for the host, the default one included; `version` is that of the pushed data.
function _M.is_registered(host, version)
  if not host then
    return false
  end
  if version ~= registered_version or registered_count >= most_hosts then
    registered, registered_version, registered_count = {}, version, 0
  end
  local known = registered[host]
  if known == nil then
    known = id_of(host) ~= nil
    registered[host] = known
    registered_count = registered_count + 1
  end
  return known
end

local function load(id)
  local pair = parsed:get(id)
  if pair then
    return pair
  end
  local pem = pems:get(id)
  if not pem then
    return nil
  end
  local chain, chain_err = ssl.parse_pem_cert(pem)
  local key, key_err = ssl.parse_pem_priv_key(pem)
  if not chain or not key then
    ngx.log(ngx.ERR, "certificate ", id, " cannot be used: ", chain_err or key_err)
    return nil
  end
  pair = { chain = chain, key = key }
  parsed:set(id, pair)
  return pair
end

-- Sets the certificate of this handshake for the name that the client asks for; leaves the one on disk where none is
-- registered. With `staples` the answer of its OCSP responder goes along, which the hello is too early for.
function _M.choose(name, staples)
  local id = name and id_of(name)
  if not id or id == "default" then
    return
  end
  local pair = load(id)
  if not pair then
    return
  end
  ssl.clear_certs()
  local ok, err = ssl.set_cert(pair.chain)
  if ok then
    ok, err = ssl.set_priv_key(pair.key)
  end
  if not ok then
    ngx.log(ngx.ERR, "certificate ", id, " cannot be set: ", err)
    return ngx.exit(ngx.ERROR)
  end
  if staples then
    ocsp.staple(id, pems:get(id))
  end
end

return _M
