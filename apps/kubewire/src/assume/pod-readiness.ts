// Whether a pod of the files would be an endpoint, and a ready one. A Pod that was written by hand has no status and is
// supposed to run; one that was taken from a cluster says itself.
// Source: k8s.io/endpointslice util (ShouldPodBeInEndpoints), kubelet status (readiness gates).

import type { Pod } from '@kubewire/kube-model'

/** Whether the pod has ended, or has not got an address yet: it is no endpoint at all. */
export function isPodGone({ status = {} }: Pod): boolean {
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return true
  const hasAddress = (status.podIP ?? '') !== '' || (status.podIPs ?? []).length > 0
  return status.phase === 'Pending' && !hasAddress
}

/**
 * Whether it serves: its condition Ready, which already heeds its readiness gates. Without that condition a gate that
 * is not met, or a phase other than Running, says no; a pod with no conditions at all is supposed to be ready.
 */
export function isPodReady({ spec = {}, status = {} }: Pod): boolean {
  const { phase = 'Running', conditions = [] } = status
  const isTrue = (type: string | undefined): boolean =>
    conditions.some((condition) => condition.type === type && condition.status === 'True')
  if (conditions.some(({ type }) => type === 'Ready')) return isTrue('Ready')
  if (phase !== 'Running') return false
  return conditions.length === 0 || (spec.readinessGates ?? []).every(({ conditionType }) => isTrue(conditionType))
}
