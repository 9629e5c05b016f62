{{/*
Least-privilege IAM policies as JSON; docs/operations.md explains each action.
*/}}
{{- define "windrow.writerPolicy" -}}
{{- $table := printf "%s:table/%s" (include "windrow.arn" (dict "root" . "service" "dynamodb")) .Values.aws.table }}
{{- $sqs := include "windrow.arn" (dict "root" . "service" "sqs") }}
{{- $sources := include "windrow.sourceQueueArns" . | fromJsonArray }}
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "WriteTable",
      "Effect": "Allow",
      "Action": ["dynamodb:UpdateItem", "dynamodb:GetItem", "dynamodb:DescribeTable"],
      "Resource": "{{ $table }}"
    },
    {
      "Sid": "ReceiveEvents",
      "Effect": "Allow",
      "Action": ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility", "sqs:GetQueueAttributes", "sqs:GetQueueUrl"],
      "Resource": {{ ternary (first $sources) $sources (eq (len $sources) 1) | toRawJson }}
    },
    {
      "Sid": "SendDeadLetters",
      "Effect": "Allow",
      "Action": ["sqs:SendMessage", "sqs:GetQueueAttributes", "sqs:GetQueueUrl"],
      "Resource": "{{ $sqs }}:{{ .Values.aws.deadLetterQueue }}"
    }
    {{- if has (index (.Values.writer.config | default dict) "windrow.writer.management.enabled" | toString | lower) (list "true" "yes" "y" "on" "1") }},
    {
      "Sid": "ReadDeadLetters",
      "Effect": "Allow",
      "Action": ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility"],
      "Resource": "{{ $sqs }}:{{ .Values.aws.deadLetterQueue }}"
    },
    {
      "Sid": "ReplayDeadLetters",
      "Effect": "Allow",
      "Action": ["sqs:SendMessage"],
      "Resource": "{{ first $sources }}"
    }
    {{- end }}
  ]
}
{{- end }}

{{- define "windrow.gatherPolicy" -}}
{{- $table := printf "%s:table/%s" (include "windrow.arn" (dict "root" . "service" "dynamodb")) .Values.aws.table }}
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "ReadTable",
      "Effect": "Allow",
      "Action": ["dynamodb:Query", "dynamodb:BatchGetItem", "dynamodb:DescribeTable"],
      "Resource": ["{{ $table }}", "{{ $table }}/index/scatter", "{{ $table }}/index/rank-*"]
    }
  ]
}
{{- end }}

{{- define "windrow.provisionPolicy" -}}
{{- $table := printf "%s:table/%s" (include "windrow.arn" (dict "root" . "service" "dynamodb")) .Values.aws.table }}
{{- $sqs := include "windrow.arn" (dict "root" . "service" "sqs") }}
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "CreateTable",
      "Effect": "Allow",
      "Action": ["dynamodb:CreateTable", "dynamodb:DescribeTable", "dynamodb:DescribeTimeToLive", "dynamodb:UpdateTimeToLive", "dynamodb:UpdateTable"],
      "Resource": "{{ $table }}"
    },
    {
      "Sid": "CreateQueues",
      "Effect": "Allow",
      "Action": ["sqs:CreateQueue", "sqs:GetQueueUrl", "sqs:GetQueueAttributes", "sqs:SetQueueAttributes"],
      "Resource": ["{{ $sqs }}:{{ .Values.aws.queue }}", "{{ $sqs }}:{{ .Values.aws.deadLetterQueue }}"]
    }
  ]
}
{{- end }}

{{- define "windrow.kedaPolicy" -}}
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "ReadQueueLength",
      "Effect": "Allow",
      "Action": ["sqs:GetQueueAttributes"],
      "Resource": "{{ include "windrow.arn" (dict "root" . "service" "sqs") }}:{{ .Values.aws.queue }}"
    }
  ]
}
{{- end }}

{{/*
The role is that of the writer's annotation for IRSA.
*/}}
{{- define "windrow.kedaAssumePolicy" -}}
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "AssumeWriterRole",
      "Effect": "Allow",
      "Action": ["sts:AssumeRole"],
      "Resource": "{{ index .Values.writer.serviceAccount.annotations "eks.amazonaws.com/role-arn" | default "<ARN of the writer's role>" }}"
    }
  ]
}
{{- end }}

{{- define "windrow.testPolicy" -}}
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "SendEvents",
      "Effect": "Allow",
      "Action": ["sqs:SendMessage", "sqs:GetQueueUrl"],
      "Resource": "{{ include "windrow.arn" (dict "root" . "service" "sqs") }}:{{ .Values.aws.queue }}"
    }
  ]
}
{{- end }}
