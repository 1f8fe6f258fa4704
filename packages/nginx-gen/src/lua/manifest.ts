// The Lua files beside this file, by the names under which they must lie in `luaDir`. This package reads no files:
// whoever runs nginx copies or points to them (`exports` of package.json: `@kubewire/nginx-gen/lua/*`).

/** Paths below the folder of `lua_package_path`, sorted. */
export const luaFiles: readonly string[] = [
  'kubewire.lua',
  'kubewire/affinity.lua',
  'kubewire/backends.lua',
  'kubewire/balancer.lua',
  'kubewire/canary.lua',
  'kubewire/certificates.lua',
  'kubewire/control.lua',
  'kubewire/drain.lua',
  'kubewire/ewma.lua',
  'kubewire/external_auth.lua',
  'kubewire/hash_key.lua',
  'kubewire/hash_ring.lua',
  'kubewire/hash_subset.lua',
  'kubewire/metrics.lua',
  'kubewire/ocsp.lua',
  'kubewire/redirect.lua',
  'kubewire/ring.lua',
  'kubewire/round_robin.lua',
  'kubewire/route.lua',
  'kubewire/routes.lua',
  'kubewire/stage_routes.lua',
  'kubewire/sticky_balanced.lua',
  'kubewire/sticky_persistent.lua',
  'kubewire/template.lua',
]
