import { loadConfig, Secret } from '@nolo/kit/config';
import { addressVariableOf, services } from '../services.ts';
import { loadConfigSchema, containerEnvironmentOf } from './chartEnvironment.ts';
import { manifestsOf, podsOf, type ChartPod } from './chartPods.ts';
import { isConnectionAllowed, type PolicyConnection, type NetworkPolicy, type PolicyPeer } from './networkPolicies.ts';
import { externalAddressVariables } from './externalAddressVariables.ts';

const storePorts = { postgres: 5432, redis: 6379, nats: 4222 } as const;

/** Address on the public internet. */
const publicAddress: PolicyPeer = { address: '198.41.0.4' };

const inNamespace = (name: string): PolicyPeer => ({ labels: {}, namespace: { 'kubernetes.io/metadata.name': name } });

/** Locations of external components, as the value sets in ci/ assume. */
const dns = inNamespace('kube-system');
const prometheus = inNamespace('monitoring');
const controller = inNamespace('gateways');

/** Connection that must be possible. */
interface Need extends PolicyConnection {
  pod: ChartPod;
  direction: 'ingress' | 'egress';
  place: PolicyPeer;
  /** Description for the error message. */
  what: string;
}

/**
 * Finds connections that a rendered chart needs but its NetworkPolicies do not allow in a default-deny namespace: calls
 * of services.json, stores, every outside address in a service's configuration, DNS, metrics, ingress, media, and the
 * pods of jobs and of `helm test`. A call or an address added without a rule is reported here.
 *
 * @param secrets variables from Secrets whose ports are not the defaults.
 */
export async function findNetworkPolicyProblems(
  rendered: string,
  secrets: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const policies = manifestsOf(rendered).filter(({ kind }) => kind === 'NetworkPolicy') as unknown as NetworkPolicy[];
  if (policies.length === 0) return [];
  const pods = podsOf(rendered);
  const needs = (
    await Promise.all(pods.filter(({ hostNetwork }) => !hostNetwork).map((pod) => needsOf(pod, pods, secrets)))
  ).flat();
  const problems = needs
    .filter(
      ({ pod, direction, place, ...connection }) =>
        !isConnectionAllowed(policiesAt(policies, pod), pod.labels, direction, place, connection),
    )
    .map(({ pod, what, protocol, port }) => `NetworkPolicies: ${pod.name} ${what} (${protocol} ${port}).`);
  return [...new Set(problems)];
}

const eventsOf = (annotations: Record<string, string> = {}) =>
  annotations['helm.sh/hook']?.split(',').map((event) => event.trim()) ?? [];
const weightOf = (annotations: Record<string, string> = {}) => Number(annotations['helm.sh/hook-weight'] ?? 0);

/** Returns the policies in effect while a pod runs. Pre-install hooks run before everything else of the release. */
function policiesAt(policies: readonly NetworkPolicy[], { annotations }: ChartPod): NetworkPolicy[] {
  const events = eventsOf(annotations).filter((event) => event !== 'test');
  return policies.filter(({ metadata }) => {
    const own = eventsOf(metadata.annotations);
    if (events.length === 0) return own.length === 0;
    return events.every((event) => own.includes(event)) && weightOf(metadata.annotations) < weightOf(annotations);
  });
}

async function needsOf(
  pod: ChartPod,
  pods: readonly ChartPod[],
  secrets: Readonly<Record<string, string>>,
): Promise<Need[]> {
  const component = pod.labels['app.kubernetes.io/component'] ?? '';
  const egress = (
    place: PolicyPeer,
    port: number,
    what: string,
    protocol: PolicyConnection['protocol'] = 'TCP',
  ): Need => ({
    pod,
    direction: 'egress',
    place,
    port,
    protocol,
    what: `may not reach ${what}`,
  });
  const ingress = (
    place: PolicyPeer,
    port: number,
    what: string,
    protocol: PolicyConnection['protocol'] = 'TCP',
  ): Need => ({
    pod,
    direction: 'ingress',
    place,
    port,
    protocol,
    what: `may not be reached by ${what}`,
  });
  /** Returns the needs between two pods of the release; both ends have to allow the connection. */
  const between = (target: ChartPod, port: number, protocol: PolicyConnection['protocol'] = 'TCP'): Need[] => [
    egress({ labels: target.labels }, port, target.name, protocol),
    ...(target.hostNetwork ? [] : [{ ...ingress({ labels: pod.labels }, port, pod.name, protocol), pod: target }]),
  ];
  const named = (name: string) => pods.filter(({ labels }) => labels['app.kubernetes.io/component'] === name);
  const resolves = [egress(dns, 53, 'DNS', 'UDP'), egress(dns, 53, 'DNS')];
  const gateways = named('gateway');

  if (component === 'trial-stores') return [];
  if (component === 'trial-simulators') return [...resolves, ...gateways.flatMap((target) => between(target, 8080))];
  if (component === 'test') return [...resolves, ...gateways.flatMap((target) => between(target, 8080))];
  if (pod.service === undefined) return [...resolves, egress('anywhere', storePorts.postgres, 'Postgres')];

  const { calls, stores } = services.find(({ name }) => name === pod.service) ?? { calls: [], stores: [] };
  const variables = containerEnvironmentOf(pod.env, secrets);
  const called = calls.filter((name) => named(name).length > 0 || addressVariableOf(name) in variables);
  const media = named('media-sfu');
  const mediaPorts = pod.ports.filter(({ name }) => name.startsWith('media-'));
  return [
    ...resolves,
    ...pod.ports
      .filter(({ name }) => name === 'metrics')
      .map((one) => ingress(prometheus, one.containerPort, 'Prometheus')),
    ...called.flatMap((name) => named(name).flatMap((target) => between(target, 7000))),
    ...called
      .filter((name) => named(name).length === 0)
      .map((name) => egress('anywhere', 7000, `${name}, which does not exist`)),
    ...stores.flatMap((store) => {
      const [target] = named('trial-stores');
      return target
        ? between(target, storePorts[store])
        : egress('anywhere', portOf(variables[variableOf(store)] ?? ''), store);
    }),
    // A pod of a trial waits for the stores before it starts.
    ...named('trial-stores').flatMap((target) => between(target, 8222)),
    ...(await outsideNeeds(pod, variables, named('trial-simulators')[0], egress, between)),
    ...(component === 'gateway' ? [ingress(controller, 8080, 'the ingress controller')] : []),
    ...(component === 'gateway' && variables['LINK_PREVIEWS'] === 'on'
      ? [80, 443].map((port) => egress(publicAddress, port, 'the pages behind links'))
      : []),
    ...(pod.service === 'notifications' ? [egress(publicAddress, 443, 'receivers of webhooks and push services')] : []),
    ...(pod.service === 'meetings'
      ? media.flatMap((target) => (target.hostNetwork ? egress('anywhere', 7000, target.name) : between(target, 7000)))
      : []),
    ...(component === 'media-sfu'
      ? [
          ...between(pod, 7000),
          ...[42_000, 43_999].flatMap((port) => between(pod, port, 'UDP')),
          ...mediaPorts.map((one) => ingress(publicAddress, one.containerPort, 'browsers', one.protocol)),
          egress(publicAddress, 50_000, 'browsers and TURN servers', 'UDP'),
        ]
      : []),
  ];
}

const variableOf = (store: keyof typeof storePorts) =>
  ({ postgres: 'DATABASE_URL', redis: 'REDIS_URL', nats: 'NATS_URL' })[store];

const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'smtp:': 587,
  'smtps:': 465,
  'postgres:': 5432,
  'redis:': 6379,
  'nats:': 4222,
};

function portOf(address: string): number {
  const { port, protocol } = new URL(address);
  return port === '' ? (defaultPorts[protocol] ?? 0) : Number(port);
}

/** Returns the addresses that a variable holds, as the service reads it. */
function addressesIn(value: unknown): string[] {
  if (value instanceof Secret) return [value.reveal()];
  if (Array.isArray(value)) return value.flatMap(addressesIn);
  return typeof value === 'string' ? [value] : [];
}

/** Returns a pod's connections to outside addresses, from the configuration that it reads. */
async function outsideNeeds(
  pod: ChartPod,
  variables: Record<string, string>,
  simulators: ChartPod | undefined,
  egress: (place: PolicyPeer, port: number, what: string) => Need,
  between: (target: ChartPod, port: number) => Need[],
): Promise<Need[]> {
  if (pod.service === undefined) return [];
  const config = loadConfig(await loadConfigSchema(pod.service), variables) as Record<string, unknown>;
  return Object.entries(externalAddressVariables).flatMap(([variable, use]) => {
    if (typeof use === 'string' || (use.with !== undefined && config[use.with] === undefined)) return [];
    const set = addressesIn(config[variable]);
    return (set.length === 0 && use.unset !== undefined ? [use.unset] : set).flatMap((address) => {
      const { hostname } = new URL(address);
      if (simulators && hostname === 'simulators.localhost') return between(simulators, portOf(address));
      // A name without a dot, or one inside the cluster, belongs to the operator, who sets its location.
      const isPublic = hostname.includes('.') && !/\.(?:svc|local|internal|monitoring)$/.test(hostname);
      return egress(isPublic ? publicAddress : 'anywhere', portOf(address), `${hostname} (${variable})`);
    });
  });
}
