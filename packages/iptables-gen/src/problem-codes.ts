// Codes of the problems that this package reports. A code never changes its meaning.

/** Code → what it means, for the documentation. */
export const problemCodes = {
  IPT_SAVE_LINE: 'A line of an iptables-save text is neither a chain nor a rule.',
  IPT_SAVE_TABLE: 'An iptables-save text names a table that iptables does not have.',
  IPT_SERVICE_NAME: 'A Service, namespace or port name is none that the API server would accept.',
  IPT_SERVICE_ADDRESS: 'An address of a Service does not parse.',
  IPT_SERVICE_PORT: 'A port number of a Service is outside 1 to 65535, or its protocol is unknown.',
  IPT_SOURCE_RANGE: 'A load balancer source range is no prefix.',
  IPT_ENDPOINT_ADDRESS: 'An endpoint address does not parse or is of another family than its slice.',
  IPT_ENDPOINT_PORT: 'A port of an EndpointSlice is outside 1 to 65535, or its protocol is unknown.',
} as const
