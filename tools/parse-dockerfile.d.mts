export type DockerfileStep =
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'copy'; readonly from: string | undefined; readonly source: string; readonly target: string }

export interface DockerfileFacts {
  readonly user: string
  readonly entrypoint: readonly string[]
  readonly cmd: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

export function parseDockerfile(text: string): {
  readonly release: string
  readonly steps: readonly DockerfileStep[]
  readonly facts: DockerfileFacts
}
