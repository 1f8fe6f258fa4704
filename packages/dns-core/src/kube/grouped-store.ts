// Objects by their key, with groups: by service, by address. Small enough to have no index that nobody asks for.

/** A keyed set of values, each in any number of groups. */
export class GroupedStore<T> {
  private readonly values = new Map<string, T>()
  private readonly groups = new Map<string, Set<T>>()
  private readonly groupsOf: (value: T) => readonly string[]

  constructor(groupsOf: (value: T) => readonly string[]) {
    this.groupsOf = groupsOf
  }

  get(key: string): T | undefined {
    return this.values.get(key)
  }

  all(): Iterable<T> {
    return this.values.values()
  }

  /** The values of a group; empty when there are none. */
  group(name: string): Iterable<T> & { readonly size: number } {
    return this.groups.get(name) ?? nothing
  }

  /** Puts a value in place of the one with this key; `undefined` removes it. */
  set(key: string, value: T | undefined): void {
    const before = this.values.get(key)
    if (before !== undefined) {
      for (const name of this.groupsOf(before)) {
        const group = this.groups.get(name)
        group?.delete(before)
        if (group?.size === 0) this.groups.delete(name)
      }
      this.values.delete(key)
    }
    if (value === undefined) return
    this.values.set(key, value)
    for (const name of this.groupsOf(value)) {
      const group = this.groups.get(name)
      if (group === undefined) this.groups.set(name, new Set([value]))
      else group.add(value)
    }
  }
}

const nothing: Set<never> = new Set()
