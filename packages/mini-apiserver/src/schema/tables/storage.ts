// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/api 0.37 storage/v1 types.go.

export const storageTypes: { readonly [type: string]: string } = {
  StorageClass:
    'metadata:1 meta.ObjectMeta!; provisioner:2 string!; parameters:3 {}string; reclaimPolicy:4 *string; mountOptions:5 []string; allowVolumeExpansion:6 *bool; volumeBindingMode:7 *string; allowedTopologies:8 []core.TopologySelectorTerm',
}
