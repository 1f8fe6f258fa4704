// All ConfigMap keys: one line per area. The type of the settings is inferred from the areas.

import { type AuthSettings, authSettings } from './auth.ts'
import { type CompressionSettings, compressionSettings } from './compression.ts'
import type { SettingTable } from './define.ts'
import { type ExtraSettings, extraSettings } from './extras.ts'
import { type HeaderSettings, headerSettings } from './headers.ts'
import { type LoggingSettings, loggingSettings } from './logging.ts'
import { type ProxySettings, proxySettings } from './proxy.ts'
import { type SecuritySettings, securitySettings } from './security.ts'
import { type TlsSettings, tlsSettings } from './tls.ts'
import { type WorkerSettings, workerSettings } from './workers.ts'

/** Values of all keys, read under their ConfigMap name. */
export interface Settings
  extends AuthSettings,
    CompressionSettings,
    ExtraSettings,
    HeaderSettings,
    LoggingSettings,
    ProxySettings,
    SecuritySettings,
    TlsSettings,
    WorkerSettings {}

/** Every key in the order its directives are written. */
export const settings: SettingTable<Settings> = {
  ...workerSettings,
  ...loggingSettings,
  ...compressionSettings,
  ...headerSettings,
  ...proxySettings,
  ...tlsSettings,
  ...authSettings,
  ...securitySettings,
  ...extraSettings,
}
