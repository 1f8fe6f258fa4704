// Types of pack-packages.mjs for tests.

/** Packs what is published into a folder, which is emptied first; gives the paths of the tarballs. */
export declare function packPackages(
  outDir: string,
  which?: { readonly workspace?: string; readonly filters?: readonly string[] },
): readonly string[]

/** The pnpm that runs this process, else one that npx brings. */
export declare function pnpmCommand(words: readonly string[]): {
  readonly program: string
  readonly args: readonly string[]
}
