{{/*
The dataset file. A trial with embedded servers includes an example.
*/}}
{{- define "windrow.datasetFile" -}}
{{- if .Values.windrow.datasets }}
{{- $windrow := .Values.windrow }}
{{- range list "ignore-types" "events" }}
{{- if not (index $windrow .) }}
{{- $windrow = omit $windrow . }}
{{- end }}
{{- end }}
{{- dict "windrow" $windrow | toYaml }}
{{- else }}
{{- .Files.Get "files/example-datasets.yaml" }}
{{- end }}
{{- end }}

{{- define "windrow.datasetsConfigMap" -}}
{{- .Values.existingDatasets.configMap | default (printf "%s-datasets" (include "windrow.fullname" .)) }}
{{- end }}

{{/*
Starts new pods when the datasets change, as the services read them once at start.
*/}}
{{- define "windrow.datasetsChecksum" -}}
{{- if not .Values.existingDatasets.configMap }}
checksum/datasets: {{ include "windrow.datasetFile" . | sha256sum }}
{{- end }}
{{- end }}

{{- define "windrow.datasetsVolume" -}}
- name: datasets
  configMap:
    name: {{ include "windrow.datasetsConfigMap" . }}
    items:
      - key: {{ .Values.existingDatasets.key }}
        path: datasets.yaml
{{- end }}

{{- define "windrow.datasetsMount" -}}
- name: datasets
  mountPath: /etc/windrow/datasets
  readOnly: true
{{- end }}

{{- define "windrow.datasetsEnv" -}}
- name: WINDROW_DATASETS_FILE
  value: /etc/windrow/datasets/datasets.yaml
{{- end }}

{{/*
Measures of leaderboards with commas between them. The provisioning Job runs before the chart's own datasets are there.
*/}}
{{- define "windrow.rankedMeasures" -}}
{{- $measures := list }}
{{- range .Values.windrow.datasets }}
{{- range .rank }}
{{- $measures = append $measures .by }}
{{- end }}
{{- end }}
{{- $measures | uniq | sortAlpha | join "," }}
{{- end }}
