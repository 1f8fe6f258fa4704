// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/api 0.37 coordination/v1 types.go.

export const coordinationTypes: { readonly [type: string]: string } = {
  Lease: 'metadata:1 meta.ObjectMeta!; spec:2 LeaseSpec!',
  LeaseSpec:
    'holderIdentity:1 *string; leaseDurationSeconds:2 *int; acquireTime:3 *MicroTime; renewTime:4 *MicroTime; leaseTransitions:5 *int; strategy:6 *string; preferredHolder:7 *string',
}
