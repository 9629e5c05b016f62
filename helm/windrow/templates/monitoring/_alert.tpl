{{/*
Labels and annotations of an alert. The namespace is a label, because aggregation drops that of the series and alerts are
routed on it. Takes a dict: root, alert, severity, summary, description.
*/}}
{{- define "windrow.alert" -}}
labels:
  severity: {{ .severity }}
  namespace: {{ .root.Release.Namespace }}
  {{- with omit .root.Values.monitoring.prometheusRule.alertLabels "severity" "namespace" }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  summary: {{ .summary | quote }}
  description: {{ .description | quote }}
  {{- with .root.Values.monitoring.prometheusRule.runbookUrl }}
  runbook_url: {{ . }}#{{ lower $.alert }}
  {{- end }}
{{- end }}
