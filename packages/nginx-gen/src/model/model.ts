// The translated model: everything the configuration and the data plane are made of, and nothing of Kubernetes else.

import type { ExtendedOptions } from '../annotations/extended-options.ts'
import type { Settings } from '../settings/registry.ts'
import type { Backend } from './backend.ts'
import type { FeatureValues } from './location.ts'
import type { Server, WwwRedirect } from './server.ts'
import type { StreamService } from './stream.ts'
import type { ConfigFile, TlsModel } from './tls.ts'

/** Result of `translateIngresses`: plain data, equal input gives equal output. */
export interface Model {
  readonly options: ExtendedOptions
  readonly settings: Settings
  readonly global: GlobalFeatures
  /** What a location has that no annotation changes. */
  readonly defaults: FeatureValues
  /** Values of an Ingress without annotations; the built-in location lacks some defaults of the ConfigMap. */
  readonly plain: FeatureValues
  readonly servers: readonly Server[]
  readonly wwwRedirects: readonly WwwRedirect[]
  readonly backends: readonly Backend[]
  readonly tls: TlsModel
  readonly stream: readonly StreamService[]
  readonly streamSnippets: readonly string[]
  readonly files: readonly ConfigFile[]
}

/** What ConfigMaps named by settings contain. */
export interface GlobalFeatures {
  /** `proxy-set-headers`: request headers for every backend. */
  readonly requestHeaders: readonly (readonly [name: string, value: string])[]
  /** `add-headers`: headers of every response. */
  readonly responseHeaders: readonly (readonly [name: string, value: string])[]
  /** Name of a file of `Model.files` with the parameters of `ssl-dh-param`. */
  readonly dhParamFile: string | undefined
  /** Name of a file of `Model.files` with the session ticket key (base64 text of the setting, decoded by the daemon). */
  readonly ticketKeyFile: string | undefined
}
