// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/api 0.37 autoscaling/v1 types.go.

export const autoscalingTypes: { readonly [type: string]: string } = {
  Scale: 'metadata:1 meta.ObjectMeta!; spec:2 ScaleSpec!; status:3 ScaleStatus!',
  ScaleSpec: 'replicas:1 int',
  ScaleStatus: 'replicas:1 int!; selector:2 string',
}
