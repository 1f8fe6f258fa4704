// Waits for the server to say that the input changed, again and again; where it is gone, asks now and then.

/** Never ends. `onChange` is told of each new generation, `onLive` of whether the server answers. */
export async function followChanges(
  generation: () => number | undefined,
  onChange: () => void,
  onLive: (isLive: boolean) => void,
): Promise<never> {
  let known = 0
  for (;;) {
    known = Math.max(known, generation() ?? 0)
    const next = await changedSince(known)
    onLive(next !== undefined)
    if (next === undefined) await pause(2000)
    else if (known === 0 && generation() === undefined) {
      // The first reading is on its way; what it will be is not known yet.
      await pause(200)
    } else if (next !== known && next !== generation()) {
      known = next
      onChange()
    }
  }
}

async function changedSince(after: number): Promise<number | undefined> {
  try {
    const response = await fetch(`/changes?after=${after}`)
    if (!response.ok) return undefined
    const { generation } = (await response.json()) as { readonly generation: number }
    return generation
  } catch {
    return undefined
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
