{{/*
The last 5 seconds in which load balancers still send requests, while readiness is known to end. There is no shell in the
images, so it takes a kubelet that can sleep by itself. Takes the root.
*/}}
{{- define "windrow.preStop" -}}
{{- if semverCompare ">=1.30-0" .Capabilities.KubeVersion.Version }}
preStop:
  sleep:
    seconds: 5
{{- end }}
{{- end }}
