// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/api 0.37 batch/v1 types.go.

export const batchTypes: { readonly [type: string]: string } = {
  CronJob: 'metadata:1 meta.ObjectMeta!; spec:2 CronJobSpec!; status:3 CronJobStatus!',
  CronJobSpec:
    'schedule:1 string!; timeZone:8 *string; startingDeadlineSeconds:2 *long; concurrencyPolicy:3 string; suspend:4 *bool; jobTemplate:5 JobTemplateSpec!; successfulJobsHistoryLimit:6 *int; failedJobsHistoryLimit:7 *int',
  CronJobStatus: 'active:1 []core.ObjectReference; lastScheduleTime:4 *Time; lastSuccessfulTime:5 *Time',
  Job: 'metadata:1 meta.ObjectMeta!; spec:2 JobSpec!; status:3 JobStatus!',
  JobCondition:
    'type:1 string!; status:2 string!; lastProbeTime:3 Time!; lastTransitionTime:4 Time!; reason:5 string; message:6 string',
  JobSchedulingConfiguration: '',
  JobSpec:
    'parallelism:1 *int; completions:2 *int; activeDeadlineSeconds:3 *long; podFailurePolicy:11 *PodFailurePolicy; successPolicy:16 *SuccessPolicy; backoffLimit:7 *int; backoffLimitPerIndex:12 *int; maxFailedIndexes:13 *int; selector:4 *meta.LabelSelector; manualSelector:5 *bool; template:6 core.PodTemplateSpec!; ttlSecondsAfterFinished:8 *int; completionMode:9 *string; suspend:10 *bool; podReplacementPolicy:14 *string; managedBy:15 *string; scheduling:17 *JobSchedulingConfiguration',
  JobStatus:
    'conditions:1 []JobCondition~type; startTime:2 *Time; completionTime:3 *Time; active:4 int; succeeded:5 int; failed:6 int; terminating:11 *int; completedIndexes:7 string; failedIndexes:10 *string; uncountedTerminatedPods:8 *UncountedTerminatedPods; ready:9 *int',
  JobTemplateSpec: 'metadata:1 meta.ObjectMeta!; spec:2 JobSpec!',
  PodFailurePolicy: 'rules:1 []PodFailurePolicyRule!',
  PodFailurePolicyOnExitCodesRequirement: 'containerName:1 *string; operator:2 string!; values:3 []int!@',
  PodFailurePolicyOnPodConditionsPattern: 'type:1 string!; status:2 string!',
  PodFailurePolicyRule:
    'action:1 string!; onExitCodes:2 *PodFailurePolicyOnExitCodesRequirement; onPodConditions:3 []PodFailurePolicyOnPodConditionsPattern',
  SuccessPolicy: 'rules:1 []SuccessPolicyRule!',
  SuccessPolicyRule: 'succeededIndexes:1 *string; succeededCount:2 *int',
  UncountedTerminatedPods: 'succeeded:1 []string@; failed:2 []string@',
}
