// How many CPUs the control group grants: the quota, rounded up. Source: Linux cgroup-v2.rst, cpu.max;
// ingress-nginx 1.15 pkg/util/runtime.

/** CPUs of a quota and a period as in `cpu.max`, at most `present`; `undefined` without a quota. */
export function grantedCpus(cpuMax: string, present: number): number | undefined {
  const [, quota, period] = /^(\d+) (\d+)/.exec(cpuMax) ?? []
  if (quota === undefined || Number(period) <= 0) return undefined
  return Math.min(Math.max(Math.ceil(Number(quota) / Number(period)), 1), present)
}
