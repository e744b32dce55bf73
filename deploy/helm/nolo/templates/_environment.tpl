{{/* The environment of one service: (dict "root" $ "component" "chat"). Names as in .env.example. */}}
{{- define "nolo.environment" -}}
{{- $values := .root.Values -}}
{{- $secrets := $values.secrets -}}
{{- $name := include "nolo.name" .root -}}
- name: NOLO_MODE
  value: production
- name: LOG_LEVEL
  value: {{ $values.logLevel }}
- name: METRICS_LISTEN
  value: 0.0.0.0:9464
- name: REDIS_PREFIX
  value: {{ $values.redisPrefix | quote }}
- name: NATS_PREFIX
  value: {{ $values.natsPrefix | quote }}
{{ include "nolo.secretVariable" (dict "variable" "REDIS_URL" "from" $secrets.redisUrl) }}
{{ include "nolo.secretVariable" (dict "variable" "NATS_URL" "from" $secrets.natsUrl) }}
{{ include "nolo.secretVariable" (dict "variable" "RPC_SECRET" "from" $secrets.rpc) }}
{{- if ne .component "gateway" }}
- name: RPC_LISTEN
  value: 0.0.0.0:7000
{{ include "nolo.secretVariable" (dict "variable" "DATABASE_URL" "from" (get $secrets (printf "%sDatabaseUrl" .component))) }}
{{- end }}
{{- if eq .component "gateway" }}
- name: HOST
  value: 0.0.0.0
- name: PORT
  value: "8080"
- name: PUBLIC_URL
  value: {{ required "publicUrl is missing: how browsers reach Nolo, for example https://nolo.example.org" $values.publicUrl | quote }}
- name: TRUST_PROXY
  value: {{ $values.exposure.trustedProxies | quote }}
- name: IDENTITY_ADDR
  value: {{ $name }}-identity:7000
- name: CHAT_ADDR
  value: {{ $name }}-chat:7000
- name: FILES_ADDR
  value: {{ $name }}-files:7000
{{ include "nolo.secretVariable" (dict "variable" "COOKIE_SECRET" "from" $secrets.cookie) }}
{{- with $values.oidc.issuer }}
- name: OIDC_ISSUER
  value: {{ . | quote }}
- name: OIDC_CLIENT_ID
  value: {{ $values.oidc.clientId | quote }}
{{ include "nolo.secretVariable" (dict "variable" "OIDC_CLIENT_SECRET" "from" $secrets.oidcClientSecret) }}
{{- end }}
{{- else if eq .component "identity" }}
- name: SMS_PROVIDER
  value: twilio
- name: TWILIO_ACCOUNT_SID
  value: {{ required "twilio.accountSid is missing" $values.twilio.accountSid | quote }}
- name: TWILIO_FROM
  value: {{ required "twilio.from is missing" $values.twilio.from | quote }}
{{ include "nolo.secretVariable" (dict "variable" "TWILIO_AUTH_TOKEN" "from" $secrets.twilioAuthToken) }}
{{ include "nolo.secretVariable" (dict "variable" "CODE_PEPPER" "from" $secrets.codePepper) }}
{{- else if eq .component "chat" }}
- name: DATABASE_POOL_MAX
  value: {{ $values.chat.databasePoolMax | quote }}
{{- else if eq .component "files" }}
- name: FILES_DRIVER
  value: folder
- name: FILES_DIR
  value: /data
{{ include "nolo.secretVariable" (dict "variable" "UPLOAD_SECRET" "from" $secrets.upload) }}
{{- end }}
{{- with concat $values.extraEnv (get $values .component).extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}
