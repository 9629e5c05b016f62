{{/*
Name of the chart as a label.
*/}}
{{- define "windrow.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
Stem of every object's name: at most 40 characters, so that every suffix still fits into the 63 of a DNS label. A stem
that has to be cut ends in a hash of the whole, or two long release names with the same beginning would collide. For the same
reason the chart's name is left out only where the release has just that name: "a" and "a-windrow" must stay apart.
*/}}
{{- define "windrow.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (eq $name .Release.Name) }}
{{- $full = default $full .Values.fullnameOverride }}
{{- if gt (len $full) 40 }}
{{- $full = printf "%s-%s" ($full | trunc 31 | trimSuffix "-") ($full | sha256sum | trunc 8) }}
{{- end }}
{{- $full | trimSuffix "-" }}
{{- end }}

{{/*
Name of a component's objects. Takes a dict: root, component.
*/}}
{{- define "windrow.componentName" -}}
{{- printf "%s-%s" (include "windrow.fullname" .root) .component }}
{{- end }}

{{/*
The labels that selectors use. They never change for a release: Kubernetes refuses to change a Deployment's selector.
Takes a dict: root, component.
*/}}
{{- define "windrow.selectorLabels" -}}
app.kubernetes.io/name: {{ include "windrow.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/*
All labels of an object; additional ones cannot replace those of the chart. Takes a dict: root, component, extra (optional).
*/}}
{{- define "windrow.labels" -}}
{{- $own := fromYaml (include "windrow.selectorLabels" .) }}
{{- $own = merge $own (dict
    "app.kubernetes.io/version" (.root.Chart.AppVersion | toString)
    "app.kubernetes.io/managed-by" .root.Release.Service
    "app.kubernetes.io/part-of" "windrow"
    "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-")) }}
{{- merge $own (.extra | default dict) .root.Values.commonLabels | toYaml }}
{{- end }}

{{/*
Metadata of an object. Takes a dict: root, component, and optionally name, namespace, extra (labels) and annotations.
*/}}
{{- define "windrow.metadata" -}}
name: {{ .name | default (include "windrow.componentName" .) }}
namespace: {{ .namespace | default .root.Release.Namespace }}
labels:
  {{- include "windrow.labels" . | nindent 2 }}
{{- with merge dict (.annotations | default dict) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/*
Name of the gatherer's Service for metrics and health.
*/}}
{{- define "windrow.managementService" -}}
{{- printf "%s-management" (include "windrow.componentName" (dict "root" . "component" "gather")) }}
{{- end }}

{{/*
Image of a component: by digest if there is one. Takes a dict: root, image.
*/}}
{{- define "windrow.image" -}}
{{- $repository := .image.repository }}
{{- with .root.Values.global.imageRegistry | default .root.Values.image.registry }}
{{- $repository = printf "%s/%s" (trimSuffix "/" .) $repository }}
{{- end }}
{{- if .image.digest }}
{{- printf "%s@%s" $repository .image.digest }}
{{- else }}
{{- printf "%s:%s" $repository (.image.tag | default .root.Values.image.tag | default .root.Chart.AppVersion) }}
{{- end }}
{{- end }}

{{/*
Service account of a component. Takes a dict: root, component, values.
*/}}
{{- define "windrow.serviceAccountName" -}}
{{- if .values.serviceAccount.create }}
{{- default (include "windrow.componentName" .) .values.serviceAccount.name }}
{{- else }}
{{- default "default" .values.serviceAccount.name }}
{{- end }}
{{- end }}

{{/*
Where and how pods of a component run, without their containers. Takes a dict: root, component, values.
*/}}
{{- define "windrow.podSettings" -}}
serviceAccountName: {{ include "windrow.serviceAccountName" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- include "windrow.pullSecrets" .root }}
securityContext:
  {{- toYaml .root.Values.podSecurityContext | nindent 2 }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- if not .values.hostUsers }}
hostUsers: false
{{- end }}
{{- with .values.hostAliases }}
hostAliases:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.dnsPolicy }}
dnsPolicy: {{ . }}
{{- end }}
{{- with .values.dnsConfig }}
dnsConfig:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/*
Secrets of registries, those for all charts of a parent first. Theirs may be plain names, as other charts have them.
*/}}
{{- define "windrow.pullSecrets" -}}
{{- $names := list }}
{{- range concat (.Values.global.imagePullSecrets | default list) .Values.image.pullSecrets }}
{{- if kindIs "string" . }}
{{- $names = append $names . }}
{{- else }}
{{- $names = append $names .name }}
{{- end }}
{{- end }}
{{- with uniq $names }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{/*
Spreads the pods of a component over zones and nodes. Pods of other revisions do not count, or a rolling update would pile the
new pods up where the old ones are not. Takes a dict: root, component, values.
*/}}
{{- define "windrow.topologySpread" -}}
{{- if .values.topologySpread.enabled }}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: {{ $.values.topologySpread.whenUnsatisfiable }}
    labelSelector:
      matchLabels:
        {{- include "windrow.selectorLabels" $ | nindent 8 }}
    matchLabelKeys:
      - pod-template-hash
  {{- end }}
{{- end }}
{{- end }}

{{/*
Whether there is a test; empty if not. With OpenID Connect there is none: it would need an access token.
*/}}
{{- define "windrow.hasTest" -}}
{{- if and .Values.tests.enabled (ne .Values.gather.authentication.type "oidc") -}}
true
{{- end }}
{{- end }}

{{/*
Probes of a service, as its values have them. Takes the service's values.
*/}}
{{- define "windrow.probes" -}}
{{- range $name := list "startupProbe" "livenessProbe" "readinessProbe" }}
{{- with index $ $name }}
{{ $name }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/*
What Kubernetes refuses about the gatherer's Service, as a list. Takes the service's values.
*/}}
{{- define "windrow.serviceProblems" -}}
{{- $problems := list }}
{{- range $field, $types := dict
  "nodePort" (list "NodePort" "LoadBalancer")
  "externalTrafficPolicy" (list "NodePort" "LoadBalancer")
  "loadBalancerClass" (list "LoadBalancer")
  "loadBalancerIP" (list "LoadBalancer")
  "loadBalancerSourceRanges" (list "LoadBalancer") }}
{{- if and (index $ $field) (not (has $.type $types)) }}
{{- $problems = append $problems (printf "gather.service.%s: expected gather.service.type %s" $field (join " or " $types)) }}
{{- end }}
{{- end }}
{{- if and .sessionAffinityConfig (ne .sessionAffinity "ClientIP") }}
{{- $problems = append $problems "gather.service.sessionAffinityConfig: expected gather.service.sessionAffinity ClientIP" }}
{{- end }}
{{- if and (eq .clusterIP "None") (ne .type "ClusterIP") }}
{{- $problems = append $problems "gather.service.clusterIP: expected an address with gather.service.type other than ClusterIP" }}
{{- end }}
{{- toYaml $problems }}
{{- end }}

{{/*
Fails with a list of all contradictions between values, which a schema cannot express.
*/}}
{{- define "windrow.validate" -}}
{{- $problems := list }}
{{- $local := .Values.localAws.enabled }}
{{- if and $local .Values.provision.enabled }}
{{- $problems = append $problems "provision.enabled: must be false with localAws.enabled, as the embedded servers create table and queues themselves" }}
{{- end }}
{{- if and $local .Values.writer.keda.enabled }}
{{- $problems = append $problems "writer.keda.enabled: must be false with localAws.enabled, as KEDA cannot read the embedded queue" }}
{{- end }}
{{- if and .Values.writer.keda.enabled (hasKey (.Values.writer.config | default dict) "windrow.writer.queues") }}
{{- $problems = append $problems "writer.config: windrow.writer.queues: must be empty with writer.keda.enabled, as KEDA looks at aws.queue alone; install a release for each queue" }}
{{- end }}
{{- if and (not $local) (not .Values.aws.region) }}
{{- $problems = append $problems "aws.region: expected the AWS region of table and queues, such as eu-central-1 (or localAws.enabled=true for a trial without AWS)" }}
{{- end }}
{{- if and $local (or .Values.aws.dynamodbEndpoint .Values.aws.sqsEndpoint) }}
{{- $problems = append $problems "aws.dynamodbEndpoint, aws.sqsEndpoint: must be empty with localAws.enabled" }}
{{- end }}
{{- $fifo := ternary ".fifo" "" (hasSuffix ".fifo" .Values.aws.queue) }}
{{- if ne (hasSuffix ".fifo" .Values.aws.deadLetterQueue) (hasSuffix ".fifo" .Values.aws.queue) }}
{{- $problems = append $problems (printf "aws.deadLetterQueue: expected a FIFO queue if and only if aws.queue is one, as SQS demands, found %s beside %s" .Values.aws.deadLetterQueue .Values.aws.queue) }}
{{- end }}
{{- $deadLetterQueue := printf "%s-dlq%s" (trimSuffix $fifo .Values.aws.queue) $fifo }}
{{- if and $local (ne .Values.aws.deadLetterQueue $deadLetterQueue) }}
{{- $problems = append $problems (printf "aws.deadLetterQueue: expected %s with localAws.enabled, as the embedded servers name it so" $deadLetterQueue) }}
{{- end }}
{{- if and .Values.windrow.datasets .Values.existingDatasets.configMap }}
{{- $problems = append $problems "windrow.datasets: must be empty when existingDatasets.configMap is given" }}
{{- end }}
{{- if not (or $local .Values.windrow.datasets .Values.existingDatasets.configMap) }}
{{- $problems = append $problems "windrow.datasets: expected at least one dataset; a dataset file is a values file: helm install -f datasets.yaml" }}
{{- end }}
{{- if and (not $local) (not .Values.gather.authentication.type) }}
{{- $problems = append $problems "gather.authentication.type: expected api-key, oidc or none (none is the default only with localAws.enabled)" }}
{{- end }}
{{- if and (eq .Values.gather.authentication.type "api-key") (not .Values.gather.authentication.apiKey.existingSecret) }}
{{- $problems = append $problems "gather.authentication.apiKey.existingSecret: expected the name of a Secret with type api-key" }}
{{- end }}
{{- if and (eq .Values.gather.authentication.type "oidc") (not .Values.gather.authentication.oidc.authServerUrl) }}
{{- $problems = append $problems "gather.authentication.oidc.authServerUrl: expected the URL of the OpenID Connect server with type oidc" }}
{{- end }}
{{- if gt (int .Values.writer.keda.minReplicas) (int .Values.writer.keda.maxReplicas) }}
{{- $problems = append $problems "writer.keda.minReplicas: expected at most writer.keda.maxReplicas" }}
{{- end }}
{{- if gt (int .Values.gather.autoscaling.minReplicas) (int .Values.gather.autoscaling.maxReplicas) }}
{{- $problems = append $problems "gather.autoscaling.minReplicas: expected at most gather.autoscaling.maxReplicas" }}
{{- end }}
{{- if and .Values.gather.httpRoute.enabled (not .Values.gather.httpRoute.parentRefs) }}
{{- $problems = append $problems "gather.httpRoute.parentRefs: expected at least one gateway" }}
{{- end }}
{{- if not .Values.enabled }}
{{- $problems = append $problems "enabled: must be true; a parent chart leaves this chart out by naming the value in the condition of its dependency" }}
{{- end }}
{{- if and .Values.monitoring.serviceMonitor.enabled .Values.monitoring.podMonitor.enabled }}
{{- $problems = append $problems "monitoring.podMonitor.enabled: must be false with monitoring.serviceMonitor.enabled, or every pod is scraped twice" }}
{{- end }}
{{- if (.Values.writer.keda.advanced.horizontalPodAutoscalerConfig).behavior }}
{{- $problems = append $problems "writer.keda.advanced.horizontalPodAutoscalerConfig.behavior: must be empty; set writer.keda.behavior" }}
{{- end }}
{{- $problems = concat $problems (include "windrow.serviceProblems" .Values.gather.service | fromYamlArray) }}
{{- $writer := dict "component" "writer" "other" "gather" "values" .Values.writer "env" (include "windrow.writerEnv" . | fromYamlArray) }}
{{- $gather := dict "component" "gather" "other" "writer" "values" .Values.gather "env" (include "windrow.gatherEnv" . | fromYamlArray) }}
{{- $problems = concat $problems (include "windrow.configProblems" $writer | fromYamlArray) (include "windrow.configProblems" $gather | fromYamlArray) }}
{{- range $section := list "datasets" "events" }}
{{- $numbers := dict "path" (printf "windrow.%s" $section) "value" (index $.Values.windrow $section) "key" "" "parent" "" }}
{{- $problems = concat $problems (include "windrow.numberProblems" $numbers | fromYamlArray) }}
{{- end }}
{{- if and .Values.gather.ingress.enabled (not .Values.gather.ingress.hosts) }}
{{- $problems = append $problems "gather.ingress.hosts: expected at least one host" }}
{{- end }}
{{- range $name, $dataset := .Values.windrow.datasets }}
{{- $path := printf "windrow.datasets.%s" $name }}
{{- $words := dict $path $name (printf "%s.event-type" $path) (index $dataset "event-type") }}
{{- range $i, $attribute := $dataset.label }}
{{- $words = set $words (printf "%s.label[%d]" $path $i) $attribute }}
{{- end }}
{{- range $measure, $declaration := $dataset.measures }}
{{- $words = set $words (printf "%s.measures.%s" $path $measure) $measure }}
{{- $words = set $words (printf "%s.measures.%s.attribute" $path $measure) $declaration.attribute }}
{{- end }}
{{- range $field, $word := $words }}
{{- if has (toString $word) (list "true" "false") }}
{{- $problems = append $problems (printf "%s: expected text other than true and false, which is what YAML makes of y, yes, on, n, no and off without quotes: quote the name, such as \"n\"" $field) }}
{{- end }}
{{- end }}
{{- end }}
{{- if $problems }}
{{- fail (printf "\n\nThe values do not fit together:\n  - %s\n" (join "\n  - " $problems)) }}
{{- end }}
{{- end }}
