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

{{/* The port of a web address. */}}
{{- define "nolo.portOf" -}}
{{- $url := urlParse . -}}
{{- regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (ternary "80" "443" (eq $url.scheme "http")) -}}
{{- end -}}

{{/*
The rule of egress to one purpose outside: (dict "outside" <entry of networkPolicy> "addresses" (list "https://...")). The
ports are those of the addresses unless the entry names its own. `networks` are allowed besides, at all ports.
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

{{/* One rule of egress to a component of this release: (dict "root" $ "component" "chat" "port" 7000). */}}
{{- define "nolo.egressToComponent" -}}
{{- $peer := dict "podSelector" (dict "matchLabels" (include "nolo.selectorLabels" . | fromYaml)) -}}
{{ include "nolo.egressRule" (dict "to" (list $peer) "port" .port) }}
{{- end -}}

{{/* Names are looked up at DNS, by every pod. */}}
{{- define "nolo.egressDns" -}}
{{ include "nolo.egressRule" (dict "to" .Values.networkPolicy.dns.to "port" .Values.networkPolicy.dns.port "protocols" (list "UDP" "TCP")) }}
{{- end -}}

{{/* The rule of egress to a store, which is a pod of the release in a trial: (dict "root" $ "store" "postgres"). */}}
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

{{/* The services that a component calls and that this release has, with spaces between: (dict "root" $ "component" "chat"). */}}
{{- define "nolo.calledBy" -}}
{{- $service := include "nolo.serviceOf" .component -}}
{{- $called := list -}}
{{- range .root.Files.Get "files/serviceList.json" | fromJsonArray -}}
{{- if eq .name $service }}{{ $called = .calls }}{{ end -}}
{{- end -}}
{{- /* Media nodes are found by what they say at NATS, and by each other. */ -}}
{{- if has $service (list "meetings" "media-sfu") }}{{ $called = append $called "media-sfu" }}{{ end -}}
{{- $present := list -}}
{{- range splitList " " (include "nolo.services" .root) -}}
{{- if and (has . $called) (not (and (eq . "media-sfu") (get $.root.Values "media-sfu").hostNetwork)) }}{{ $present = append $present . }}{{ end -}}
{{- end -}}
{{ join " " $present }}
{{- end -}}

{{/* The stores of a component, with spaces between: (dict "root" $ "component" "chat"). */}}
{{- define "nolo.storesOf" -}}
{{- $service := include "nolo.serviceOf" .component -}}
{{- range .root.Files.Get "files/serviceList.json" | fromJsonArray -}}
{{- if eq .name $service }}{{ join " " .stores }}{{ end -}}
{{- end -}}
{{- end -}}

{{/*
The policy of pods that reach the database and nothing else, and that nothing reaches:
(dict "root" $ "component" "migrate" "name" "migrate" "hook" "pre-install"). Pods of a hook run before the resources of a
release are there, so their policy is a hook before them. Helm deletes it once the hooks are over, and leaves none behind.
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
