import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../runCommand.ts';
import { manifestsOf } from './chartPods.ts';

type Secrets = Record<string, Record<string, string>>;

/** API kinds that Helm finds at the cluster. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  v1: ['Namespace', 'Secret', 'Service', 'ConfigMap', 'PersistentVolumeClaim', 'Pod'],
  'apps/v1': ['Deployment'],
  'batch/v1': ['Job', 'CronJob'],
  'policy/v1': ['PodDisruptionBudget'],
  'networking.k8s.io/v1': ['NetworkPolicy'],
};

function resourcesOf(groupVersion: string): unknown {
  const resources = (kinds[groupVersion] ?? []).map((kind) => ({
    kind,
    name: kind === 'NetworkPolicy' ? 'networkpolicies' : `${kind.toLowerCase()}s`,
    namespaced: kind !== 'Namespace',
    verbs: ['get', 'list'],
  }));
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

function groups(): unknown {
  const versions = Object.keys(kinds).filter((one) => one.includes('/'));
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: versions.map((groupVersion) => {
      const [name = '', version = ''] = groupVersion.split('/');
      return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
    }),
  };
}

/** Labels by which Helm recognizes resources of the release `nolo`. */
const ofRelease = {
  labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  annotations: { 'meta.helm.sh/release-name': 'nolo', 'meta.helm.sh/release-namespace': 'nolo' },
};

/** Returns a cluster's answer to Helm before rendering, with these Secrets in every namespace. */
function answer(path: string, secrets: Secrets): unknown {
  const [, groupVersion] = /^\/apis?\/(v1|[^/]+\/v1)$/.exec(path) ?? [];
  if (groupVersion !== undefined) return resourcesOf(groupVersion);
  switch (path) {
    case '/version':
      return { major: '1', minor: '33', gitVersion: 'v1.33.4' };
    case '/api':
      return { kind: 'APIVersions', versions: ['v1'] };
    case '/apis':
      return groups();
    default: {
      const [, list, name = ''] = /\/(secrets)(?:\/([^/]+))?$/.exec(path) ?? [];
      const all = Object.entries(secrets).map(([one, data]) => ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: one, ...ofRelease },
        data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, btoa(text)])),
      }));
      if (name !== '') return all.find(({ metadata }) => metadata.name === name);
      return list === undefined ? undefined : { apiVersion: 'v1', kind: 'SecretList', metadata: {}, items: all };
    }
  }
}

/** Renders a chart as Helm does before an installation, against a cluster that has only these Secrets. */
async function renderAtCluster(
  helm: string,
  args: readonly string[],
  secrets: Secrets,
): Promise<{ code: number | null; output: string; stdout: string }> {
  const server = createServer((request, response) => {
    const body = answer(new URL(request.url ?? '/', 'http://cluster').pathname, secrets);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(body ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const folder = await mkdtemp(join(tmpdir(), 'nolo-cluster-'));
  try {
    const kubeconfig = join(folder, 'config');
    await writeFile(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'one', cluster: { server: `http://127.0.0.1:${port}` } }],
        contexts: [{ name: 'one', context: { cluster: 'one', user: 'me' } }],
        users: [{ name: 'me', user: {} }],
        'current-context': 'one',
      }),
    );
    const env = { ...process.env, KUBECONFIG: kubeconfig, HELM_CACHE_HOME: folder, no_proxy: '127.0.0.1' };
    return await runCommand(
      helm,
      ['template', 'nolo', ...args, '--namespace', 'nolo', '--dry-run=server', '--disable-openapi-validation'],
      { env },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
    server.closeAllConnections();
    server.close();
  }
}

interface TrialSecret {
  stringData: Record<string, string>;
}

/**
 * Checks that the chart names missing Secrets before anything is installed, and that a trial creates its own at the
 * first installation and keeps them afterwards.
 */
export async function findSecretProblems(helm: string, chart: string): Promise<string[]> {
  const render = (values: string, secrets: Secrets, more = 'checkSecrets=true') =>
    renderAtCluster(
      helm,
      [chart, '--values', join(chart, 'ci', values), '--set', `media-sfu.checkPodSecurity=false,${more}`],
      secrets,
    );
  const problems: string[] = [];
  const refuses = async (secrets: Secrets, words: string) => {
    const { code, output } = await render('minimal.yaml', secrets);
    if (code === 0 || !output.includes(words))
      problems.push(`Without the Secret, Helm does not print "${words}": ${output}`);
  };
  await refuses({}, 'The namespace nolo lacks the Secret nolo with ');
  await refuses({ nolo: { RPC_SECRET: 'x' } }, 'COOKIE_SECRET, IDENTITY_DATABASE_URL');
  const unchecked = await render('minimal.yaml', {}, 'checkSecrets=false');
  if (unchecked.code !== 0) problems.push(`With checkSecrets=false Helm refuses all the same: ${unchecked.output}`);
  const first = await render('trial.yaml', {});
  const made = trialSecretOf(first.stdout);
  if (made === undefined) return [...problems, `A trial creates no Secret: ${first.output}`];
  const upgradeResult = await render('trial.yaml', { 'nolo-trial': made });
  const second = trialSecretOf(upgradeResult.stdout);
  if (second === undefined) return [...problems, `An upgrade of a trial creates no Secret: ${upgradeResult.output}`];
  const changed = Object.keys(made).filter((key) => second[key] !== made[key]);
  if (changed.length > 0) problems.push(`An upgrade of a trial regenerates ${changed.join(', ')}.`);
  return problems;
}

function trialSecretOf(rendered: string): Record<string, string> | undefined {
  const secret = manifestsOf(rendered).find(
    ({ kind, metadata }) => kind === 'Secret' && metadata.name === 'nolo-trial',
  );
  return (secret as unknown as TrialSecret | undefined)?.stringData;
}
