import { findNetworkPolicyProblems } from './chartNetworkPolicies.ts';

const labels = (component: string) => `{ app.kubernetes.io/component: ${component} }`;

const deployment = (component: string, service: string, variables: string) => `
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: nolo-${component} }
spec:
  template:
    metadata: { labels: ${labels(component)} }
    spec:
      containers:
        - name: ${service}
          env:
            - { name: RPC_LISTEN, value: '0.0.0.0:7000' }
            - { name: RPC_SECRET }
            - { name: DATABASE_URL }
            - { name: REDIS_URL }
            - { name: NATS_URL }
${variables}
          ports: [{ name: metrics, containerPort: 9464 }]
`;

const policy = (component: string, ingress: string, egress: string, annotations = '{}') => `
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: nolo-${component}, annotations: ${annotations} }
spec:
  podSelector: { matchLabels: ${labels(component)} }
  policyTypes: [Ingress, Egress]
  ingress: [${ingress}]
  egress: [${egress}]
`;

const metrics = '{ ports: [{ port: 9464 }] }';
const stores = '{ ports: [{ port: 53 }, { port: 53, protocol: UDP }, { port: 5432 }, { port: 6379 }, { port: 4222 }] }';

const identity = deployment(
  'identity',
  'identity',
  `
            - { name: FACTOR_KEYS }
            - { name: CODE_PEPPER }
            - { name: CHAT_ADDR, value: 'nolo-chat:7000' }
            - { name: SMS_PROVIDER, value: twilio }
            - { name: TWILIO_ACCOUNT_SID, value: AC00 }
            - { name: TWILIO_AUTH_TOKEN }
            - { name: TWILIO_FROM, value: '+15005550006' }
            - { name: MAIL_FROM, value: nolo@example.org }
            - { name: SMTP_URL }`,
);

/** Identity calls chat, which these manifests lack. */
const withoutChat = 'NetworkPolicies: nolo-identity may not reach chat, which does not exist (TCP 7000).';

test('a connection missing from a policy is reported', async () => {
  const closed = policy('identity', metrics, stores);
  expect(await findNetworkPolicyProblems(identity + closed)).toEqual([
    withoutChat,
    'NetworkPolicies: nolo-identity may not reach mail.example.org (SMTP_URL) (TCP 465).',
    'NetworkPolicies: nolo-identity may not reach api.twilio.com (TWILIO_API_URL) (TCP 443).',
  ]);
  const open = policy('identity', metrics, `${stores}, { ports: [{ port: 465 }, { port: 443 }] }`);
  expect(await findNetworkPolicyProblems(identity + open)).toEqual([withoutChat]);
});

test("a worker makes its service's calls, and both ends must allow them", async () => {
  const worker = deployment(
    'social-worker',
    'social-scheduler',
    `
            - { name: IDENTITY_ADDR, value: 'nolo-identity:7000' }
            - { name: FILES_ADDR, value: 'nolo-files:7000' }
            - { name: PUBLIC_URL, value: 'https://nolo.example.org' }
            - { name: SOCIAL_TOKEN_KEYS }`,
  );
  const policies = [
    policy('social-worker', metrics, `${stores}, { ports: [{ port: 7000 }], to: [] }`),
    policy('identity', metrics, `${stores}, { ports: [{ port: 465 }, { port: 443 }] }`),
  ];
  expect(await findNetworkPolicyProblems(identity + worker + policies.join(''))).toEqual([
    withoutChat,
    'NetworkPolicies: nolo-identity may not be reached by nolo-social-worker (TCP 7000).',
  ]);
});

test("a hook's policy is a hook that runs before it", async () => {
  const job = `
---
apiVersion: batch/v1
kind: Job
metadata:
  name: nolo-migrate
  annotations: { helm.sh/hook: 'pre-install,pre-upgrade', helm.sh/hook-weight: '0' }
spec:
  template:
    metadata: { labels: ${labels('migrate')} }
    spec: { containers: [{ name: chat }] }
`;
  const hook = (weight: string) => `{ helm.sh/hook: 'pre-install,pre-upgrade', helm.sh/hook-weight: '${weight}' }`;
  expect(await findNetworkPolicyProblems(job + policy('migrate', '', stores))).toContain(
    'NetworkPolicies: nolo-migrate may not reach Postgres (TCP 5432).',
  );
  expect(await findNetworkPolicyProblems(job + policy('migrate', '', stores, hook('0')))).not.toEqual([]);
  expect(await findNetworkPolicyProblems(job + policy('migrate', '', stores, hook('-20')))).toEqual([]);
});
