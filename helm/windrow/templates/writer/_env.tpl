{{/*
Variables that the chart sets for the writer. Takes the root.
*/}}
{{- define "windrow.writerEnv" -}}
{{ include "windrow.serviceEnv" . }}
{{ include "windrow.queueEnv" . }}
{{ include "windrow.awsEnv" (dict "root" . "sqs" true) }}
- name: WINDROW_WRITER_DRAIN_TIMEOUT
  value: {{ printf "%ds" (int .Values.writer.drainSeconds) }}
{{- end }}
