{{/*
The Deployment of a service. Takes a dict: root, component, values, scaled (whether a scaler owns the number of replicas),
port, managementPort, env, lifecycle (hooks that the values may replace), and mounts and volumes of this service alone; env,
mounts and volumes are text, empty for none.
*/}}
{{- define "windrow.deployment" -}}
{{- /* Merged with a preStop of the values, the chart's would be a second handler, which Kubernetes refuses. */}}
{{- $hooks := .values.lifecycleHooks }}
{{- if not (hasKey $hooks "preStop") }}
{{- $hooks = merge dict $hooks .lifecycle }}
{{- end }}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "windrow.metadata" (merge (dict "annotations" .values.deploymentAnnotations) .) | nindent 2 }}
spec:
  {{- if not .scaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  {{- $strategy := .values.strategy }}
  {{- $most := .scaled | ternary ((.values.keda).maxReplicas | default 0) .values.replicas }}
  {{- if and (eq .component "writer") (ge ($most | int) 64) (ne $strategy.type "Recreate") }}
  {{- /* All lanes of the journal are taken: a pod more would not get ready, and the rollout never end. */}}
  {{- $strategy = dict "type" $strategy.type "rollingUpdate" (dict "maxSurge" 0 "maxUnavailable" 1) }}
  {{- end }}
  strategy:
    {{- ternary (omit $strategy "rollingUpdate") $strategy (eq $strategy.type "Recreate") | toYaml | nindent 4 }}
  selector:
    matchLabels:
      {{- include "windrow.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "windrow.labels" (merge (dict "extra" .values.podLabels) .) | nindent 8 }}
      {{- with merge dict (include "windrow.datasetsChecksum" .root | fromYaml) (include "windrow.configChecksum" . | fromYaml) .values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "windrow.podSettings" . | nindent 6 }}
      {{- include "windrow.topologySpread" . | nindent 6 }}
      # The sleep of preStop, the drain, and 15 s to end after it.
      terminationGracePeriodSeconds: {{ add ((($hooks.preStop).sleep).seconds | default 0) .values.drainSeconds 15 }}
      {{- with .values.extraInitContainers }}
      initContainers:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "windrow.image" (dict "root" .root "image" .values.image) }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          terminationMessagePolicy: FallbackToLogsOnError
          securityContext:
            {{- toYaml .root.Values.securityContext | nindent 12 }}
          env:
            {{- .env | nindent 12 }}
            {{- include "windrow.configEnv" . | nindent 12 }}
            {{- with .values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          {{- with .values.extraEnvFrom }}
          envFrom:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            - name: http
              containerPort: {{ .port }}
              protocol: TCP
            - name: management
              containerPort: {{ .managementPort }}
              protocol: TCP
          {{- include "windrow.probes" .values | nindent 10 }}
          {{- with $hooks }}
          lifecycle:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            {{- include "windrow.datasetsMount" .root | nindent 12 }}
            {{- include "windrow.configMount" . | nindent 12 }}
            {{- include "windrow.temporaryMount" .root | nindent 12 }}
            {{- .mounts | nindent 12 }}
            {{- with .values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
        {{- with .values.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
        {{- include "windrow.datasetsVolume" .root | nindent 8 }}
        {{- include "windrow.configVolume" . | nindent 8 }}
        {{- include "windrow.temporaryVolume" .root | nindent 8 }}
        {{- .volumes | nindent 8 }}
        {{- with .values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end }}
