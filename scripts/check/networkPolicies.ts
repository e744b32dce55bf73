import { BlockList, isIP } from 'node:net';

/** NetworkPolicy with the fields that these checks need. Peers are selected by labels, never by expressions. */
export interface NetworkPolicy {
  kind: 'NetworkPolicy';
  metadata: { name: string; annotations?: Record<string, string> };
  spec: {
    podSelector: Selector;
    policyTypes: string[];
    ingress?: (Rule & { from?: Peer[] })[];
    egress?: (Rule & { to?: Peer[] })[];
  };
}

interface Selector {
  matchLabels?: Record<string, string>;
}

interface Rule {
  ports?: { protocol?: string; port?: number; endPort?: number }[];
}

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}

/** Remote end of a connection. */
export type PolicyPeer =
  /** Pod of the same namespace. */
  | { labels: Record<string, string> }
  /** Pod of another namespace. */
  | { labels: Record<string, string>; namespace: Record<string, string> }
  /** Address outside the cluster. */
  | { address: string }
  /** Location chosen by the operator; only the port matters. */
  | 'anywhere';

export interface PolicyConnection {
  port: number;
  protocol: 'TCP' | 'UDP';
}

function selects({ matchLabels = {} }: Selector, labels: Record<string, string>): boolean {
  return Object.entries(matchLabels).every(([name, value]) => labels[name] === value);
}

function isWithin(address: string, cidr: string): boolean {
  const [network = '', bits = ''] = cidr.split('/');
  const family = isIP(network);
  if (family === 0 || isIP(address) !== family) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function isMeant({ podSelector, namespaceSelector, ipBlock }: Peer, place: Exclude<PolicyPeer, 'anywhere'>): boolean {
  if ('address' in place) {
    return (
      ipBlock !== undefined &&
      isWithin(place.address, ipBlock.cidr) &&
      !ipBlock.except?.some((cidr) => isWithin(place.address, cidr))
    );
  }
  if (ipBlock !== undefined || !selects(podSelector ?? {}, place.labels)) return false;
  // A peer without a namespace selector is in the namespace of the policy.
  const namespace = 'namespace' in place ? place.namespace : undefined;
  if (namespaceSelector === undefined) return namespace === undefined;
  return selects(namespaceSelector, namespace ?? {});
}

function opens({ ports }: Rule, { port, protocol }: PolicyConnection): boolean {
  if (ports === undefined || ports.length === 0) return true;
  return ports.some(
    (one) =>
      (one.protocol ?? 'TCP') === protocol &&
      (one.port === undefined || (one.port <= port && port <= (one.endPort ?? one.port))),
  );
}

/** Returns true if a connection between a pod and a place is allowed in a default-deny namespace. */
export function isConnectionAllowed(
  policies: readonly NetworkPolicy[],
  labels: Record<string, string>,
  direction: 'ingress' | 'egress',
  place: PolicyPeer,
  connection: PolicyConnection,
): boolean {
  return policies
    .filter(({ spec }) => selects(spec.podSelector, labels))
    .flatMap(({ spec }) =>
      direction === 'ingress'
        ? (spec.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports }))
        : (spec.egress ?? []).map(({ to, ports }) => ({ peers: to, ports })),
    )
    .some(
      ({ peers = [], ports }) =>
        opens({ ...(ports && { ports }) }, connection) &&
        (place === 'anywhere' || peers.length === 0 || peers.some((peer) => isMeant(peer, place))),
    );
}
