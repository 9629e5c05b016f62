{{/*
Egress to DNS, AWS and the agent of EKS Pod Identity. Takes the root.
*/}}
{{- define "windrow.egress" -}}
- ports:
    - port: 53
      protocol: UDP
    - port: 53
      protocol: TCP
{{- if .Values.localAws.enabled }}
- to:
    - podSelector:
        matchLabels:
          {{- include "windrow.selectorLabels" (dict "root" . "component" "local-aws") | nindent 10 }}
  ports:
    - port: dynamodb
      protocol: TCP
    - port: sqs
      protocol: TCP
{{- else }}
- ports:
    - port: 443
      protocol: TCP
- to:
    - ipBlock:
        cidr: 169.254.170.23/32
  ports:
    - port: 80
      protocol: TCP
{{- end }}
{{- with .Values.networkPolicy.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "windrow.managementIngress" -}}
- ports:
    - port: management
      protocol: TCP
  from:
    {{- .Values.networkPolicy.managementFrom | default (list (dict "namespaceSelector" dict)) | toYaml | nindent 4 }}
{{- end }}
