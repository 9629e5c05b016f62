{{/*
Variables that the chart sets for the gatherer. Takes the root.
*/}}
{{- define "windrow.gatherEnv" -}}
{{ include "windrow.serviceEnv" . }}
{{ include "windrow.awsEnv" (dict "root" . "sqs" false) }}
- name: QUARKUS_SHUTDOWN_TIMEOUT
  value: {{ printf "%ds" (int .Values.gather.drainSeconds) }}
{{ include "windrow.authenticationEnv" . }}
{{- with include "windrow.allowedHostsEnv" . }}
{{ . }}
{{- end }}
{{- if not .Values.gather.page.enabled }}
- name: WINDROW_GATHER_PAGE_ENABLED
  value: "false"
{{- end }}
{{- end }}
