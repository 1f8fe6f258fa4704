// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/api 0.37 rbac/v1 types.go.

export const rbacTypes: { readonly [type: string]: string } = {
  AggregationRule: 'clusterRoleSelectors:1 []meta.LabelSelector',
  ClusterRole: 'metadata:1 meta.ObjectMeta!; rules:2 []PolicyRule!; aggregationRule:3 *AggregationRule',
  ClusterRoleBinding: 'metadata:1 meta.ObjectMeta!; subjects:2 []Subject; roleRef:3 RoleRef!',
  PolicyRule:
    'verbs:1 []string!; apiGroups:2 []string; resources:3 []string; resourceNames:4 []string; nonResourceURLs:5 []string',
  Role: 'metadata:1 meta.ObjectMeta!; rules:2 []PolicyRule!',
  RoleBinding: 'metadata:1 meta.ObjectMeta!; subjects:2 []Subject; roleRef:3 RoleRef!',
  RoleRef: 'apiGroup:1 string!; kind:2 string!; name:3 string!',
  Subject: 'kind:1 string!; apiGroup:2 string; name:3 string!; namespace:4 string',
}
