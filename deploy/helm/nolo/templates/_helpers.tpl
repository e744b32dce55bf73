{{/* Names and labels. */}}
{{- define "nolo.name" -}}
{{- if regexMatch "^[0-9]" .Release.Name -}}
{{- /* The name of a Service begins with a letter. */ -}}
{{- printf "%s-%s" .Chart.Name .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 45 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Lists the services that this release runs: all of services.json, except optional ones that are off. */}}
{{- define "nolo.services" -}}
{{- $services := list -}}
{{- range .Files.Get "files/serviceList.json" | fromJsonArray -}}
{{- $on := or (not .optional) (get $.Values .name).enabled -}}
{{- if eq .name "transcriber" }}{{ $on = include "nolo.transcribes" $ }}{{ end -}}
{{- if $on }}{{ $services = append $services .name }}{{ end -}}
{{- end -}}
{{ join " " $services }}
{{- end -}}

{{/* Returns the entry of a service in services.json, as JSON: (dict "root" $ "service" "chat"). */}}
{{- define "nolo.entry" -}}
{{- range .root.Files.Get "files/serviceList.json" | fromJsonArray -}}
{{- if eq .name $.service }}{{ toJson . }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Lists the services that a service calls and that this release runs: (dict "root" $ "service" "chat"). */}}
{{- define "nolo.calls" -}}
{{- $services := splitList " " (include "nolo.services" .root) -}}
{{- $calls := list -}}
{{- range (include "nolo.entry" . | fromJson).calls -}}
{{- if has . $services }}{{ $calls = append $calls . }}{{ end -}}
{{- end -}}
{{ join " " $calls }}
{{- end -}}

{{/* Lists everything with its own pods: the services, and the workers that publish posts and process payments. */}}
{{- define "nolo.components" -}}
{{ include "nolo.services" . }}{{ if (get .Values "social-scheduler").enabled }} social-worker{{ end }}{{ if .Values.billing.enabled }} billing-worker{{ end }}
{{- end -}}

{{/* Returns the service whose image and environment a component uses. Takes the name of the component. */}}
{{- define "nolo.serviceOf" -}}
{{ dig . . (dict "social-worker" "social-scheduler" "billing-worker" "billing") }}
{{- end -}}

{{/* Returns the values of a component, as YAML: (dict "root" $ "component" "chat"). */}}
{{- define "nolo.values" -}}
{{- $values := get .root.Values (include "nolo.serviceOf" .component) -}}
{{- $values = ternary $values.worker $values (hasSuffix "-worker" .component) -}}
{{- if .root.Values.trial.enabled -}}
{{- $values = deepCopy $values -}}
{{- $_ := set $values "replicas" 1 -}}
{{- $_ := set $values.autoscaling "enabled" false -}}
{{- end -}}
{{ toYaml $values }}
{{- end -}}

{{/* Returns true if an engine for voice notes is configured. */}}
{{- define "nolo.transcribes" -}}
{{- if and .Values.transcriber.url .Values.transcriber.modelClaim -}}
{{- fail "transcriber: name a url or a modelClaim, not both" -}}
{{- end -}}
{{- if or .Values.transcriber.url .Values.transcriber.modelClaim -}}true{{- end -}}
{{- end -}}

{{/* Lists the services that use PostgreSQL. */}}
{{- define "nolo.databaseServices" -}}
{{- $services := list -}}
{{- range .Files.Get "files/serviceList.json" | fromJsonArray -}}
{{- if has "postgres" .stores }}{{ $services = append $services .name }}{{ end -}}
{{- end -}}
{{ join " " $services }}
{{- end -}}

{{/* Lists the services that use PostgreSQL and that this release runs. */}}
{{- define "nolo.migratedServices" -}}
{{- $on := splitList " " (include "nolo.services" .) -}}
{{- $migrated := list -}}
{{- range $service := splitList " " (include "nolo.databaseServices" .) -}}
{{- if has $service $on }}{{ $migrated = append $migrated $service }}{{ end -}}
{{- end -}}
{{ join " " $migrated }}
{{- end -}}

{{/* Returns the variable with the database URL of a service, for jobs that need those of all services. */}}
{{- define "nolo.databaseVariable" -}}
{{ upper . | replace "-" "_" }}_DATABASE_URL
{{- end -}}

{{/* Returns the database URLs of all services as variables: (dict "root" $ "secrets" .Values.secrets). */}}
{{- define "nolo.databaseVariables" -}}
{{- range splitList " " (include "nolo.databaseServices" .root) }}
{{ include "nolo.secretVariable" (dict "variable" (include "nolo.databaseVariable" .) "from" (get $.secrets (printf "%sDatabaseUrl" .))) }}
{{- end }}
{{- end -}}

{{/* Returns the container that migrates one service: (dict "root" $ "service" "chat"). */}}
{{- define "nolo.migration" -}}
- name: {{ .service }}
  image: {{ include "nolo.image" (dict "root" .root "component" "migrate") | quote }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  command: [node, services/{{ .service }}/src/migrate.ts]
  securityContext:
    {{- include "nolo.containerSecurityContext" .root | nindent 4 }}
  env:
    {{- include "nolo.secretVariable" (dict "variable" "DATABASE_URL" "from" (get .root.Values.secrets (printf "%sDatabaseUrl" .service))) | nindent 4 }}
  resources:
    {{- toYaml .root.Values.migration.resources | nindent 4 }}
{{- end -}}

{{/* Takes (dict "root" $ "component" "chat"). */}}
{{- define "nolo.selectorLabels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "nolo.labels" -}}
{{ include "nolo.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: nolo
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "nolo.image" -}}
{{- $image := .root.Values.image -}}
{{- with $image.registry }}{{ . }}/{{ end -}}
{{ $image.repository }}/{{ .component }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{/* Returns the URL by which browsers reach Nolo. The default of a trial is where kubectl port-forward listens. */}}
{{- define "nolo.publicUrl" -}}
{{- if and .Values.trial.enabled (not .Values.publicUrl) -}}
http://localhost:8080
{{- else -}}
{{ required "publicUrl is missing: how browsers reach Nolo, for example https://nolo.example.org" .Values.publicUrl }}
{{- end -}}
{{- end -}}

{{/* Returns how the gateway is exposed. A trial needs no Gateway. */}}
{{- define "nolo.exposure" -}}
{{- $exposure := .Values.exposure -}}
{{- if and .Values.trial.enabled (eq $exposure.type "gatewayApi") (not $exposure.gatewayApi.parentRefs) -}}
none
{{- else -}}
{{ $exposure.type }}
{{- end -}}
{{- end -}}

{{/* Returns the host names that browsers use, as a JSON list. */}}
{{- define "nolo.hostnames" -}}
{{- if .Values.exposure.hostnames -}}
{{ .Values.exposure.hostnames | toJson }}
{{- else -}}
{{ list (regexReplaceAll ":[0-9]+$" (urlParse (include "nolo.publicUrl" .)).host "") | toJson }}
{{- end -}}
{{- end -}}

{{/* Returns a variable whose value is in a Secret: (dict "variable" "REDIS_URL" "from" .Values.secrets.redisUrl). */}}
{{- define "nolo.secretVariable" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ required (printf "secrets: the name of the Secret for %s is missing" .variable) .from.name | quote }}
      key: {{ required (printf "secrets: the key for %s is missing" .variable) .from.key | quote }}
{{- end -}}

{{- define "nolo.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "nolo.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Returns where a pod may run, and the Secrets for pulling its images. */}}
{{- define "nolo.placement" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- end -}}

{{/* Returns true if uploads are on a volume that only one node can write to. */}}
{{- define "nolo.filesOnOneNode" -}}
{{- $persistence := .Values.files.persistence -}}
{{- if and (not .Values.trial.enabled) (not $persistence.existingClaim) (not (has "ReadWriteMany" $persistence.accessModes)) -}}true{{- end -}}
{{- end -}}
