{{/*
Settings of a service from its values' `config`, as a file of properties: unlike variables it keeps every key as it is written.
Variables, so also `extraEnv`, take precedence. Each define takes a dict: root,
component, values.
*/}}
{{- define "windrow.configMap" -}}
{{- if .values.config }}
apiVersion: v1
kind: ConfigMap
metadata:
  {{- include "windrow.metadata" . | nindent 2 }}
data:
  application.properties: |
    {{- include "windrow.properties" . | nindent 4 }}
{{- end }}
{{- end }}

{{/*
Below environment variables (300) and above what is in the image (250).
*/}}
{{- define "windrow.properties" -}}
config_ordinal=290
{{- range $key, $value := .values.config }}
{{- if kindIs "string" $value }}
{{- $value = $value | replace "\\" "\\\\" | replace "\n" "\\n" | replace "\r" "\\r" | replace "\t" "\\t" }}
{{- $value = regexReplaceAll "^ " $value "\\ " }}
{{- else }}
{{- $value = toJson $value }}
{{- end }}
{{ $key }}={{ $value }}
{{- end }}
{{- end }}

{{- define "windrow.configChecksum" -}}
{{- if .values.config }}
checksum/config: {{ include "windrow.properties" . | sha256sum }}
{{- end }}
{{- end }}

{{- define "windrow.configEnv" -}}
{{- if .values.config }}
- name: QUARKUS_CONFIG_LOCATIONS
  value: /etc/windrow/config/application.properties
{{- end }}
{{- end }}

{{- define "windrow.configMount" -}}
{{- if .values.config }}
- name: config
  mountPath: /etc/windrow/config
  readOnly: true
{{- end }}
{{- end }}

{{- define "windrow.configVolume" -}}
{{- if .values.config }}
- name: config
  configMap:
    name: {{ include "windrow.componentName" . }}
    items:
      - key: application.properties
        path: application.properties
{{- end }}
{{- end }}

{{/*
The keys of `config` that would be without effect, or would cut the service off from what the chart expects of it, as a list.
Takes a dict: component, values, env (variables of the chart), other (the other service's name in keys).
*/}}
{{- define "windrow.configProblems" -}}
{{- $reserved := list "QUARKUS_HTTP_PORT" "QUARKUS_MANAGEMENT_PORT" "QUARKUS_MANAGEMENT_ENABLED" "QUARKUS_MANAGEMENT_ROOT_PATH" "QUARKUS_CONFIG_LOCATIONS" "CONFIG_ORDINAL" }}
{{- range .env }}
{{- $reserved = append $reserved .name }}
{{- end }}
{{- $problems := list }}
{{- range $key, $value := .values.config }}
{{- $name := regexReplaceAll "^%[^.]+[.]" $key "" }}
{{- if has (regexReplaceAll "[^A-Za-z0-9]" $name "_" | upper) $reserved }}
{{- $problems = append $problems (printf "%s.config: %s: expected a key that the chart does not set itself; look for a value of the chart, such as aws.table or %s.drainSeconds" $.component $key $.component) }}
{{- else if hasPrefix (printf "windrow.%s." $.other) $name }}
{{- $problems = append $problems (printf "%s.config: %s: expected a key of this service; set it in %s.config" $.component $key $.other) }}
{{- else if and (not (kindIs "string" $value)) (gt (len (regexReplaceAll "^-?0*[.]?0*|[.]|[eE].*$" (toJson $value) "")) 15) }}
{{- $problems = append $problems (printf "%s.config: %s: expected a number of at most 15 digits, as Helm changes longer ones, found %s: quote it" $.component $key (toJson $value)) }}
{{- end }}
{{- end }}
{{- toYaml $problems }}
{{- end }}
