{{/*
Returns the environment of a service or of its worker: (dict "root" $ "component" "chat" "worker" false). The variables are
those of .env.example; addresses of services follow from services.json.
*/}}
{{- define "nolo.environment" -}}
{{- $values := .root.Values -}}
{{- $trial := $values.trial.enabled -}}
{{- $simulators := include "nolo.simulatorsUrl" .root -}}
{{- $secrets := include "nolo.secrets" .root | fromYaml -}}
{{- $name := include "nolo.name" .root -}}
- name: NOLO_MODE
  value: {{ ternary "demo" "production" $trial }}
- name: LOG_LEVEL
  value: {{ $values.logLevel }}
- name: METRICS_LISTEN
  value: 0.0.0.0:9464
{{- if ne .component "media-sfu" }}
- name: REDIS_PREFIX
  value: {{ $values.redisPrefix | quote }}
{{ include "nolo.secretVariable" (dict "variable" "REDIS_URL" "from" $secrets.redisUrl) }}
{{- end }}
- name: NATS_PREFIX
  value: {{ $values.natsPrefix | quote }}
{{ include "nolo.secretVariable" (dict "variable" "NATS_URL" "from" $secrets.natsUrl) }}
{{ include "nolo.secretVariable" (dict "variable" "RPC_SECRET" "from" $secrets.rpc) }}
{{- with $values.tracing.endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ . | quote }}
- name: OTEL_TRACES_SAMPLER_ARG
  value: {{ $values.tracing.sampleRatio | quote }}
- name: OTEL_RESOURCE_ATTRIBUTES
  value: k8s.namespace.name={{ $.root.Release.Namespace }}
{{- if $values.tracing.authenticated }}
{{ include "nolo.secretVariable" (dict "variable" "OTEL_EXPORTER_OTLP_HEADERS" "from" $secrets.tracingHeaders) }}
{{- end }}
{{- end }}
{{- if ne .component "gateway" }}
- name: RPC_LISTEN
  value: 0.0.0.0:7000
{{- end }}
{{- if has .component (splitList " " (include "nolo.databaseServices" .root)) }}
{{ include "nolo.secretVariable" (dict "variable" "DATABASE_URL" "from" (get $secrets (printf "%sDatabaseUrl" .component))) }}
{{- end }}
{{- range compact (splitList " " (include "nolo.calls" (dict "root" .root "service" .component))) }}
- name: {{ upper . | replace "-" "_" }}_ADDR
  value: {{ $name }}-{{ . }}:7000
{{- end }}
{{- if eq .component "gateway" }}
- name: HOST
  value: 0.0.0.0
- name: PORT
  value: "8080"
- name: PUBLIC_URL
  value: {{ include "nolo.publicUrl" .root | quote }}
- name: TRUST_PROXY
  value: {{ ternary 0 $values.exposure.trustedProxies (and $trial (eq (include "nolo.exposure" .root) "none")) | quote }}
{{- with $values.passkeyRpId }}
- name: PASSKEY_RP_ID
  value: {{ . | quote }}
{{- end }}
{{- with $values.mail.from }}
- name: MAIL_FROM
  value: {{ . | quote }}
{{- end }}
- name: LINK_PREVIEWS
  value: {{ ternary "on" "off" $values.linkPreviews | quote }}
- name: LINK_IMPORTS
  value: {{ ternary "on" "off" $values.linkImports | quote }}
- name: MEDIA_FRAMES
  value: {{ ternary "on" "off" $values.mediaFrames | quote }}
- name: NEW_ACCOUNT_HOURS
  value: {{ $values.newAccountHours | quote }}
{{- with $values.messagesKeptDays }}
- name: MESSAGES_KEPT_DAYS
  value: {{ . | quote }}
{{- end }}
{{- if and (eq $values.files.driver "s3") $values.files.s3.publicEndpoint }}
- name: UPLOAD_ORIGIN
  value: {{ regexFind "^https?://[^/]+" $values.files.s3.publicEndpoint | quote }}
{{- end }}
{{- if $values.backgroundModel.configMap }}
- name: BACKGROUND_MODEL_FILE
  value: /models/background.tflite
{{- end }}
# Grace period minus drainSeconds, in which load balancers notice, and minus 5 s to release everything else.
- name: DRAIN_SECONDS
  value: {{ min 300 (max 1 (sub (sub $values.terminationGracePeriodSeconds $values.drainSeconds) 5)) | quote }}
{{ include "nolo.secretVariable" (dict "variable" "COOKIE_SECRET" "from" $secrets.cookie) }}
{{- if $trial }}
- name: OUTBOX_PAGE_URL
  value: {{ $simulators }}/outbox
- name: PAYMENT_FORM_ORIGINS
  value: {{ $simulators }}
{{- end }}
{{- with ternary (printf "%s/oidc" $simulators) $values.oidc.issuer (and $trial (not $values.oidc.issuer)) }}
- name: OIDC_ISSUER
  value: {{ . | quote }}
- name: OIDC_CLIENT_ID
  value: {{ $values.oidc.clientId | quote }}
{{ include "nolo.secretVariable" (dict "variable" "OIDC_CLIENT_SECRET" "from" $secrets.oidcClientSecret) }}
{{- end }}
{{- else if eq .component "identity" }}
- name: PUBLIC_URL
  value: {{ include "nolo.publicUrl" .root | quote }}
{{- if $values.places.claim }}
- name: GEOIP_DATABASE_FILE
  value: /places/{{ $values.places.file }}
{{- end }}
{{- if $trial }}
- name: SMS_PROVIDER
  value: outbox
- name: OUTBOX_URL
  value: {{ $simulators }}
{{- else }}
- name: SMS_PROVIDER
  value: twilio
- name: TWILIO_ACCOUNT_SID
  value: {{ required "twilio.accountSid is missing" $values.twilio.accountSid | quote }}
- name: TWILIO_FROM
  value: {{ required "twilio.from is missing" $values.twilio.from | quote }}
{{ include "nolo.secretVariable" (dict "variable" "TWILIO_AUTH_TOKEN" "from" $secrets.twilioAuthToken) }}
{{- end }}
{{ include "nolo.secretVariable" (dict "variable" "CODE_PEPPER" "from" $secrets.codePepper) }}
{{ include "nolo.secretVariable" (dict "variable" "FACTOR_KEYS" "from" $secrets.factorKeys) }}
{{- with $values.mail.from }}
- name: MAIL_FROM
  value: {{ . | quote }}
{{ include "nolo.secretVariable" (dict "variable" "SMTP_URL" "from" $secrets.smtpUrl) }}
{{- end }}
{{- else if eq .component "chat" }}
- name: DATABASE_POOL_MAX
  value: {{ $values.chat.databasePoolMax | quote }}
{{- with $values.messagesKeptDays }}
- name: MESSAGES_KEPT_DAYS
  value: {{ . | quote }}
{{- end }}
{{- else if eq .component "files" }}
- name: STORAGE_PLAN
  value: {{ $values.files.plan }}
- name: FILES_DRIVER
  value: {{ $values.files.driver }}
{{- if eq $values.files.driver "folder" }}
- name: FILES_DIR
  value: /data
{{- else }}
{{- with $values.files.s3 }}
- name: S3_BUCKET
  value: {{ required "files.s3.bucket is missing" .bucket | quote }}
- name: S3_REGION
  value: {{ .region | quote }}
- name: S3_PATH_STYLE
  value: {{ .pathStyle | quote }}
{{- if .endpoint }}
- name: S3_ENDPOINT
  value: {{ .endpoint | quote }}
{{- end }}
{{- if .publicEndpoint }}
- name: S3_PUBLIC_ENDPOINT
  value: {{ .publicEndpoint | quote }}
{{- end }}
{{- if .sts.roleArn }}
- name: S3_STS_ROLE_ARN
  value: {{ .sts.roleArn | quote }}
{{- end }}
{{- if .sts.endpoint }}
- name: S3_STS_ENDPOINT
  value: {{ .sts.endpoint | quote }}
{{- end }}
{{- end }}
{{ include "nolo.secretVariable" (dict "variable" "S3_ACCESS_KEY_ID" "from" $secrets.s3AccessKeyId) }}
{{ include "nolo.secretVariable" (dict "variable" "S3_SECRET_ACCESS_KEY" "from" $secrets.s3SecretAccessKey) }}
{{- end }}
{{ include "nolo.secretVariable" (dict "variable" "UPLOAD_SECRET" "from" $secrets.upload) }}
{{- else if eq .component "meetings" }}
- name: MEETING_PLAN
  value: {{ $values.meetings.plan }}
{{- if ne (toString $values.meetings.minutes) "" }}
- name: MEETING_MINUTES
  value: {{ $values.meetings.minutes | quote }}
{{- end }}
- name: MEETING_WARNING_SECONDS
  value: {{ $values.meetings.warningSeconds | quote }}
- name: CALL_RING_SECONDS
  value: {{ $values.meetings.ringSeconds | quote }}
- name: ROOM_NODE_PEERS
  value: {{ $values.meetings.peersPerNode | quote }}
{{- with $values.meetings.iceUrls }}
- name: ICE_URLS
  value: {{ join "," . | quote }}
{{- if contains "turn" (join "," .) }}
{{ include "nolo.secretVariable" (dict "variable" "TURN_SECRET" "from" $secrets.turn) }}
{{- end }}
{{- end }}
{{- else if eq .component "transcriber" }}
{{- with $values.transcriber }}
{{- if .url }}
- name: TRANSCRIBE_URL
  value: {{ .url | quote }}
- name: TRANSCRIBE_MODEL
  value: {{ .model | quote }}
{{- if .authenticated }}
{{ include "nolo.secretVariable" (dict "variable" "TRANSCRIBE_API_KEY" "from" $secrets.transcribeKey) }}
{{- end }}
{{- else }}
- name: TRANSCRIBE_MODEL_DIR
  value: {{ clean (printf "/model/%s" .modelFolder) | quote }}
{{- end }}
- name: TRANSCRIBE_CONCURRENCY
  value: {{ .concurrency | quote }}
- name: TRANSCRIBE_PLAN
  value: {{ .plan }}
{{- end }}
{{- else if eq .component "social-scheduler" }}
- name: PUBLIC_URL
  value: {{ include "nolo.publicUrl" .root | quote }}
# The service answers users and the worker publishes, so that neither blocks the other.
- name: SOCIAL_PUBLISHES
  value: {{ .worker | quote }}
{{ include "nolo.secretVariable" (dict "variable" "SOCIAL_TOKEN_KEYS" "from" $secrets.socialTokenKeys) }}
{{- if $trial }}
# Excludes Instagram, Threads and Facebook: they fetch media from PUBLIC_URL, which the simulators cannot reach.
{{- range $name, $platform := dict "X" "twitter" "LINKEDIN" "linkedin" }}
- name: {{ $name }}_CLIENT_ID
  value: nolo
- name: {{ $name }}_CLIENT_SECRET
  value: simulated-platform-secret
- name: {{ $name }}_URL
  value: {{ $simulators }}/platforms/{{ $platform }}
{{- end }}
- name: LINKEDIN_ORGANISATIONS
  value: "true"
- name: MASTODON_SERVERS
  value: {{ $simulators }}/platforms/mastodon
- name: BLUESKY_URL
  value: {{ $simulators }}/platforms/bluesky
{{- else }}
{{- with get $values "social-scheduler" }}
{{- range $platform, $clientId := .clientIds }}
{{- if $clientId }}
- name: {{ upper $platform }}_CLIENT_ID
  value: {{ $clientId | quote }}
{{ include "nolo.secretVariable" (dict "variable" (printf "%s_CLIENT_SECRET" (upper $platform)) "from" (dict "name" $secrets.socialTokenKeys.name "key" (printf "%s_CLIENT_SECRET" (upper $platform)))) }}
{{- end }}
{{- end }}
- name: LINKEDIN_ORGANISATIONS
  value: {{ .linkedinOrganisations | quote }}
{{- with .mastodonServers }}
- name: MASTODON_SERVERS
  value: {{ join "," . | quote }}
{{- end }}
{{- with .blueskyUrl }}
- name: BLUESKY_URL
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- else if eq .component "notifications" }}
{{ include "nolo.secretVariable" (dict "variable" "WEBHOOK_KEYS" "from" $secrets.webhookKeys) }}
{{- with $values.notifications.networks }}
- name: WEBHOOK_NETWORKS
  value: {{ join "," . | quote }}
{{- end }}
{{- with $values.notifications.push }}
{{- if .ownKey }}
{{ include "nolo.secretVariable" (dict "variable" "PUSH_VAPID_KEY" "from" $secrets.pushVapidKey) }}
{{- end }}
{{- with .contact }}
- name: PUSH_CONTACT
  value: {{ . | quote }}
{{- end }}
{{- with .networks }}
- name: PUSH_NETWORKS
  value: {{ join "," . | quote }}
{{- end }}
{{- end }}
{{- else if eq .component "billing" }}
# The service receives notifications and the worker processes them, so that neither blocks the other.
- name: BILLING_WORKS
  value: {{ .worker | quote }}
- name: PUBLIC_URL
  value: {{ include "nolo.publicUrl" .root | quote }}
{{- with $values.billing }}
{{- with .seller }}
- name: RECEIPT_SELLER
  value: {{ . | quote }}
{{- end }}
{{- with .tax }}
- name: RECEIPT_TAX
  value: {{ . | quote }}
{{- end }}
{{- if $trial }}
- name: OUTBOX_URL
  value: {{ $simulators }}
- name: PAYPAL_URL
  value: {{ $simulators }}/paypal
- name: PAYPAL_CLIENT_ID
  value: simulated-paypal-client
- name: PAYPAL_CLIENT_SECRET
  value: simulated-paypal-secret
- name: PAYPAL_WEBHOOK_ID
  value: WH-SIMULATED
{{- else if .paypal.clientId }}
- name: PAYPAL_URL
  value: {{ .paypal.url | quote }}
- name: PAYPAL_CLIENT_ID
  value: {{ .paypal.clientId | quote }}
- name: PAYPAL_WEBHOOK_ID
  value: {{ required "billing.paypal.webhookId is missing" .paypal.webhookId | quote }}
{{ include "nolo.secretVariable" (dict "variable" "PAYPAL_CLIENT_SECRET" "from" $secrets.paypalClientSecret) }}
{{- end }}
{{- if .payfast.merchantId }}
- name: PAYFAST_SANDBOX
  value: {{ .payfast.sandbox | quote }}
- name: PAYFAST_MERCHANT_ID
  value: {{ .payfast.merchantId | quote }}
{{ include "nolo.secretVariable" (dict "variable" "PAYFAST_MERCHANT_KEY" "from" $secrets.payfastMerchantKey) }}
{{ include "nolo.secretVariable" (dict "variable" "PAYFAST_PASSPHRASE" "from" $secrets.payfastPassphrase) }}
{{- end }}
{{- end }}
{{- with $values.mail.from }}
- name: MAIL_FROM
  value: {{ . | quote }}
{{ include "nolo.secretVariable" (dict "variable" "SMTP_URL" "from" $secrets.smtpUrl) }}
{{- end }}
{{- else if eq .component "media-sfu" }}
{{- $media := get $values "media-sfu" }}
- { name: POD_IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }
# The pod's own address: a room is on one specific node, and a Service would route to any node.
- name: RPC_ADDRESS
  value: $(POD_IP):7000
- name: MEDIA_LISTEN_IP
  value: 0.0.0.0
- name: MEDIA_ANNOUNCED_ADDRESS
  {{- if $media.announcedAddress }}
  value: {{ $media.announcedAddress | quote }}
  {{- else }}
  valueFrom: { fieldRef: { fieldPath: status.hostIP } }
  {{- end }}
- name: MEDIA_PORT
  value: {{ $media.port | quote }}
- name: MEDIA_PIPE_PORTS
  value: 42000-43999
- name: MEDIA_WORKERS
  value: {{ $media.workers | quote }}
- name: MEDIA_DRAIN_SECONDS
  value: {{ $media.drainSeconds | quote }}
{{- end }}
{{- with concat $values.extraEnv (get $values .component).extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}
