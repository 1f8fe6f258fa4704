// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/apimachinery 0.37 pkg/apis/meta/v1 types.go.

export const metaTypes: { readonly [type: string]: string } = {
  Condition:
    'type:1 string!; status:2 string!; observedGeneration:3 long; lastTransitionTime:4 Time!; reason:5 string!; message:6 string!',
  DeleteOptions:
    'gracePeriodSeconds:1 *long; preconditions:2 *Preconditions; orphanDependents:3 *bool; propagationPolicy:4 *string; dryRun:5 []string; ignoreStoreReadErrorWithClusterBreakingPotential:6 *bool',
  FieldSelectorRequirement: 'key:1 string!; operator:2 string!; values:3 []string',
  LabelSelector: 'matchLabels:1 {}string; matchExpressions:2 []LabelSelectorRequirement',
  LabelSelectorRequirement: 'key:1 string!; operator:2 string!; values:3 []string',
  ListMeta:
    'selfLink:1 string; resourceVersion:2 string; continue:3 string; remainingItemCount:4 *long; shardInfo:5 *ShardInfo',
  ManagedFieldsEntry:
    'manager:1 string; operation:2 string; apiVersion:3 string; time:4 *Time; fieldsType:6 string; fieldsV1:7 *Fields; subresource:8 string',
  ObjectMeta:
    'name:1 string; generateName:2 string; namespace:3 string; selfLink:4 string; uid:5 string; resourceVersion:6 string; generation:7 long; creationTimestamp:8 Time; deletionTimestamp:9 *Time; deletionGracePeriodSeconds:10 *long; labels:11 {}string; annotations:12 {}string; ownerReferences:13 []OwnerReference~uid@uid; finalizers:14 []string~@; managedFields:17 []ManagedFieldsEntry',
  OwnerReference:
    'apiVersion:5 string!; kind:1 string!; name:3 string!; uid:4 string!; controller:6 *bool; blockOwnerDeletion:7 *bool',
  Preconditions: 'uid:1 *string; resourceVersion:2 *string',
  ShardInfo: 'selector:1 string!',
  Status:
    'metadata:1 ListMeta!; status:2 string; message:3 string; reason:4 string; details:5 *StatusDetails; code:6 int',
  StatusCause: 'reason:1 string; message:2 string; field:3 string',
  StatusDetails:
    'name:1 string; group:2 string; kind:3 string; uid:6 string; causes:4 []StatusCause; retryAfterSeconds:5 int',
}
