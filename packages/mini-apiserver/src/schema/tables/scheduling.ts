// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/api 0.37 scheduling/v1 types.go.

export const schedulingTypes: { readonly [type: string]: string } = {
  PriorityClass:
    'metadata:1 meta.ObjectMeta!; value:2 int!; globalDefault:3 bool; description:4 string; preemptionPolicy:5 *string',
}
