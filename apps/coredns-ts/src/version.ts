// What `-version` and the start print.

/** The version of CoreDNS whose behaviour this program has, and its own. */
export const versionText: string = `CoreDNS-1.15.0\n${process.platform}/${process.arch}, node ${process.version}, coredns-ts 0.1.0`
