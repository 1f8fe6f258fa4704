// `kubewire ui`: a page on this machine that draws the cluster and lights up the path of a name, a connection or a URL.

import { NEVER } from 'rxjs'
import { clusterFlags } from '../cluster-flags.ts'
import { type Command, defineCommand } from '../command.ts'
import { dnsFlags } from '../dns-input.ts'
import { exitCode, UsageError } from '../exit-code.ts'
import { ingressFlags } from '../ingress-input.ts'
import { proxyFlags } from '../proxy-input.ts'
import { inputFlags, readText } from '../read-input.ts'
import type { DocumentFlags } from '../ui/cluster-document.ts'
import { readPageFiles } from '../ui/serve/page-files.ts'
import { readDocument } from '../ui/serve/read-document.ts'
import { servePage } from '../ui/serve/serve-page.ts'
import { createUiSource } from '../ui/serve/ui-source.ts'
import { watchPaths } from '../ui/serve/watch-paths.ts'
import { untilSignal } from '../up/until-signal.ts'

const { node: _chosenInThePage, ...clusterWide } = proxyFlags

const flags = {
  ...inputFlags,
  ...clusterFlags,
  ...dnsFlags,
  ...ingressFlags,
  ...clusterWide,
  port: { kind: 'int', default: 0, help: 'port on 127.0.0.1; default: any free one' },
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: '[-f FILE] [flags]',
  flags,
  run: async ({ values, output }) => {
    if (values.port < 0 || values.port > 65_535)
      throw new UsageError(`expected --port from 0 to 65535, found ${values.port}`)
    const files = await readPageFiles()
    const isCluster = values.filename.length === 0
    const documentFlags: DocumentFlags = {
      ingress: values,
      'cluster-cidr': values['cluster-cidr'],
      'masquerade-all': values['masquerade-all'],
      ...(values.corefile === ''
        ? {}
        : { corefile: { text: await readText(values.corefile, output), fileName: values.corefile } }),
    }
    const source = await createUiSource({
      read: () => readDocument(values, documentFlags, output),
      changes: isCluster ? NEVER : await watchPaths(values.filename, values.recursive),
      isAlwaysRead: isCluster,
    })
    const end = untilSignal()
    const server = await servePage(files, source, values.port).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') throw new UsageError(`expected a free --port, ${values.port} is taken`)
      if (error.code === 'EACCES') throw new UsageError(`expected a --port that may be used, ${values.port} may not`)
      throw error
    })
    output.data(`${server.url}\n`)
    output.note('open it in a browser on this machine; Ctrl-C ends it\n')
    await end.signalled
    source.close()
    await server.close()
    end.forget()
    return exitCode.fine
  },
})
