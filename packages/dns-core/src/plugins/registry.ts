// The plugins in the order in which they are asked, whatever the order in the Corefile (CoreDNS plugin.cfg). The
// order is part of the behaviour: users notice what stands before what.

import type { AnyPluginDefinition, PluginDefinition } from '../plugin.ts'
import { acl } from './acl.ts'
import { any } from './any.ts'
import { auto } from './auto.ts'
import { autopath } from './autopath.ts'
import { bufsize } from './bufsize.ts'
import { cache } from './cache.ts'
import { cancel } from './cancel.ts'
import { chaos } from './chaos.ts'
import { dns64 } from './dns64.ts'
import { health, prometheus, ready, reload } from './endpoints.ts'
import { erratic } from './erratic.ts'
import { errors } from './errors.ts'
import { file } from './file.ts'
import { forward } from './forward.ts'
import { header } from './header.ts'
import { hosts } from './hosts.ts'
import { https } from './https.ts'
import { k8sExternal } from './k8s-external.ts'
import { kubernetes } from './kubernetes.ts'
import { loadbalance } from './loadbalance.ts'
import { local } from './local.ts'
import { log } from './log.ts'
import { loop } from './loop.ts'
import { metadata } from './metadata.ts'
import { minimal } from './minimal.ts'
import { multisocket } from './multisocket.ts'
import { nsid } from './nsid.ts'
import { rewrite } from './rewrite.ts'
import { bind, debug, root, timeouts, tls } from './settings.ts'
import { template } from './template.ts'
import { transfer } from './transfer.ts'
import { view } from './view.ts'
import { whoami } from './whoami.ts'

/** Every plugin we have, first asked first. */
export const pluginRegistry: readonly AnyPluginDefinition[] = [
  entry(root),
  entry(metadata), // first, so that every later plugin can read labels
  entry(cancel),
  entry(https),
  entry(timeouts),
  entry(multisocket),
  entry(reload),
  entry(nsid),
  entry(bufsize), // before everything that looks at the size of replies
  entry(bind),
  entry(debug),
  entry(ready),
  entry(health),
  entry(prometheus),
  entry(errors), // sees failures of everything below
  entry(log),
  entry(local),
  entry(dns64),
  entry(any),
  entry(chaos),
  entry(loadbalance), // shuffles after the cache, so every client sees another order
  entry(rewrite), // before the cache and so part of its keys
  entry(autopath),
  entry(acl),
  entry(cache), // above template, hosts and kubernetes
  entry(header),
  entry(tls),
  entry(minimal),
  entry(template),
  entry(transfer), // before the plugins that refuse transfers
  entry(hosts), // sees a name before kubernetes does
  entry(k8sExternal), // its zones are not the cluster's
  entry(kubernetes),
  entry(file), // what kubernetes can fall through to starts here
  entry(auto),
  entry(loop),
  entry(forward),
  entry(erratic),
  entry(whoami),
  entry(view), // only asked which block is meant
]

// biome-ignore format: a list of words
/** Plugins of the original that we know and do not have; a Corefile that uses one is refused by name. */
export const unsupportedPlugins: readonly string[] = [
  'geoip', 'proxyproto', 'quic', 'grpc_server', 'https3', 'trace', 'pprof', 'shed', 'dnstap',
  'siit', 'tsig', 'dynupdate', 'dnssec', 'route53', 'azure', 'clouddns', 'secondary', 'etcd',
  'grpc', 'on', 'sign', 'nomad',
]

function entry<C>(definition: PluginDefinition<C>): AnyPluginDefinition {
  return definition as unknown as AnyPluginDefinition
}
