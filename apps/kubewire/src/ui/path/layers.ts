// Which column each card stands in: one after everything that leads to it, or the same where a wire runs down.

/** A wire, and how many columns further it leads: 1 unless given. */
export interface LayerWire {
  readonly from: string
  readonly to: string
  readonly span?: 0 | 1
}

/** Longest way from the cards that nothing leads to. A ring, which no path should have, ends the count. */
export function layersOf(ids: readonly string[], wires: readonly LayerWire[]): ReadonlyMap<string, number> {
  const layers = new Map(ids.map((id) => [id, 0]))
  for (let round = 0; round < ids.length; round++) {
    let isStable = true
    for (const { from, to, span = 1 } of wires) {
      const least = (layers.get(from) ?? 0) + span
      if ((layers.get(to) ?? 0) >= least) continue
      layers.set(to, least)
      isStable = false
    }
    if (isStable) break
  }
  return layers
}
