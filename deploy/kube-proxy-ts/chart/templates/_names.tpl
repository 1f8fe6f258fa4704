{{- define "proxy.fullname" -}}
{{- $base := default .Release.Name .Values.fullnameOverride -}}
{{- if or .Values.fullnameOverride (contains .Chart.Name $base) -}}
{{- $base | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" $base (default .Chart.Name .Values.nameOverride) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "proxy.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "proxy.labels" -}}
{{ include "proxy.selector" . }}
k8s-app: {{ .Chart.Name }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "proxy.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "proxy.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end }}
