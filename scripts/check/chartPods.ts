import { parseAllDocuments } from 'yaml';
import { services } from '../services.ts';

export interface ChartVariable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}

interface Container {
  name: string;
  env?: ChartVariable[];
  ports?: { name: string; containerPort: number; protocol?: 'TCP' | 'UDP' }[];
}

interface PodTemplate {
  metadata?: { labels?: Record<string, string> };
  spec: { hostNetwork?: boolean; containers: Container[]; initContainers?: Container[] };
}

export interface ChartManifest {
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: PodTemplate['spec'] & { template?: PodTemplate; jobTemplate?: { spec: { template: PodTemplate } } };
}

/** Kind of pod that the rendered chart creates. */
export interface ChartPod {
  /** Name of the Deployment, Job, CronJob, or Pod. */
  name: string;
  kind: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  hostNetwork: boolean;
  /** Service whose image runs in it, if any. */
  service: string | undefined;
  env: ChartVariable[];
  ports: { name: string; containerPort: number; protocol?: 'TCP' | 'UDP' }[];
}

export function manifestsOf(rendered: string): ChartManifest[] {
  // Helm reads YAML 1.1, in which y and on are not strings.
  return parseAllDocuments(rendered, { version: '1.1', maxAliasCount: -1 } as never).flatMap(
    (document) => (document.toJS() as ChartManifest | null) ?? [],
  );
}

function templateOf({ kind, metadata, spec }: ChartManifest): PodTemplate | undefined {
  if (kind === 'Pod' && spec) return { metadata, spec };
  return spec?.template?.spec ? spec.template : spec?.jobTemplate?.spec.template;
}

/** Returns every kind of pod in the rendered manifests. */
export function podsOf(rendered: string): ChartPod[] {
  return manifestsOf(rendered).flatMap((manifest) => {
    const template = templateOf(manifest);
    if (template === undefined) return [];
    const { containers, initContainers = [], hostNetwork = false } = template.spec;
    const service = manifest.kind === 'Deployment' ? containers[0]?.name : undefined;
    return {
      name: manifest.metadata.name,
      kind: manifest.kind,
      labels: template.metadata?.labels ?? {},
      annotations: manifest.metadata.annotations ?? {},
      hostNetwork,
      service: services.some(({ name }) => name === service) ? service : undefined,
      env: [...containers, ...initContainers].flatMap(({ env = [] }) => env),
      ports: [...initContainers, ...containers].flatMap(({ ports = [] }) => ports),
    };
  });
}
