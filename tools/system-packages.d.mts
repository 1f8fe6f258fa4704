// Types of system-packages.mjs for its test.

/** Debian 12 package → what needs it. */
export declare const systemPackages: ReadonlyMap<string, string>
