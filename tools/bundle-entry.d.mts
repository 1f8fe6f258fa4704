// Types of bundle-entry.mjs for the test harness.

/** Every executable: its entry file and the folder its bundle belongs in. */
export declare const executables: Readonly<
  Record<
    'coredns-ts' | 'kube-proxy-ts' | 'ingress-ts' | 'kubewire' | 'mini-apiserver',
    { readonly entry: string; readonly out: string; readonly lua?: string; readonly page?: string }
  >
>

/** Bundles one entry file into `outDir/main.js` and returns that path. */
export declare function bundleEntry(entry: string, outDir: string, luaDir?: string): Promise<string>

/** Bundles a page for browsers into `outDir`. */
export declare function bundlePage(pageDir: string, outDir: string): Promise<void>
