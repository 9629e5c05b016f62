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
A service account of a component. Takes a dict: root, component, values, hook (optional annotations).
*/}}
{{- define "windrow.serviceAccount" -}}
{{- if .values.serviceAccount.create }}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- $annotations := merge dict (.hook | default dict) .values.serviceAccount.annotations }}
  {{- include "windrow.metadata" (merge (dict "name" (include "windrow.serviceAccountName" .) "annotations" $annotations) .) | nindent 2 }}
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
  {{- include "windrow.metadata" . | nindent 2 }}
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
Optional fields of a Service, under their own names. Takes a list: the service's values, names of the fields.
*/}}
{{- define "windrow.serviceFields" -}}
{{- $values := first . }}
{{- $fields := dict }}
{{- range $name := rest . }}
{{- with index $values $name }}
{{- $fields = set $fields $name . }}
{{- end }}
{{- end }}
{{- with $fields }}
{{- toYaml . }}
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
