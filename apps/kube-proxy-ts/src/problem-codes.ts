// Codes that this daemon reports beside those of the libraries.

/** Code → what it means, for the documentation. */
export const proxyProblemCodes = {
  IPT_CONFIG_TEXT: 'The configuration file cannot be read or is neither YAML nor JSON.',
  IPT_CONFIG_KIND: 'The configuration file is of another kind or version.',
  IPT_CONFIG_TYPE: 'A field of the configuration has a value of the wrong type.',
  IPT_CONFIG_FIELD: 'A field of the configuration is unknown or stands twice; it is ignored.',
  IPT_CONFIG_VALUE: 'A field of the configuration has a value that is not allowed.',
  IPT_RESTORE: 'iptables-restore refused its input; the installed rules are as before.',
  IPT_SAVE: 'iptables-save failed.',
  IPT_COMMAND: 'An iptables command failed.',
  IPT_LOCK: 'Another process holds the lock of iptables, or resources ran out.',
  IPT_MISSING: 'iptables is not installed.',
  IPT_NFT: 'nft refused a transaction; the installed table is as before.',
  IPT_NFT_MISSING: 'nft is not installed.',
  IPT_CONNTRACK: 'The conntrack tool failed.',
} as const
