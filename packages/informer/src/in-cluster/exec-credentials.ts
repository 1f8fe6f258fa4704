// Exec plugins of kubeconfigs: a program prints an `ExecCredential`; it runs again when that expires or is refused.
// Source: client-go `plugin/pkg/client/auth/exec`, API `client.authentication.k8s.io/v1`.

import { execFile } from 'node:child_process'
import { isAbsolute, join } from 'node:path'
import { WatchError } from '../watch-error.ts'

/** `users[].user.exec` of a kubeconfig. */
export interface ExecPlugin {
  readonly apiVersion?: string
  readonly command?: string
  readonly args?: readonly string[] | null
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null
}

/** What a plugin hands out. */
export interface ExecCredential {
  readonly token?: string
  readonly clientCertificate?: string
  readonly clientKey?: string
}

const timeoutMs = 60_000
const maxOutputBytes = 1024 * 1024
/** Credentials are renewed this long before they expire, so that no request carries one that dies on the way. */
const renewBeforeMs = 10_000

/** Runs `plugin` when needed and keeps its answer until it expires. */
export function execCredentials(
  plugin: ExecPlugin,
  directory: string,
): { credentials(): Promise<ExecCredential>; forget(): void } {
  let held: { readonly credential: ExecCredential; readonly expiresAtMs: number } | undefined
  let running: Promise<ExecCredential> | undefined
  const renew = async (): Promise<ExecCredential> => {
    const { credential, expiresAtMs } = await runPlugin(plugin, directory)
    held = { credential, expiresAtMs }
    return credential
  }
  return {
    credentials: () => {
      if (held !== undefined && Date.now() < held.expiresAtMs - renewBeforeMs) return Promise.resolve(held.credential)
      // Many watches ask at the same moment; one run serves them all.
      running ??= renew().finally(() => {
        running = undefined
      })
      return running
    },
    forget: () => {
      held = undefined
    },
  }
}

function runPlugin(
  plugin: ExecPlugin,
  directory: string,
): Promise<{ credential: ExecCredential; expiresAtMs: number }> {
  const { command = '', args, env, apiVersion = 'client.authentication.k8s.io/v1' } = plugin
  // A path with a separator counts from the kubeconfig, a bare name from $PATH (client-go).
  const program = command.includes('/') && !isAbsolute(command) ? join(directory, command) : command
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } }
  const variables = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]))
  return new Promise((resolve, reject) => {
    execFile(
      program,
      [...(args ?? [])],
      {
        timeout: timeoutMs,
        maxBuffer: maxOutputBytes,
        env: { ...process.env, ...variables, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
      },
      (error, stdout) => {
        if (error) return reject(pluginError(`the credential plugin "${command}" failed`, error))
        try {
          resolve(parseCredential(stdout, command))
        } catch (cause) {
          reject(
            cause instanceof WatchError
              ? cause
              : pluginError(`the credential plugin "${command}" printed no JSON`, undefined),
          )
        }
      },
    )
  })
}

function parseCredential(text: string, command: string): { credential: ExecCredential; expiresAtMs: number } {
  const { status } = JSON.parse(text) as { readonly status?: { readonly [key: string]: string | undefined } }
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = status ?? {}
  if (!token && !(clientCertificateData && clientKeyData)) {
    throw pluginError(`the credential plugin "${command}" gave neither a token nor a certificate`, undefined)
  }
  const expiresAtMs = expirationTimestamp ? Date.parse(expirationTimestamp) : Number.POSITIVE_INFINITY
  return {
    credential: {
      ...(token ? { token } : {}),
      ...(clientCertificateData ? { clientCertificate: clientCertificateData } : {}),
      ...(clientKeyData ? { clientKey: clientKeyData } : {}),
    },
    expiresAtMs: Number.isNaN(expiresAtMs) ? Number.POSITIVE_INFINITY : expiresAtMs,
  }
}

function pluginError(message: string, cause: unknown): WatchError {
  return new WatchError({ code: 'INF_UNAUTHORIZED', step: 'connect', message, cause })
}
