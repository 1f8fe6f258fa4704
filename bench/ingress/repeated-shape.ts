// A configuration of the shape that ingress-nginx writes: everything repeated in each location. The yardstick for
// `nginx -t`; nobody's text, only its size and its sorts of directives (performance figures: 18 MB for 5,000 servers).

/** A file of `count` servers with TLS and three full locations each. */
export function repeatedShape(count: number, hostAt: (i: number) => string, pairFile: string, modules: string): string {
  const servers = Array.from({ length: count }, (_, i) => server(hostAt(i), i)).join('')
  return `load_module ${modules}/ndk_http_module.so;
load_module ${modules}/ngx_http_lua_module.so;
pid shape.pid;
events { }
http {
  server_names_hash_max_size ${2 ** Math.ceil(Math.log2(count * 2))};
  server_names_hash_bucket_size 128;
  ssl_certificate ${pairFile};
  ssl_certificate_key ${pairFile};
  upstream balancer { server 0.0.0.1; balancer_by_lua_block { ngx.exit(500) } keepalive 320; }
${servers}}
`
}

const headers = [
  ['Host', '$host'],
  ['Upgrade', '$http_upgrade'],
  ['Connection', '$http_connection'],
  ['X-Request-ID', '$request_id'],
  ['X-Real-IP', '$remote_addr'],
  ['X-Forwarded-For', '$remote_addr'],
  ['X-Forwarded-Host', '$host'],
  ['X-Forwarded-Port', '$server_port'],
  ['X-Forwarded-Proto', '$scheme'],
  ['X-Forwarded-Scheme', '$scheme'],
  ['X-Scheme', '$scheme'],
  ['X-Original-Forwarded-For', '$http_x_forwarded_for'],
  ['Proxy', '""'],
] as const

function server(host: string, i: number): string {
  return `
  server {
    server_name ${host};
    listen 18080;
    listen 18443 ssl http2;
    set $proxy_upstream_name "-";
    ssl_certificate_by_lua_block { ngx.ctx.certificate = true }
${['= /api', '/api/', '/'].map((path) => location(path, i)).join('')}  }
`
}

function location(path: string, i: number): string {
  const variables = { namespace: 'bench', ingress_name: `i${i}`, service_name: `s${i}`, service_port: '80' }
  const sets = Object.entries(variables).map(([name, value]) => `      set $${name} "${value}";\n`)
  const passed = headers.map(([name, value]) => `      proxy_set_header ${name} ${value};\n`)
  return `    location ${path} {
${sets.join('')}      set $location_path "${path.replace('= ', '')}";
      set $global_rate_limit_exceeding n;
      rewrite_by_lua_block { ngx.ctx.rewritten = true }
      header_filter_by_lua_block { ngx.ctx.filtered = true }
      log_by_lua_block { ngx.ctx.logged = true }
      port_in_redirect off;
      set $balancer_ewma_score -1;
      set $proxy_upstream_name "bench-s${i}-80";
      set $proxy_host $proxy_upstream_name;
      set $pass_access_scheme $scheme;
      set $pass_server_port $server_port;
      set $best_http_host $http_host;
      set $pass_port $pass_server_port;
      set $proxy_alternative_upstream_name "";
      client_max_body_size 1m;
${passed.join('')}      proxy_connect_timeout 5s;
      proxy_send_timeout 60s;
      proxy_read_timeout 60s;
      proxy_buffering off;
      proxy_buffer_size 4k;
      proxy_buffers 4 4k;
      proxy_max_temp_file_size 1024m;
      proxy_request_buffering on;
      proxy_http_version 1.1;
      proxy_cookie_domain off;
      proxy_cookie_path off;
      proxy_next_upstream error timeout;
      proxy_next_upstream_timeout 0;
      proxy_next_upstream_tries 3;
      proxy_pass http://balancer;
      proxy_redirect off;
    }
`
}
