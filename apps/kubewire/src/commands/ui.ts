// `kubewire ui`: a page on this machine that draws the cluster and lights up the path of a name, a connection or a URL.

import { NEVER } from 'rxjs'
import { type Command, defineCommand } from '../command.ts'
import { exitCode, UsageError } from '../exit-code.ts'
import { clusterFlags } from '../input/cluster-flags.ts'
import { dnsFlags } from '../input/dns-input.ts'
import { ingressFlags } from '../input/ingress-input.ts'
import { proxyFlags } from '../input/proxy-input.ts'
import { inputFlags, readText } from '../read-input.ts'
import type { DocumentFlags } from '../ui/cluster-document.ts'
import { type PageFile, readPageFiles } from '../ui/serve/page-files.ts'
import { readDocument } from '../ui/serve/read-document.ts'
import { type PageServer, servePage } from '../ui/serve/serve-page.ts'
import { createUiSource, type UiSource } from '../ui/serve/ui-source.ts'
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
    try {
      const server = await listen(files, source, values.port)
      const end = untilSignal()
      output.data(`${server.url}\n`)
      output.note('open it in a browser on this machine; Ctrl-C ends it\n')
      await end.signalled
      await server.close()
      end.forget()
    } finally {
      source.close()
    }
    return exitCode.fine
  },
})

async function listen(files: readonly PageFile[], source: UiSource, port: number): Promise<PageServer> {
  try {
    return await servePage(files, source, port)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new UsageError(`expected a free --port, ${port} is taken`)
    if (code === 'EACCES') throw new UsageError(`expected a --port that may be used, ${port} may not`)
    throw error
  }
}
