// Before the command line is packed: its bundle, and those of the daemons that `kubewire up` starts.

import { bundleEntry, bundlePage, executables } from './bundle-entry.mjs'

const daemons = ['coredns-ts', 'kube-proxy-ts', 'ingress-ts']

const { entry, out, page } = executables.kubewire
await bundleEntry(entry, out)
if (page !== undefined) await bundlePage(page, `${out}/ui`)
for (const name of daemons) {
  const { entry, lua } = executables[name]
  await bundleEntry(entry, `apps/kubewire/daemons/${name}`, lua)
}
