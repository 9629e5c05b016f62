{{/*
What writer and gatherer have in common in their environment.
*/}}
{{- define "windrow.serviceEnv" -}}
# By default the services listen on loopback only.
- name: QUARKUS_HTTP_HOST
  value: 0.0.0.0
- name: QUARKUS_MANAGEMENT_HOST
  value: 0.0.0.0
- name: QUARKUS_LOG_CONSOLE_JSON_ENABLED
  value: "true"
- name: WINDROW_TABLE
  value: {{ .Values.aws.table | quote }}
{{ include "windrow.datasetsEnv" . }}
{{- end }}

{{- define "windrow.queueEnv" -}}
- name: WINDROW_WRITER_QUEUE
  value: {{ .Values.aws.queue | quote }}
- name: WINDROW_WRITER_DEAD_LETTER_QUEUE
  value: {{ .Values.aws.deadLetterQueue | quote }}
{{- end }}

{{/*
A folder for temporary files, as the root file system is read-only.
*/}}
{{- define "windrow.temporaryVolume" -}}
- name: tmp
  emptyDir:
    sizeLimit: 128Mi
{{- end }}

{{- define "windrow.temporaryMount" -}}
- name: tmp
  mountPath: /tmp
{{- end }}

{{/*
The last 5 seconds in which load balancers still send requests, while readiness is known to end. There is no shell in the
images, so it takes a kubelet that can sleep by itself. Takes the root.
*/}}
{{- define "windrow.preStop" -}}
{{- if semverCompare ">=1.30-0" .Capabilities.KubeVersion.Version }}
lifecycle:
  preStop:
    sleep:
      seconds: 5
{{- end }}
{{- end }}

{{/*
A service account of a component. Takes a dict: root, component, values, hook (optional annotations).
*/}}
{{- define "windrow.serviceAccount" -}}
{{- if .values.serviceAccount.create }}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "windrow.serviceAccountName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "windrow.labels" . | nindent 4 }}
  {{- with merge (.hook | default dict) .values.serviceAccount.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end }}
{{- end }}

{{/*
A disruption budget of a component. Takes a dict: root, component, values.
*/}}
{{- define "windrow.podDisruptionBudget" -}}
{{- if .values.podDisruptionBudget.enabled }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "windrow.componentName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "windrow.labels" . | nindent 4 }}
spec:
  maxUnavailable: {{ .values.podDisruptionBudget.maxUnavailable }}
  # A pod that never got ready serves nobody and may go.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "windrow.selectorLabels" . | nindent 6 }}
{{- end }}
{{- end }}

{{/*
Tells the Prometheus operator where a component's metrics are. Takes a dict: root, component.
*/}}
{{- define "windrow.serviceMonitor" -}}
{{- if .root.Values.monitoring.serviceMonitor.enabled }}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: {{ include "windrow.componentName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "windrow.labels" (merge (dict "extra" .root.Values.monitoring.serviceMonitor.labels) .) | nindent 4 }}
spec:
  jobLabel: app.kubernetes.io/component
  namespaceSelector:
    matchNames:
      - {{ .root.Release.Namespace }}
  selector:
    matchLabels:
      {{- include "windrow.selectorLabels" . | nindent 6 }}
  endpoints:
    - port: management
      path: /q/metrics
      interval: {{ .root.Values.monitoring.serviceMonitor.interval }}
{{- end }}
{{- end }}

{{/*
What Ingress and HTTPRoute publish: the API, and the page with its files where it is to be public.
*/}}
{{- define "windrow.publishedPaths" -}}
- path: /api
  exact: false
{{- if and .Values.gather.page.enabled .Values.gather.page.published }}
- path: /
  exact: true
- path: /page
  exact: false
{{- end }}
{{- end }}
