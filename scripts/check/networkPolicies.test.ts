import { isConnectionAllowed, type NetworkPolicy } from './networkPolicies.ts';

const policy = (spec: Partial<NetworkPolicy['spec']>): NetworkPolicy => ({
  kind: 'NetworkPolicy',
  metadata: { name: 'one' },
  spec: { podSelector: { matchLabels: { app: 'chat' } }, policyTypes: ['Ingress', 'Egress'], ...spec },
});
const chat = { app: 'chat' };
const https = { port: 443, protocol: 'TCP' } as const;
const everywhere = { address: '198.41.0.4' };

test('a connection without a policy is not allowed', () => {
  expect(isConnectionAllowed([], chat, 'egress', everywhere, https)).toBe(false);
  expect(isConnectionAllowed([policy({ egress: [{}] })], { app: 'files' }, 'egress', everywhere, https)).toBe(false);
});

test('a rule without peers means any peer, and one without ports any port', () => {
  const rules = [
    policy({ egress: [{ ports: [{ port: 443 }] }] }),
    policy({ ingress: [{ from: [{ podSelector: {} }] }] }),
  ];
  expect(isConnectionAllowed(rules, chat, 'egress', everywhere, https)).toBe(true);
  expect(isConnectionAllowed(rules, chat, 'egress', everywhere, { port: 465, protocol: 'TCP' })).toBe(false);
  expect(isConnectionAllowed(rules, chat, 'egress', everywhere, { port: 443, protocol: 'UDP' })).toBe(false);
  expect(isConnectionAllowed(rules, chat, 'ingress', { labels: {} }, { port: 1, protocol: 'TCP' })).toBe(true);
  expect(isConnectionAllowed(rules, chat, 'ingress', everywhere, { port: 1, protocol: 'TCP' })).toBe(false);
});

test('port ranges, and networks except their exceptions', () => {
  const to = [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } }];
  const rules = [policy({ egress: [{ to, ports: [{ port: 100, endPort: 200 }] }] })];
  const at = (address: string, port: number) =>
    isConnectionAllowed(rules, chat, 'egress', { address }, { port, protocol: 'TCP' });
  expect(at('198.41.0.4', 150)).toBe(true);
  expect(at('198.41.0.4', 201)).toBe(false);
  expect(at('10.1.2.3', 150)).toBe(false);
});

test('a peer without a namespace selector is in the same namespace', () => {
  const namespace = { 'kubernetes.io/metadata.name': 'monitoring' };
  const here = [policy({ ingress: [{ from: [{ podSelector: { matchLabels: { app: 'gateway' } } }] }] })];
  const there = [policy({ ingress: [{ from: [{ namespaceSelector: { matchLabels: namespace } }] }] })];
  const labels = { app: 'gateway' };
  expect(isConnectionAllowed(here, chat, 'ingress', { labels }, https)).toBe(true);
  expect(isConnectionAllowed(here, chat, 'ingress', { labels, namespace }, https)).toBe(false);
  expect(isConnectionAllowed(there, chat, 'ingress', { labels, namespace }, https)).toBe(true);
  expect(isConnectionAllowed(there, chat, 'ingress', { labels }, https)).toBe(false);
});
