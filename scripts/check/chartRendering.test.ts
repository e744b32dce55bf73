import { findUpgradeProblems } from './chartRendering.ts';

const requests = '{ requests: { cpu: 50m } }';

function deployment(name: string, cpu: string, replicas = 1, strategy = 'RollingUpdate'): string {
  return `
kind: Deployment
metadata: { name: nolo-${name} }
spec:
  replicas: ${replicas}
  strategy: { type: ${strategy} }
  template: { spec: { containers: [{ name: ${name}, resources: { requests: { cpu: ${cpu} } } }] } }
---`;
}

function migration(first: string[], last: string[]): string {
  const containers = (names: string[]) =>
    names.map((name) => `{ name: ${name}, command: [node, services/${name}/src/migrate.ts], resources: ${requests} }`);
  return `
kind: Job
metadata: { name: nolo-migrate }
spec: { template: { spec: { initContainers: [${containers(first).join()}], containers: [${containers(last).join()}] } } }
---`;
}

/** Fixture: a resource without pods, to be ignored. */
const configuration = `
kind: ConfigMap
metadata: { name: nolo-backup }
---`;

const two = configuration + deployment('chat', '100m') + deployment('files', '50m');

test('consecutive migrations are accepted', () => {
  expect(findUpgradeProblems(two + migration(['chat'], ['files']))).toEqual([]);
});

test('parallel migrations are reported', () => {
  expect(findUpgradeProblems(two + migration([], ['chat', 'files']))).toEqual([
    'nolo-migrate runs 2 migrations at once.',
  ]);
});

test.each([
  [['billing'], ['files']],
  [['files'], ['billing']],
])('a migration of a disabled service is reported: %j, then %j', (first, last) => {
  expect(findUpgradeProblems(two + migration(first, last))).toEqual(['nolo-migrate migrates billing, which is off.']);
});

test("a rollout's extra pod is counted only where the old one keeps running", () => {
  expect(findUpgradeProblems(deployment('media', '900m', 2, 'Recreate'))).toEqual([]);
  expect(findUpgradeProblems(deployment('media', '900m', 2))).toEqual([
    'An upgrade requests 2.7 cores of a two-core node.',
  ]);
});

test("a migration's requests must fit next to all others", () => {
  const full = deployment('media', '1750m', 1, 'Recreate') + deployment('chat', '50m');
  expect(findUpgradeProblems(full)).toEqual(['An upgrade requests 1.85 cores of a two-core node.']);
  const fits = deployment('media', '1700m', 1, 'Recreate') + deployment('chat', '40m');
  expect(findUpgradeProblems(fits + migration(['chat'], ['chat']))).toEqual([]);
});
