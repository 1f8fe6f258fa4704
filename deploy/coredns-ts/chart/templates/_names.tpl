{{/* Names, labels and selectors that every manifest of the chart shares. */}}
{{- define "coredns.fullname" -}}
{{- $base := default .Release.Name .Values.fullnameOverride -}}
{{- if or .Values.fullnameOverride (contains .Chart.Name $base) -}}
{{- $base | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" $base (default .Chart.Name .Values.nameOverride) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "coredns.selector" -}}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- if .Values.isClusterService }}
k8s-app: {{ default .Chart.Name .Values.k8sAppLabelOverride | quote }}
{{- end }}
app.kubernetes.io/name: {{ .Chart.Name | quote }}
{{- end }}

{{- define "coredns.labels" -}}
{{ include "coredns.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- if .Values.isClusterService }}
kubernetes.io/cluster-service: "true"
kubernetes.io/name: CoreDNS
{{- end }}
{{- with .Values.customLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "coredns.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "coredns.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end }}

{{- define "coredns.clusterRoleName" -}}
{{- default (include "coredns.fullname" .) .Values.clusterRole.nameOverride -}}
{{- end }}

{{/* Every port that a server block listens on: what the Service (for = "service") or the container needs of it, as a YAML list. */}}
{{- define "coredns.ports" -}}
{{- $for := .for -}}
{{- $seen := dict -}}
{{- range .servers }}
{{- $port := int (default 53 .port) -}}
{{- $protocols := dict -}}
{{- range (default (list (dict "zone" ".")) .zones) }}
{{- $scheme := default "dns://" .scheme -}}
{{- if or (eq $scheme "tls://") (eq $scheme "grpc://") (eq $scheme "https://") -}}{{- $_ := set $protocols "TCP" true -}}
{{- else -}}{{- $_ := set $protocols "UDP" true -}}{{- if .use_tcp -}}{{- $_ := set $protocols "TCP" true -}}{{- end -}}{{- end -}}
{{- end -}}
{{- $server := . -}}
{{- range $protocol := keys $protocols | sortAlpha }}
{{- $name := printf "%s-%d" (lower $protocol) $port -}}
{{- if not (hasKey $seen $name) -}}
{{- $_ := set $seen $name true }}
- name: {{ $name }}
  protocol: {{ $protocol }}
{{- if eq $for "service" }}
  port: {{ int (default $port $server.servicePort) }}
  targetPort: {{ $name }}
{{- with $server.nodePort }}
  nodePort: {{ int . }}
{{- end }}
{{- else }}
  containerPort: {{ $port }}
{{- with $server.hostPort }}
  hostPort: {{ int . }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
