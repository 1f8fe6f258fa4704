// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/api 0.37 apps/v1 types.go.

export const appsTypes: { readonly [type: string]: string } = {
  DaemonSet: 'metadata:1 meta.ObjectMeta!; spec:2 DaemonSetSpec!; status:3 DaemonSetStatus!',
  DaemonSetCondition: 'type:1 string!; status:2 string!; lastTransitionTime:3 Time!; reason:4 string; message:5 string',
  DaemonSetSpec:
    'selector:1 *meta.LabelSelector!; template:2 core.PodTemplateSpec!; updateStrategy:3 DaemonSetUpdateStrategy!; minReadySeconds:4 int; revisionHistoryLimit:6 *int',
  DaemonSetStatus:
    'currentNumberScheduled:1 int!; numberMisscheduled:2 int!; desiredNumberScheduled:3 int!; numberReady:4 int!; observedGeneration:5 long; updatedNumberScheduled:6 int; numberAvailable:7 int; numberUnavailable:8 int; collisionCount:9 *int; conditions:10 []DaemonSetCondition~type@type',
  DaemonSetUpdateStrategy: 'type:1 string; rollingUpdate:2 *RollingUpdateDaemonSet',
  Deployment: 'metadata:1 meta.ObjectMeta!; spec:2 DeploymentSpec!; status:3 DeploymentStatus!',
  DeploymentCondition:
    'type:1 string!; status:2 string!; lastUpdateTime:6 Time!; lastTransitionTime:7 Time!; reason:4 string; message:5 string',
  DeploymentSpec:
    'replicas:1 *int; selector:2 *meta.LabelSelector!; template:3 core.PodTemplateSpec!; strategy:4 DeploymentStrategy!#; minReadySeconds:5 int; revisionHistoryLimit:6 *int; paused:7 bool; progressDeadlineSeconds:9 *int',
  DeploymentStatus:
    'observedGeneration:1 long; replicas:2 int; updatedReplicas:3 int; readyReplicas:7 int; availableReplicas:4 int; unavailableReplicas:5 int; terminatingReplicas:9 *int; conditions:6 []DeploymentCondition~type@type; collisionCount:8 *int',
  DeploymentStrategy: 'type:1 string; rollingUpdate:2 *RollingUpdateDeployment',
  ReplicaSet: 'metadata:1 meta.ObjectMeta!; spec:2 ReplicaSetSpec!; status:3 ReplicaSetStatus!',
  ReplicaSetCondition:
    'type:1 string!; status:2 string!; lastTransitionTime:3 Time!; reason:4 string; message:5 string',
  ReplicaSetSpec:
    'replicas:1 *int; minReadySeconds:4 int; selector:2 *meta.LabelSelector!; template:3 core.PodTemplateSpec!',
  ReplicaSetStatus:
    'replicas:1 int!; fullyLabeledReplicas:2 int; readyReplicas:4 int; availableReplicas:5 int; terminatingReplicas:7 *int; observedGeneration:3 long; conditions:6 []ReplicaSetCondition~type@type',
  RollingUpdateDaemonSet: 'maxUnavailable:1 *IntOrString; maxSurge:2 *IntOrString',
  RollingUpdateDeployment: 'maxUnavailable:1 *IntOrString; maxSurge:2 *IntOrString',
  RollingUpdateStatefulSetStrategy: 'partition:1 *int; maxUnavailable:2 *IntOrString',
  StatefulSet: 'metadata:1 meta.ObjectMeta!; spec:2 StatefulSetSpec!; status:3 StatefulSetStatus!',
  StatefulSetCondition:
    'type:1 string!; status:2 string!; lastTransitionTime:3 Time!; reason:4 string; message:5 string',
  StatefulSetOrdinals: 'start:1 int!',
  StatefulSetPersistentVolumeClaimRetentionPolicy: 'whenDeleted:1 string; whenScaled:2 string',
  StatefulSetSpec:
    'replicas:1 *int; selector:2 *meta.LabelSelector!; template:3 core.PodTemplateSpec!; volumeClaimTemplates:4 []core.PersistentVolumeClaim; serviceName:5 string!; podManagementPolicy:6 string; updateStrategy:7 StatefulSetUpdateStrategy!; revisionHistoryLimit:8 *int; minReadySeconds:9 int; persistentVolumeClaimRetentionPolicy:10 *StatefulSetPersistentVolumeClaimRetentionPolicy; ordinals:11 *StatefulSetOrdinals',
  StatefulSetStatus:
    'observedGeneration:1 long; replicas:2 int!; readyReplicas:3 int; currentReplicas:4 int; updatedReplicas:5 int; currentRevision:6 string; updateRevision:7 string; collisionCount:9 *int; conditions:10 []StatefulSetCondition~type@type; availableReplicas:11 int!',
  StatefulSetUpdateStrategy: 'type:1 string; rollingUpdate:2 *RollingUpdateStatefulSetStrategy',
}
