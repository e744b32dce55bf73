import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { getCacheFolder } from '../paths.ts';
import { downloadGoModule } from './goTools.ts';

/**
 * Schemas that kubeconform validates the chart against. By default it downloads them from GitHub, which not every
 * machine can reach. They are generated here from the same sources through the Go module proxy: Kubernetes' own OpenAPI
 * document and the CustomResourceDefinitions of the Gateway API, the Prometheus operator and KEDA.
 */
const kubernetes = { module: 'k8s.io/kubernetes', version: 'v1.34.2' };
const customResources = [
  {
    module: 'sigs.k8s.io/gateway-api',
    version: 'v1.4.0',
    file: 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml',
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  },
  {
    module: 'github.com/kedacore/keda/v2',
    version: 'v2.20.2',
    file: 'config/crd/bases/keda.sh_scaledobjects.yaml',
  },
  {
    module: 'github.com/kedacore/keda/v2',
    version: 'v2.20.2',
    file: 'config/crd/bases/keda.sh_triggerauthentications.yaml',
  },
];
/** Version of the generated schemas. Increase it when their generation changes. */
const edition = 2;

interface Schema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

/**
 * Returns the folder with one schema per kind, generated once. @returns the value for kubeconform's -schema-location.
 */
export async function provideKubernetesSchemas(): Promise<string> {
  const sources = [kubernetes, ...customResources].map(({ version }) => version).join('-');
  const folder = join(getCacheFolder(), 'kubernetes-schemas', `${edition}-${sources}`);
  if (!existsSync(folder)) {
    const making = `${folder}.${process.pid}`;
    await mkdir(making, { recursive: true });
    for (const [name, schema] of [...(await ownKinds()), ...(await customKinds())]) {
      await writeFile(join(making, `${name}.json`), JSON.stringify(schema));
    }
    await rename(making, folder).catch(() => rm(making, { recursive: true, force: true }));
  }
  return join(folder, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
}

/** Returns a kind's file name as kubeconform expects it: deployment-apps-v1, httproute-gateway-v1, service-v1. */
function fileName(group: string, version: string, kind: string): string {
  return [kind, group.split('.')[0] ?? '', version]
    .filter((part) => part !== '')
    .join('-')
    .toLowerCase();
}

async function ownKinds(): Promise<[string, Schema][]> {
  const folder = await downloadGoModule(kubernetes.module, kubernetes.version);
  const text = await readFile(join(folder, 'api/openapi-spec/swagger.json'), 'utf8');
  const { definitions } = JSON.parse(text) as { definitions: Record<string, Schema> };
  const strict = Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, strictly(schema)]));
  return Object.entries(definitions).flatMap(([name, schema]) => {
    const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
    // Kinds such as DeleteOptions belong to every group and never appear in a manifest.
    const [only] = kinds;
    if (kinds.length !== 1 || only === undefined) return [];
    const needed = Object.fromEntries([...reachable(name, strict)].map((one) => [one, strict[one]]));
    return [
      [fileName(only.group, only.version, only.kind), { $ref: `#/definitions/${name}`, definitions: needed }],
    ] satisfies [string, Schema][];
  });
}

async function customKinds(): Promise<[string, Schema][]> {
  const found: [string, Schema][] = [];
  for (const { module, version, file } of customResources) {
    const text = await readFile(join(await downloadGoModule(module, version), file), 'utf8');
    const definition = parse(text) as {
      spec: {
        group: string;
        names: { kind: string };
        versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
      };
    };
    for (const { name, schema } of definition.spec.versions) {
      found.push([fileName(definition.spec.group, name, definition.spec.names.kind), strictly(schema.openAPIV3Schema)]);
    }
  }
  return found;
}

/** Returns every definition that a kind's schema refers to, including itself. */
function reachable(name: string, definitions: Record<string, Schema>, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const [, target] of JSON.stringify(definitions[name]).matchAll(/"#\/definitions\/([^"]+)"/g)) {
    if (target !== undefined) reachable(target, definitions, seen);
  }
  return seen;
}

/** Converts OpenAPI to a JSON Schema that refuses unknown fields, as `kubectl apply --validate=strict` does. */
function strictly(schema: Schema): Schema {
  if (schema.format === 'int-or-string') return { type: ['string', 'integer'] } as unknown as Schema;
  const result: Schema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'description' || keyword.startsWith('x-kubernetes-')) continue;
    result[keyword] = keyword === 'properties' ? mapValues(value as Record<string, Schema>) : deeply(value);
  }
  const open = 'additionalProperties' in schema || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema.properties !== undefined && schema.type === 'object' && !open) result['additionalProperties'] = false;
  return result;
}

function mapValues(properties: Record<string, Schema>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, strictly(schema)]));
}

function deeply(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deeply);
  return typeof value === 'object' && value !== null ? strictly(value as Schema) : value;
}
