{{/*
Tells the Prometheus operator where a component's metrics are, behind its Service. Takes a dict: root, component.
*/}}
{{- define "windrow.serviceMonitor" -}}
{{- $monitor := .root.Values.monitoring.serviceMonitor }}
{{- if $monitor.enabled }}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  {{- include "windrow.metadata" (merge (dict "extra" $monitor.labels "namespace" $monitor.namespace) .) | nindent 2 }}
spec:
  {{- include "windrow.monitored" . | nindent 2 }}
  endpoints:
    - {{- include "windrow.scrape" $monitor | nindent 6 }}
      {{- with $monitor.relabelings }}
      relabelings:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
{{- end }}

{{/*
The same without a Service. Alerts and dashboard select by the label service, which a PodMonitor does not set by itself.
Takes a dict: root, component, service (name of the Service with the metrics).
*/}}
{{- define "windrow.podMonitor" -}}
{{- $monitor := .root.Values.monitoring.podMonitor }}
{{- if $monitor.enabled }}
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata:
  {{- include "windrow.metadata" (merge (dict "extra" $monitor.labels "namespace" $monitor.namespace) .) | nindent 2 }}
spec:
  {{- include "windrow.monitored" . | nindent 2 }}
  podMetricsEndpoints:
    - {{- include "windrow.scrape" $monitor | nindent 6 }}
      relabelings:
        - targetLabel: service
          replacement: {{ .service }}
        {{- with $monitor.relabelings }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end }}
{{- end }}

{{- define "windrow.monitored" -}}
jobLabel: app.kubernetes.io/component
namespaceSelector:
  matchNames:
    - {{ .root.Release.Namespace }}
selector:
  matchLabels:
    {{- include "windrow.selectorLabels" . | nindent 4 }}
{{- end }}

{{/*
Takes the values of the monitor.
*/}}
{{- define "windrow.scrape" -}}
port: management
path: /q/metrics
interval: {{ .interval }}
{{- with .scrapeTimeout }}
scrapeTimeout: {{ . }}
{{- end }}
{{- with .metricRelabelings }}
metricRelabelings:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
