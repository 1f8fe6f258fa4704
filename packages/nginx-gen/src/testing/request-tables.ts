// Facts about nginx as tables: which server, which location, what rewriting and access do. The simulator and a real
// nginx answer the same rows (here and in the repository's test/), so neither can drift from the other.

import type { RequestRow } from './request-row.ts'

/** One table: the inside of an `http` block and what it does with requests. */
export interface RequestTable {
  readonly what: string
  readonly servers: string
  readonly rows: readonly RequestRow[]
}

const answering = (name: string, names: string, more = ''): string =>
  `server { listen 80 ${more}; server_name ${names}; location / { return 200 ${name}; } location /pass { proxy_pass http://${name}; } }`

/** The tables. Who runs them answers for the upstream names and for a file `users` with user `x`, password `y`. */
export const requestTables: readonly RequestTable[] = [
  {
    what: 'which server answers',
    servers:
      answering('first', 'first.example') +
      answering('exact', 'a.example.org') +
      answering('short', '*.example.org') +
      answering('long', '*.b.example.org') +
      answering('closing', 'mail.*') +
      answering('pattern', '~^(?<user>x+)\\.test$') +
      answering('default', '_', 'default_server') +
      'server { listen 8080; location / { return 404; } }',
    rows: [
      ['a.example.org/pass', 'backend exact', 'an exact name wins over a wildcard'],
      ['A.Example.ORG:80/pass', 'backend exact', 'letter case and port of the Host header do not count'],
      ['a.example.org./pass', 'backend exact', 'a closing dot does not count'],
      ['c.example.org/pass', 'backend short', 'a leading asterisk stands for labels'],
      ['c.b.example.org/pass', 'backend long', 'of two wildcards the longer wins'],
      ['mail.example.net/pass', 'backend closing', 'a closing asterisk stands for labels'],
      ['xx.test/pass', 'backend pattern', 'an expression comes last'],
      ['unknown.example.net/pass', 'backend default', 'an unknown name goes to the default server'],
      [{ host: 'a.example.org', port: 8080 }, '404', 'the listener decides before the name'],
      [{ host: 'a.example.org', port: 81 }, 'refused', 'without a listener nobody answers'],
    ],
  },

  {
    what: 'which location answers',
    servers: `server { listen 80;
    location = /exact { proxy_pass http://exact; }
    location /pre { proxy_pass http://pre; }
    location /prefix/longer { proxy_pass http://longer; }
    location ^~ /strong { proxy_pass http://strong; }
    location ~ \\.php$ { proxy_pass http://php; }
    location ~* ^/(img|pic)/ { proxy_pass http://pictures; }
    location /dir/ { proxy_pass http://dir; }
    location /outer { location /outer/inner { proxy_pass http://inner; } proxy_pass http://outer; }
    location / { proxy_pass http://root; }
  }`,
    rows: [
      ['h/exact', 'backend exact', 'an exact location wins'],
      ['h/exact/', 'backend root', 'an exact location does not take what is longer'],
      ['h/prefix', 'backend pre', 'a prefix takes any continuation of its text'],
      ['h/prefix/longer/x', 'backend longer', 'of two prefixes the longer wins'],
      ['h/pre/a.php', 'backend php', 'an expression wins over a prefix'],
      ['h/strong/a.php', 'backend strong', '^~ keeps expressions out'],
      ['h/IMG/x', 'backend pictures', '~* ignores letter case'],
      ['h/dir', '301 http://h/dir/', 'a proxying prefix with a slash redirects from its text without one'],
      ['H.:80/dir', '301 http://h/dir/', 'the redirect names the host as nginx holds it'],
      ['h/dir?a=1', '301 http://h/dir/?a=1', 'and keeps the query'],
      ['h/outer/inner/x', 'backend inner', 'a nested location is looked for inside'],
      ['h/pre/../exact', 'backend exact', 'dots are resolved before the search'],
      ['h//exact', 'backend exact', 'doubled slashes are merged before the search'],
      ['h/%65xact', 'backend exact', 'escapes are decoded before the search'],
      ['h/../x', '400', 'a path above the root is refused'],
      ['h/a%zz', '400', 'a broken escape is refused'],
    ],
  },

  {
    what: 'rewriting',
    servers: `server { listen 80; listen 8080;
    if ($uri = /) { return 302 $scheme://$http_host/app; }
    location /old { rewrite ^/old/(.*)$ /new/$1 last; return 404; }
    location /new { proxy_pass http://new; }
    location ~* "^/api(/|$)(.*)" { rewrite "(?i)/api(/|$)(.*)" /$2 break; proxy_pass http://api; }
    location /gone { return 410; } location /away { return 302 /gone; }
    location /go { return 301 https://$host$request_uri; }
    location /loop { rewrite ^ /loop last; }
    location /query { rewrite ^ /new?a=b last; }
    location /set { set $x "$arg_q"; if ($x = yes) { return 204; } proxy_pass http://set; }
    location /part/ { proxy_pass http://part/base/; }
    location / { return 404; }
  }`,
    rows: [
      ['h/', '302 http://h/app', 'a condition of the server is seen first'],
      ['h/old/a?q=1', 'backend new /new/a?q=1', 'last starts the search again and keeps the query'],
      ['h/api/v1?q=1', 'backend api /v1?q=1', 'break stays in the location'],
      ['h/api', 'backend api /', 'an empty group is an empty text'],
      ['h/gone', '410', 'return ends the request'],
      ['h/away', '302 http://h/gone', 'a redirect to a path is made absolute'],
      [
        { host: 'h', path: '/away', port: 8080 },
        '302 http://h:8080/gone',
        'with the port where it is not the usual one',
      ],
      ['h/go?x', '301 https://h/go?x', 'variables are filled in'],
      ['h/loop', '500', 'a loop ends in an error'],
      ['h/query?c=d', 'backend new /new?a=b&c=d', 'the query is appended to the one of the replacement'],
      ['h/set?q=yes', '204', 'a variable set before is seen by a condition'],
      ['h/set?q=no', 'backend set', 'and by its absence'],
      ['h/part/x', 'backend part /base/x', 'a URI in proxy_pass replaces what the location matched'],
    ],
  },

  {
    what: 'access',
    servers: `server { listen 80; error_page 403 @denied; error_page 404 = /page; auth_basic_user_file users;
    location /list { allow 192.0.2.0/24; deny all; proxy_pass http://list; }
    location /basic { auth_basic realm; proxy_pass http://basic; }
    location /unguarded { auth_basic_user_file users; auth_basic off; proxy_pass http://unguarded; }
    location /any { satisfy any; deny all; auth_basic realm; proxy_pass http://any; }
    location /missing { return 404; }
    location = /page { return 200 page; }
    location @denied { return 418; }
  }`,
    rows: [
      [{ host: 'h', path: '/list', clientAddress: '192.0.2.7' }, 'backend list', 'an allowed address passes'],
      [{ host: 'h', path: '/list', clientAddress: '198.51.100.1' }, '418', 'a refused one gets the error page'],
      ['h/basic', '401', 'no password is refused'],
      [{ host: 'h', path: '/basic', headers: { Authorization: 'Basic eDp5' } }, 'backend basic', 'a password may pass'],
      ['h/unguarded', 'backend unguarded', 'a realm called off asks for nothing'],
      ['h/any', '401', 'with satisfy any the client may still log in'],
      [{ host: 'h', path: '/any', headers: { Authorization: 'Basic eDp5' } }, 'backend any', 'and one check is enough'],
      ['h/missing', '200', 'an error page with = takes the status of its answer'],
    ],
  },
  {
    what: 'a location that only nginx itself enters',
    servers: `server { listen 80; server_name inner.test; error_page 418 =200 /inside;
      location /inside { internal; return 200 inside; }
      location /door { return 418; }
      location /way { rewrite ^ /inside last; } }`,
    rows: [
      ['inner.test/inside', '404', 'is not there for clients'],
      ['inner.test/door', '200', 'is entered for an error page'],
      ['inner.test/way', '200', 'is entered after a rewrite'],
    ],
  },
]
