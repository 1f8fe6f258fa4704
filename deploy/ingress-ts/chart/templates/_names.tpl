{{/* Names, labels, selectors and the argument list that the manifests of the chart share. */}}
{{- define "ingress.fullname" -}}
{{- $base := default .Release.Name .Values.fullnameOverride -}}
{{- if or .Values.fullnameOverride (contains .Chart.Name $base) -}}
{{- $base | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" $base (default .Chart.Name .Values.nameOverride) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "ingress.controller" -}}{{ include "ingress.fullname" . }}-{{ .Values.controller.name }}{{- end }}
{{- define "ingress.admission" -}}{{ include "ingress.fullname" . }}-admission{{- end }}
{{- define "ingress.namespace" -}}{{ default .Release.Namespace .Values.namespaceOverride }}{{- end }}
{{- define "ingress.electionID" -}}{{ default (printf "%s-leader" (include "ingress.fullname" .)) .Values.controller.electionID }}{{- end }}

{{- define "ingress.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "ingress.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end }}

{{- define "ingress.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "ingress.labels" -}}
{{ include "ingress.selector" . }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "ingress.controllerLabels" -}}
{{ include "ingress.labels" . }}
app.kubernetes.io/component: controller
{{- with .Values.controller.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "ingress.portName" -}}
{{- with .prefix }}{{ . }}-{{ end }}{{ .port }}-{{ .protocol }}
{{- end }}

{{/* "true" when Secrets, Services … are read in one namespace only. */}}
{{- define "ingress.isScoped" -}}{{ if and .Values.rbac.scope .Values.controller.scope.enabled }}true{{ end }}{{- end }}

{{- define "ingress.args" -}}
{{- $controller := .Values.controller -}}
- --controller-class={{ $controller.ingressClassResource.controllerValue }}
{{- with $controller.ingressClass }}
- --ingress-class={{ . }}
{{- end }}
- --configmap={{ default "$(POD_NAMESPACE)" $controller.configMapNamespace }}/{{ include "ingress.controller" . }}
- --election-id={{ include "ingress.electionID" . }}
{{- if not $controller.enableAnnotationValidations }}
- --enable-annotation-validation=false
{{- end }}
{{- if .Values.defaultBackend.enabled }}
- --default-backend-service=$(POD_NAMESPACE)/{{ include "ingress.fullname" . }}-{{ .Values.defaultBackend.name }}
{{- end }}
{{- if and $controller.publishService.enabled $controller.service.enabled }}
{{- $own := printf "$(POD_NAMESPACE)/%s" (include "ingress.controller" .) }}
{{- if and (not $controller.service.external.enabled) $controller.service.internal.enabled }}{{ $own = printf "%s-internal" $own }}{{ end }}
- --publish-service={{ default $own $controller.publishService.pathOverride }}
{{- end }}
{{- range $protocol := list "tcp" "udp" }}
{{- if index $.Values $protocol }}
- --{{ $protocol }}-services-configmap={{ default "$(POD_NAMESPACE)" (index $controller $protocol).configMapNamespace }}/{{ include "ingress.fullname" $ }}-{{ $protocol }}
{{- end }}
{{- end }}
{{- if $controller.scope.enabled }}
- --watch-namespace={{ default "$(POD_NAMESPACE)" $controller.scope.namespace }}
{{- else if $controller.scope.namespaceSelector }}
- --watch-namespace-selector={{ $controller.scope.namespaceSelector }}
{{- end }}
{{- if and $controller.reportNodeInternalIp $controller.hostNetwork }}
- --report-node-internal-ip-address=true
{{- end }}
{{- if $controller.admissionWebhooks.enabled }}
- --validating-webhook=:{{ $controller.admissionWebhooks.port }}
- --validating-webhook-certificate={{ $controller.admissionWebhooks.certificate }}
- --validating-webhook-key={{ $controller.admissionWebhooks.key }}
{{- end }}
{{- with $controller.healthCheckHost }}
- --healthz-host={{ . }}
{{- end }}
{{- if ne $controller.healthCheckPath "/healthz" }}
- --health-check-path={{ $controller.healthCheckPath }}
{{- end }}
{{- range $flag, $isSet := dict "ingress-class-by-name" $controller.ingressClassByName "watch-ingress-without-class" $controller.watchIngressWithoutClass "enable-metrics" $controller.metrics.enabled "enable-topology-aware-routing" $controller.enableTopologyAwareRouting "disable-leader-election" $controller.disableLeaderElection }}
{{- if $isSet }}
- --{{ $flag }}=true
{{- end }}
{{- end }}
{{- with $controller.electionTTL }}
- --election-ttl={{ . }}
{{- end }}
{{- if $controller.extension.configMapName }}
- --extension=/etc/ingress-ts/extension/{{ $controller.extension.configMapKey }}
{{- end }}
{{- range $key, $value := $controller.extraArgs }}
- --{{ $key }}{{ if ne (toString $value) "" }}={{ $value }}{{ end }}
{{- end }}
{{- end }}
