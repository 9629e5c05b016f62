{{/*
Labels and annotations of an alert. Takes a dict: root, alert, severity, summary.
*/}}
{{- define "windrow.alert" -}}
labels:
  severity: {{ .severity }}
  {{- with omit .root.Values.monitoring.prometheusRule.alertLabels "severity" }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  summary: {{ .summary | quote }}
  {{- with .root.Values.monitoring.prometheusRule.runbookUrl }}
  runbook_url: {{ . }}#{{ lower $.alert }}
  {{- end }}
{{- end }}
