{{/* Returns the URL of a trial's simulators, for browsers and for pods. */}}
{{- define "nolo.simulatorsUrl" -}}
http://simulators.localhost:{{ .Values.trial.simulatorsPort }}
{{- end -}}

{{/* Returns the port of a trial's store. */}}
{{- define "nolo.trialPort" -}}
{{ get (dict "postgres" 5432 "redis" 6379 "nats" 4222 "nats-state" 8222) . }}
{{- end -}}

{{/* Returns the entries of `secrets`, as YAML. A trial generates most of them and stores them in its own Secret. */}}
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
