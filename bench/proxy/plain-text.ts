// The yardstick of generation: the text for plain ClusterIP Services written straight from numbers by template literals,
// names of chains known, no model in between. It leaves out everything that makes a ruleset right.

/** Writes the text for this many Services into one buffer; answers its length in bytes. */
export function writePlainText(services: number, endpoints: number, out: Buffer): number {
  let at = 0
  for (let i = 0; i < services; i++) {
    const hash = `ABCDEFGHIJ${100_000 + i}`
    const address = `10.${96 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`
    let text = `:KUBE-SVC-${hash} - [0:0]\n-A KUBE-SERVICES -m comment --comment "ns-${i % 50}/service-${i}:http cluster IP" -m tcp -p tcp -d ${address} --dport 80 -j KUBE-SVC-${hash}\n`
    for (let j = 0; j < endpoints; j++) {
      const chain = `KUBE-SEP-${hash}${j}`
      const share =
        j === endpoints - 1 ? '' : `-m statistic --mode random --probability ${(1 / (endpoints - j)).toFixed(10)} `
      const end = `10.${200 + j}.${(i >> 8) & 255}.${i & 255}`
      text += `:${chain} - [0:0]\n-A KUBE-SVC-${hash} ${share}-j ${chain}\n-A ${chain} -s ${end} -j KUBE-MARK-MASQ\n-A ${chain} -m tcp -p tcp -j DNAT --to-destination ${end}:8080\n`
    }
    at += out.write(text, at, 'latin1')
  }
  return at
}
