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
