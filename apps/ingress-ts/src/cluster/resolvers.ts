// Name servers of the host, for names that nginx itself looks up (auth-url, mirror-target). Without them such a name is an
// error at each request. Source: resolv.conf(5); ingress-nginx 1.15 internal/net/dns.

import { parseIp } from '@kubewire/kube-model'

/** Addresses of the `nameserver` lines as nginx's `resolver` takes them; those with a zone cannot be written there. */
export function resolversOf(resolvConf: string): readonly string[] {
  const addresses = resolvConf.split('\n').flatMap((line) => {
    const address = /^\s*nameserver\s+(\S+)/.exec(line)?.[1]
    const ip = address === undefined ? undefined : parseIp(address)
    return ip === undefined ? [] : [ip.text.includes(':') ? `[${ip.text}]` : ip.text]
  })
  return [...new Set(addresses)]
}
