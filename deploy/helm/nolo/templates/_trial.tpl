{{/* Where the simulators of a trial are, for browsers and for pods. */}}
{{- define "nolo.simulatorsUrl" -}}
http://simulators.localhost:{{ .Values.trial.simulatorsPort }}
{{- end -}}

{{/* The port of a store of a trial. */}}
{{- define "nolo.trialPort" -}}
{{ get (dict "postgres" 5432 "redis" 6379 "nats" 4222 "nats-state" 8222) . }}
{{- end -}}

{{/* The variable by which provisioning knows a service's address of the database. */}}
{{- define "nolo.databaseVariable" -}}
{{ upper . | replace "-" "_" }}_DATABASE_URL
{{- end -}}

{{/* The entries of `secrets`, as YAML. A trial has a Secret of its own for what it makes itself. */}}
{{- define "nolo.secrets" -}}
{{- $secrets := deepCopy .Values.secrets -}}
{{- if .Values.trial.enabled -}}
{{- $own := printf "%s-trial" (include "nolo.name" .) -}}
{{- range $entry, $key := dict "rpc" "RPC_SECRET" "cookie" "COOKIE_SECRET" "codePepper" "CODE_PEPPER" "factorKeys" "FACTOR_KEYS" "upload" "UPLOAD_SECRET" "webhookKeys" "WEBHOOK_KEYS" "socialTokenKeys" "SOCIAL_TOKEN_KEYS" "redisUrl" "REDIS_URL" "natsUrl" "NATS_URL" "provisionDatabaseUrl" "PROVISION_DATABASE_URL" -}}
{{- $_ := set $secrets $entry (dict "name" $own "key" $key) -}}
{{- end -}}
{{- if not .Values.oidc.issuer -}}
{{- $_ := set $secrets "oidcClientSecret" (dict "name" $own "key" "OIDC_CLIENT_SECRET") -}}
{{- end -}}
{{- range splitList " " (include "nolo.databaseServices" .) -}}
{{- $_ := set $secrets (printf "%sDatabaseUrl" .) (dict "name" $own "key" (include "nolo.databaseVariable" .)) -}}
{{- end -}}
{{- end -}}
{{ toYaml $secrets }}
{{- end -}}
