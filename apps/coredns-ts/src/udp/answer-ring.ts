// Room for ready answers of one socket that sends them without a copy. `dgram` sends at once while the kernel takes what it
// is given, and keeps the buffer while it does not: answers are written into slots in turn, and where some may still be
// waiting, they are copied.

import type { Socket } from 'node:dgram'

/** Longer answers take the ordinary way. */
const slotBytes = 4096
const slots = 256
/** The queue is looked at once in so many answers: what waits then can only be younger than half a turn. */
const lookEvery = slots / 2

/** Slots for the answers of a socket. */
export class AnswerRing {
  // Pages that are never written take no memory.
  private readonly memory = Buffer.alloc(slots * slotBytes)
  /** By length, then by slot. */
  private readonly views: (Buffer | undefined)[][] = Array.from({ length: slotBytes + 1 }, () => [])
  private readonly socket: Socket
  private turn = 0
  private mayWait = false

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** Where the next answer is to be written. */
  next(): Buffer {
    this.turn = (this.turn + 1) % slots
    if (this.turn % lookEvery === 0) this.mayWait = this.socket.getSendQueueCount() > 0
    return this.view(slotBytes)
  }

  /** The answer that was written there, to send. */
  written(length: number): Buffer {
    return this.mayWait ? Buffer.from(this.view(length)) : this.view(length)
  }

  /** A view of the slot; kept, because making one costs more than a ready answer. */
  private view(length: number): Buffer {
    const views = this.views[length] ?? []
    const at = this.turn * slotBytes
    const view = views[this.turn] ?? this.memory.subarray(at, at + length)
    views[this.turn] = view
    return view
  }
}
