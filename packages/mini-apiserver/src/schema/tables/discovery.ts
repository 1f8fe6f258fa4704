// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/api 0.37 discovery/v1 types.go.

export const discoveryTypes: { readonly [type: string]: string } = {
  Endpoint:
    'addresses:1 []string!@; conditions:2 EndpointConditions!; hostname:3 *string; targetRef:4 *core.ObjectReference; deprecatedTopology:5 {}string; nodeName:6 *string; zone:7 *string; hints:8 *EndpointHints',
  EndpointConditions: 'ready:1 *bool; serving:2 *bool; terminating:3 *bool',
  EndpointHints: 'forZones:1 []ForZone; forNodes:2 []ForNode',
  EndpointPort: 'name:1 *string; protocol:2 *string; port:3 *int; appProtocol:4 *string',
  EndpointSlice: 'metadata:1 meta.ObjectMeta!; addressType:4 string!; endpoints:2 []Endpoint!; ports:3 []EndpointPort!',
  ForNode: 'name:1 string!',
  ForZone: 'name:1 string!',
}
