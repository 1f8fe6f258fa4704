// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/api 0.37 events/v1 types.go.

export const eventsTypes: { readonly [type: string]: string } = {
  Event:
    'metadata:1 meta.ObjectMeta!; eventTime:2 MicroTime!; series:3 *EventSeries; reportingController:4 string; reportingInstance:5 string; action:6 string; reason:7 string; regarding:8 core.ObjectReference!; related:9 *core.ObjectReference; note:10 string; type:11 string; deprecatedSource:12 core.EventSource!; deprecatedFirstTimestamp:13 Time!; deprecatedLastTimestamp:14 Time!; deprecatedCount:15 int',
  EventSeries: 'count:1 int!; lastObservedTime:2 MicroTime!',
}
