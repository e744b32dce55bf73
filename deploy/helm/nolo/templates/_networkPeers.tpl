{{/* One rule of egress: (dict "to" <peers> "port" 5432 "protocols" (list "TCP")). No peers means every address. */}}
{{- define "nolo.egressRule" -}}
- ports:
    {{- $port := .port }}
    {{- range .protocols | default (list "TCP") }}
    - { protocol: {{ . }}, port: {{ $port }} }
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* Names are looked up at DNS, by every pod. */}}
{{- define "nolo.egressDns" -}}
{{ include "nolo.egressRule" (dict "to" .Values.networkPolicy.dns.to "port" .Values.networkPolicy.dns.port "protocols" (list "UDP" "TCP")) }}
{{- end -}}
