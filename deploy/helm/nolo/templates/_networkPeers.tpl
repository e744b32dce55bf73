{{/* Returns an egress rule: (dict "to" <peers> "port" 5432 "protocols" (list "TCP")). No peers: any address. */}}
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

{{/* Returns the port of a URL. */}}
{{- define "nolo.portOf" -}}
{{- $url := urlParse . -}}
{{- regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (ternary "80" "443" (eq $url.scheme "http")) -}}
{{- end -}}

{{/*
Returns the egress rules for one external purpose: (dict "outside" <entry of networkPolicy> "addresses" (list "https://...")).
The ports are those of the addresses unless the entry names ports. `networks` are allowed at all ports.
*/}}
{{- define "nolo.egressOutside" -}}
{{- $ports := .outside.ports }}
{{- if not $ports }}
{{- range .addresses }}
{{- $ports = append $ports (include "nolo.portOf" . | int) }}
{{- end }}
{{- end -}}
- ports:
    {{- range uniq $ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
  {{- with .outside.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- with .networks }}
- to:
    {{- range . }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
{{- end }}
{{- end -}}

{{/* Returns the egress rule to a component of this release: (dict "root" $ "component" "chat" "port" 7000). */}}
{{- define "nolo.egressToComponent" -}}
{{- $peer := dict "podSelector" (dict "matchLabels" (include "nolo.selectorLabels" . | fromYaml)) -}}
{{ include "nolo.egressRule" (dict "to" (list $peer) "port" .port) }}
{{- end -}}

{{/* Returns the egress rule to DNS, which every pod needs. */}}
{{- define "nolo.egressDns" -}}
{{ include "nolo.egressRule" (dict "to" .Values.networkPolicy.dns.to "port" .Values.networkPolicy.dns.port "protocols" (list "UDP" "TCP")) }}
{{- end -}}

{{/* Returns the egress rule to a store, in a trial a pod of the release: (dict "root" $ "store" "postgres"). */}}
{{- define "nolo.egressStore" -}}
{{- if .root.Values.trial.enabled -}}
{{ include "nolo.egressToComponent" (dict "root" .root "component" "trial-stores" "port" (include "nolo.trialPort" .store)) }}
{{- if eq .store "nats" }}
{{/* Pods wait for this port before they start. */}}
{{- include "nolo.egressToComponent" (dict "root" .root "component" "trial-stores" "port" (include "nolo.trialPort" "nats-state")) }}
{{- end }}
{{- else -}}
{{ include "nolo.egressRule" (get .root.Values.networkPolicy .store) }}
{{- end -}}
{{- end -}}

{{/* Lists the components that a component connects to: (dict "root" $ "component" "chat"). */}}
{{- define "nolo.calledBy" -}}
{{- $service := include "nolo.serviceOf" .component -}}
{{- $called := compact (splitList " " (include "nolo.calls" (dict "root" .root "service" $service))) -}}
{{- /* Meetings and other media nodes find media nodes by their messages at NATS. */ -}}
{{- $findsMedia := has $service (list "meetings" "media-sfu") -}}
{{- if and $findsMedia (not (get .root.Values "media-sfu").hostNetwork) }}{{ $called = append $called "media-sfu" }}{{ end -}}
{{ join " " $called }}
{{- end -}}

{{/* Lists the stores of a component: (dict "root" $ "component" "chat"). */}}
{{- define "nolo.storesOf" -}}
{{- $entry := include "nolo.entry" (dict "root" .root "service" (include "nolo.serviceOf" .component)) | fromJson -}}
{{ join " " $entry.stores }}
{{- end -}}

{{/*
Returns the policy of pods that reach only the database and that nothing reaches:
(dict "root" $ "component" "migrate" "name" "migrate" "hook" "pre-install"). The pods of a hook run before the release's
resources exist, so their policy is an earlier hook. Helm deletes it when the hooks have ended.
*/}}
{{- define "nolo.databasePolicy" }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "nolo.name" .root }}-{{ .name }}
  labels:
    {{- include "nolo.labels" . | nindent 4 }}
  {{- with .hook }}
  annotations:
    helm.sh/hook: {{ . }}
    helm.sh/hook-weight: '-20'
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
  {{- end }}
spec:
  podSelector:
    matchLabels:
      {{- include "nolo.selectorLabels" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress: []
  egress:
    {{- include "nolo.egressDns" .root | nindent 4 }}
    {{- include "nolo.egressRule" .root.Values.networkPolicy.postgres | nindent 4 }}
{{- end }}
