{{/*
Region that clients sign for. The embedded servers accept any.
*/}}
{{- define "windrow.region" -}}
{{- .Values.aws.region | default "us-east-1" }}
{{- end }}

{{/*
Endpoints and credentials of the AWS clients. Without a Secret the SDK's default chain finds what IRSA or EKS Pod Identity
put into the pod. Takes a dict: root, sqs (whether the component talks to SQS).
*/}}
{{- define "windrow.awsEnv" -}}
{{- $dynamodb := .root.Values.aws.dynamodbEndpoint }}
{{- $sqs := .root.Values.aws.sqsEndpoint }}
{{- if .root.Values.localAws.enabled }}
{{- $host := include "windrow.componentName" (dict "root" .root "component" "local-aws") }}
{{- $dynamodb = printf "http://%s:8000" $host }}
{{- $sqs = printf "http://%s:9324" $host }}
{{- end }}
- name: AWS_REGION
  value: {{ include "windrow.region" .root | quote }}
{{- with $dynamodb }}
- name: QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE
  value: {{ . | quote }}
{{- end }}
{{- if and .sqs $sqs }}
- name: QUARKUS_SQS_ENDPOINT_OVERRIDE
  value: {{ $sqs | quote }}
{{- end }}
{{- if .root.Values.localAws.enabled }}
# The embedded servers accept every key, but the clients insist on having one.
- name: AWS_ACCESS_KEY_ID
  value: local
- name: AWS_SECRET_ACCESS_KEY
  value: local
{{- else if .root.Values.aws.existingSecret }}
- name: AWS_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.aws.existingSecret }}
      key: AWS_ACCESS_KEY_ID
- name: AWS_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.aws.existingSecret }}
      key: AWS_SECRET_ACCESS_KEY
- name: AWS_SESSION_TOKEN
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.aws.existingSecret }}
      key: AWS_SESSION_TOKEN
      optional: true
{{- end }}
{{- end }}

{{/*
The queue as KEDA and the policies name it.
*/}}
{{- define "windrow.queueUrl" -}}
{{- if .Values.aws.accountId }}
{{- printf "https://sqs.%s.%s/%s/%s" .Values.aws.region (include "windrow.dnsSuffix" .) .Values.aws.accountId .Values.aws.queue }}
{{- else }}
{{- .Values.aws.queue }}
{{- end }}
{{- end }}

{{/*
ARNs of the queues that the writer receives from, as a JSON list: its settings may name several, by name or URL. Dead letters
are replayed to the first.
*/}}
{{- define "windrow.sourceQueueArns" -}}
{{- $arns := list }}
{{- range index (.Values.writer.config | default dict) "windrow.writer.queues" | default .Values.aws.queue | toString | splitList "," }}
{{- with trim . }}
{{- $account := contains "/" . | ternary (base (dir .)) "" }}
{{- $arns = append $arns (printf "%s:%s" (include "windrow.arn" (dict "root" $ "service" "sqs" "account" $account)) (base .)) }}
{{- end }}
{{- end }}
{{- $arns | toRawJson }}
{{- end }}

{{- define "windrow.dnsSuffix" -}}
{{- ternary "amazonaws.com.cn" "amazonaws.com" (hasPrefix "cn-" .Values.aws.region) }}
{{- end }}

{{- define "windrow.partition" -}}
{{- if hasPrefix "cn-" .Values.aws.region }}aws-cn{{ else if hasPrefix "us-gov-" .Values.aws.region }}aws-us-gov{{ else }}aws{{ end }}
{{- end }}

{{/*
Prefix of the ARNs of the table and queues. Takes a dict: root, service, account (optional).
*/}}
{{- define "windrow.arn" -}}
{{- printf "arn:%s:%s:%s:%s" (include "windrow.partition" .root) .service .root.Values.aws.region (.account | default .root.Values.aws.accountId | default "<account id>") }}
{{- end }}
