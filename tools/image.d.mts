export function buildImage(name: string, dir: string): Promise<void>

export function imageCommand(
  dir: string,
  options: {
    readonly user?: string | undefined
    readonly args: readonly string[]
    readonly environment?: { readonly [name: string]: string }
  },
): { readonly program: string; readonly args: string[] }
