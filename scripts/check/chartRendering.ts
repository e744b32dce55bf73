import { parseAllDocuments } from 'yaml';

interface Container {
  name: string;
  command?: string[];
  resources: { requests: { cpu: string } };
  startupProbe?: { timeoutSeconds?: number };
}

interface PodSpec {
  initContainers?: Container[];
  containers: Container[];
}

interface Resource {
  kind: string;
  metadata: { name: string };
  spec: {
    replicas?: number;
    strategy?: { type: string };
    template?: { spec: PodSpec };
    containers?: Container[];
  };
}

/** Maximum CPU requests of all services on a node with two cores; the rest belongs to the cluster. */
const maxRequestedMilliCores = 1500;

/** CPU available on a node with two cores during an upgrade, without the cluster's own pods and the stores. */
const maxMilliCoresDuringUpgrade = 1800;

function milliCores(cpu: string): number {
  return cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : Number(cpu) * 1000;
}

/** Returns the CPU request of a pod. Init containers run one after the other, before the rest. */
function requestOf({ initContainers = [], containers }: PodSpec): number {
  const requestsOf = (list: Container[]) => list.map(({ resources }) => milliCores(resources.requests.cpu));
  const together = requestsOf(containers).reduce((sum, one) => sum + one, 0);
  return Math.max(together, ...requestsOf(initContainers));
}

function resourcesOf(rendered: string): Resource[] {
  return parseAllDocuments(rendered).flatMap((document) => (document.toJS() as Resource | null) ?? []);
}

interface Pods {
  name: string;
  replicas: number;
  /** True if a new pod starts before an old one ends. */
  surges: boolean;
  pod: PodSpec;
}

function podsOf(resources: Resource[], kind: string): Pods[] {
  return resources.flatMap(({ kind: own, metadata: { name }, spec }) => {
    if (own !== kind || !spec.template) return [];
    const { replicas = 1, strategy, template } = spec;
    return [{ name, replicas, surges: strategy?.type !== 'Recreate', pod: template.spec }];
  });
}

/**
 * Finds problems of the chart with its default values that no schema detects and that occurred on a real single-node
 * cluster: more than one media pod (a second would wait for another node), Helm not waiting for it, requests that do
 * not fit, and a test pod that `helm test --logs` cannot read.
 */
export function findRenderingProblems(rendered: string): string[] {
  const resources = resourcesOf(rendered);
  const problems: string[] = [];
  let requested = 0;
  for (const { kind, metadata, spec } of resources) {
    const containers = spec?.template?.spec.containers ?? [];
    if (kind === 'Pod' && spec.containers?.length !== 1) {
      problems.push(`${metadata.name} has several containers, so helm test --logs cannot read any of them.`);
    }
    if (kind !== 'Deployment') continue;
    for (const { resources: containerResources, startupProbe } of containers) {
      requested += (spec.replicas ?? 1) * milliCores(containerResources.requests.cpu);
      if ((startupProbe?.timeoutSeconds ?? 1) < 5)
        problems.push(`The startup probe of ${metadata.name} allows less than 5 seconds.`);
    }
    if (!metadata.name.endsWith('-media-sfu')) continue;
    if (spec.replicas !== 1) problems.push(`${metadata.name} has more pods than a one-node cluster has ports for.`);
    if (spec.strategy?.type !== 'Recreate') {
      problems.push(
        `${metadata.name} has a single pod that an update may leave unavailable, so Helm would not wait for it.`,
      );
    }
  }
  if (requested > maxRequestedMilliCores)
    problems.push(`The services request ${requested / 1000} cores of a two-core node.`);
  return problems;
}

/**
 * Finds upgrades that do not fit a fully loaded node with two cores: first the migrations, then the additional pod of
 * each rollout. A disabled service is not migrated.
 */
export function findUpgradeProblems(rendered: string): string[] {
  const resources = resourcesOf(rendered);
  const deployments = podsOf(resources, 'Deployment');
  const problems: string[] = [];
  let added = Math.max(0, ...deployments.filter(({ surges }) => surges).map(({ pod }) => requestOf(pod)));
  for (const { name, pod } of podsOf(resources, 'Job').filter((one) => one.name.endsWith('-migrate'))) {
    if (pod.containers.length !== 1) problems.push(`${name} runs ${pod.containers.length} migrations at once.`);
    for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
      const [, service] = /^services\/([^/]+)\/src\/migrate\.ts$/.exec(container.command?.at(-1) ?? '') ?? [];
      if (service !== undefined && !deployments.some((one) => one.name.endsWith(`-${service}`))) {
        problems.push(`${name} migrates ${service}, which is off.`);
      }
    }
    added = Math.max(added, requestOf(pod));
  }
  const requested = deployments.reduce((sum, { replicas, pod }) => sum + replicas * requestOf(pod), 0) + added;
  if (requested > maxMilliCoresDuringUpgrade) {
    problems.push(`An upgrade requests ${requested / 1000} cores of a two-core node.`);
  }
  return problems;
}
