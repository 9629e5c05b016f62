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

{{/*
The numbers of the dataset file that Helm may have changed when it read them, as a list. Helm keeps 15 digits of a number; and
it spells a million as 1e+06, which is another text. Takes a dict: path, value, key (its name), parent (the name of what it is
in).
*/}}
{{- define "windrow.numberProblems" -}}
{{- $problems := list }}
{{- if kindIs "map" .value }}
{{- range $key, $value := .value }}
{{- $problems = concat $problems (include "windrow.numberProblems" (dict "path" (printf "%s.%s" $.path $key) "value" $value "key" $key "parent" $.key) | fromYamlArray) }}
{{- end }}
{{- else if kindIs "slice" .value }}
{{- range $i, $value := .value }}
{{- $problems = concat $problems (include "windrow.numberProblems" (dict "path" (printf "%s[%d]" $.path $i) "value" $value "key" $.key "parent" $.parent) | fromYamlArray) }}
{{- end }}
{{- else if or (kindIs "float64" .value) (kindIs "int64" .value) (kindIs "int" .value) }}
{{- $text := toJson .value }}
{{- $isNumber := and (has .key (list "from" "below" "factor")) (not (has .parent (list "where" "when"))) }}
{{- if gt (len (regexReplaceAll "^-?0*[.]?0*|[.]|[eE].*$" $text "")) 15 }}
{{- $problems = append $problems (printf "%s: expected a number of at most 15 digits, as Helm changes longer ones, found %s: quote it" .path $text) }}
{{- else if and (not $isNumber) (not (regexMatch "^-?[0-9]{1,6}$" $text)) }}
{{- $problems = append $problems (printf "%s: expected a whole number of at most 6 digits, as Helm spells others differently, found %s: quote it" .path $text) }}
{{- end }}
{{- end }}
{{- toYaml $problems }}
{{- end }}
