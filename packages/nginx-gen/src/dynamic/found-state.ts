// The state of an nginx that another controller has started: what of it can be read from its configuration.

import { readFrame } from '../routes/render-routed.ts'
import type { NginxState } from './plan-update.ts'

/**
 * What runs, if the data of `wanted` is pushed to it: its text is the one found, whatever else is as wanted.
 *
 * @param text - the configuration that its workers have read
 */
export function foundState<S extends NginxState>(text: string, wanted: S): S {
  const { frame, classes } = readFrame(text) ?? { frame: text, classes: [] }
  return { ...wanted, text, frame, rendered: classes }
}
