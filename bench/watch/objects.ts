// Synthetic but realistic objects: managed fields of two managers, as `kubectl get -o json --show-managed-fields` has.

/** Kinds of lists the benchmark can make. */
export type BenchKind = 'services' | 'pods'

/** The JSON text of a list, in pieces of a few hundred objects. */
export function* listText(kind: BenchKind, count: number): Generator<string> {
  yield `{"kind":"${kind === 'pods' ? 'PodList' : 'ServiceList'}","apiVersion":"v1","metadata":{"resourceVersion":"900000"},"items":[`
  for (let i = 0; i < count; i += 250) {
    const texts: string[] = []
    for (let j = i; j < Math.min(count, i + 250); j++) texts.push(JSON.stringify(objectOf(kind, j)))
    yield (i === 0 ? '' : ',') + texts.join(',')
  }
  yield ']}'
}

/** One object. */
export function objectOf(kind: BenchKind, i: number): object {
  return kind === 'pods' ? podOf(i) : serviceOf(i)
}

function metadataOf(i: number, name: string): object {
  return {
    name: `${name}-${i}`,
    namespace: `team-${i % 50}`,
    uid: `${hex(i, 8)}-1111-4222-8333-${hex(i, 12)}`,
    resourceVersion: String(100_000 + i),
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { app: `${name}-${i % 500}`, 'app.kubernetes.io/part-of': 'orchard', tier: i % 2 ? 'front' : 'back' },
    annotations: { 'example.org/owner': `team-${i % 50}@example.org` },
    managedFields: [
      {
        manager: 'kubectl-client-side-apply',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: fields(name === 'pod' ? 22 : 4),
      },
      {
        manager: 'kube-controller-manager',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:05Z',
        fieldsType: 'FieldsV1',
        fieldsV1: fields(name === 'pod' ? 16 : 2),
        subresource: 'status',
      },
    ],
  }
}

function fields(count: number): object {
  const entries = Array.from({ length: count }, (_, i) => [`f:field${i}`, { '.': {}, 'f:first': {}, 'f:second': {} }])
  return { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } }, 'f:spec': Object.fromEntries(entries) }
}

function serviceOf(i: number): object {
  const ip = `10.${96 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`
  return {
    metadata: metadataOf(i, 'service'),
    spec: {
      type: 'ClusterIP',
      clusterIP: ip,
      clusterIPs: [ip],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
      sessionAffinity: 'None',
      selector: { app: `service-${i % 500}` },
      ports: [
        { name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 },
        { name: 'metrics', port: 9090, protocol: 'TCP', targetPort: 'metrics' },
      ],
    },
    status: { loadBalancer: {} },
  }
}

function podOf(i: number): object {
  const ip = `10.${128 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`
  const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: '2026-01-01T00:00:03Z',
  }))
  return {
    metadata: metadataOf(i, 'pod'),
    spec: {
      nodeName: `node-${i % 100}`,
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      schedulerName: 'default-scheduler',
      containers: [
        {
          name: 'app',
          image: 'registry.example.org/orchard/app:1.2.3',
          imagePullPolicy: 'IfNotPresent',
          ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
          env: [
            { name: 'A', value: 'one' },
            { name: 'B', value: 'two' },
          ],
          resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
          readinessProbe: {
            httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' },
            periodSeconds: 10,
            timeoutSeconds: 1,
            successThreshold: 1,
            failureThreshold: 3,
          },
          volumeMounts: [
            { name: 'kube-api-access', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
          ],
        },
      ],
      volumes: [
        {
          name: 'kube-api-access',
          projected: {
            defaultMode: 420,
            sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }],
          },
        },
      ],
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
    },
    status: {
      phase: 'Running',
      hostIP: '192.0.2.10',
      podIP: ip,
      podIPs: [{ ip }],
      qosClass: 'Burstable',
      startTime: '2026-01-01T00:00:00Z',
      conditions,
      containerStatuses: [
        {
          name: 'app',
          ready: true,
          started: true,
          restartCount: 0,
          image: 'registry.example.org/orchard/app:1.2.3',
          imageID: `sha256:${hex(i, 64)}`,
          containerID: `containerd://${hex(i, 64)}`,
          lastState: {},
          state: { running: { startedAt: '2026-01-01T00:00:02Z' } },
        },
      ],
    },
  }
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0')
}
