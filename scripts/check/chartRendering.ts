import { parseAllDocuments } from 'yaml';

interface Container {
  name: string;
  resources: { requests: { cpu: string } };
  startupProbe?: { timeoutSeconds?: number };
}

interface Resource {
  kind: string;
  metadata: { name: string };
  spec: {
    replicas?: number;
    strategy?: { type: string };
    template?: { spec: { containers: Container[] } };
    containers?: Container[];
  };
}

/** What the services of a node of two cores may request together; the rest is the cluster's own. */
const mostMilliCores = 1500;

function milliCores(cpu: string): number {
  return cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : Number(cpu) * 1000;
}

/**
 * What a schema does not know of the chart with its own values, and what was wrong on a real cluster of one node: whether
 * there is one media pod, whose like would wait for another node, whether Helm waits for it, whether everything fits, and
 * whether `helm test --logs` can read its pod.
 */
export function findRenderingProblems(rendered: string): string[] {
  const resources = parseAllDocuments(rendered).flatMap((document) => (document.toJS() as Resource | null) ?? []);
  const problems: string[] = [];
  let requested = 0;
  for (const { kind, metadata, spec } of resources) {
    const containers = spec?.template?.spec.containers ?? [];
    if (kind === 'Pod' && spec.containers?.length !== 1) {
      problems.push(`${metadata.name} has several containers, of which helm test --logs can read none.`);
    }
    if (kind !== 'Deployment') continue;
    for (const { resources: asked, startupProbe } of containers) {
      requested += (spec.replicas ?? 1) * milliCores(asked.requests.cpu);
      if ((startupProbe?.timeoutSeconds ?? 1) < 5) problems.push(`The start of ${metadata.name} is given a second.`);
    }
    if (!metadata.name.endsWith('-media-sfu')) continue;
    if (spec.replicas !== 1) problems.push(`${metadata.name} has a pod that a cluster of one node has no ports for.`);
    if (spec.strategy?.type !== 'Recreate') {
      problems.push(`${metadata.name} has one pod that may be missing, so Helm would not wait for it.`);
    }
  }
  if (requested > mostMilliCores) problems.push(`The services request ${requested / 1000} cores of a node of two.`);
  return problems;
}
