{{/*
How clients of the API prove who they are.
*/}}
{{- define "windrow.authenticationEnv" -}}
- name: WINDROW_GATHER_AUTHENTICATION_TYPE
  value: {{ .Values.gather.authentication.type | default "none" }}
{{- if eq .Values.gather.authentication.type "api-key" }}
- name: WINDROW_GATHER_AUTHENTICATION_API_KEYS_FILE
  value: /etc/windrow/api-keys/api-keys.yaml
{{- else if eq .Values.gather.authentication.type "oidc" }}
- name: QUARKUS_OIDC_AUTH_SERVER_URL
  value: {{ .Values.gather.authentication.oidc.authServerUrl | quote }}
- name: QUARKUS_OIDC_TOKEN_AUDIENCE
  value: {{ .Values.gather.authentication.oidc.audience | quote }}
- name: WINDROW_GATHER_AUTHENTICATION_TENANT_CLAIM
  value: {{ .Values.gather.authentication.oidc.tenantClaim | quote }}
{{- end }}
{{- end }}

{{/*
Names that clients may address a gatherer without authentication by, besides those that it accepts anyway: its Service's with
the namespace, and those that are published. Takes the root.
*/}}
{{- define "windrow.allowedHostsEnv" -}}
{{- $given := hasKey (.Values.gather.config | default dict) "windrow.gather.api.allowed-hosts" }}
{{- if and (eq (.Values.gather.authentication.type | default "none") "none") (not $given) }}
{{- $hosts := list (printf "%s.%s" (include "windrow.componentName" (dict "root" . "component" "gather")) .Release.Namespace) }}
{{- if .Values.gather.ingress.enabled }}
{{- $hosts = concat $hosts (.Values.gather.ingress.hosts | default list) }}
{{- end }}
{{- if .Values.gather.httpRoute.enabled }}
{{- $hosts = concat $hosts (.Values.gather.httpRoute.hostnames | default list) }}
{{- end }}
- name: WINDROW_GATHER_API_ALLOWED_HOSTS
  value: {{ $hosts | uniq | join "," | quote }}
{{- end }}
{{- end }}

{{- define "windrow.apiKeysMount" -}}
{{- if eq .Values.gather.authentication.type "api-key" }}
- name: api-keys
  mountPath: /etc/windrow/api-keys
  readOnly: true
{{- end }}
{{- end }}

{{- define "windrow.apiKeysVolume" -}}
{{- if eq .Values.gather.authentication.type "api-key" }}
- name: api-keys
  secret:
    secretName: {{ .Values.gather.authentication.apiKey.existingSecret }}
    defaultMode: 0440
    items:
      - key: {{ .Values.gather.authentication.apiKey.key }}
        path: api-keys.yaml
{{- end }}
{{- end }}
