// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/api 0.37 policy/v1 types.go.

export const policyTypes: { readonly [type: string]: string } = {
  Eviction: 'metadata:1 meta.ObjectMeta!; deleteOptions:2 *meta.DeleteOptions',
  PodDisruptionBudget:
    'metadata:1 meta.ObjectMeta!; spec:2 PodDisruptionBudgetSpec!; status:3 PodDisruptionBudgetStatus!',
  PodDisruptionBudgetSpec:
    'minAvailable:1 *IntOrString; selector:2 *meta.LabelSelector; maxUnavailable:3 *IntOrString; unhealthyPodEvictionPolicy:4 *string',
  PodDisruptionBudgetStatus:
    'observedGeneration:1 long; disruptedPods:2 {}Time; disruptionsAllowed:3 int!; currentHealthy:4 int!; desiredHealthy:5 int!; expectedPods:6 int!; conditions:7 []meta.Condition~type@type',
}
