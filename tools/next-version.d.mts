// Types of next-version.mjs for tests.

/** Files that name the version and are no package.json. */
export declare const versionedFiles: readonly string[]
