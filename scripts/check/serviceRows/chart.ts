import { schemaOf } from '@nolo/kit/db';
import { databaseServicesOf, databaseVariableOf, type ServiceEntry } from '../../services.ts';
import type { Checkout } from '../checkout.ts';
import { formatText } from '../formatText.ts';
import { insertSection, replaceRegion, replaceRun } from './regions.ts';

const chart = 'deploy/helm/nolo';

/** Renders the chart's values: the Secrets of the databases, and a section for each service without one. */
export function renderValues({ services, read }: Checkout): string {
  const secrets = databaseServicesOf(services).map(
    (name) => `${name}DatabaseUrl: { name: nolo, key: ${databaseVariableOf(name)} }`,
  );
  const text = replaceRegion(read(`${chart}/values.yaml`), 'database URLs', secrets);
  return services
    .filter(({ name }) => !text.includes(`\n${name}:\n`))
    .reduce((rendered, service) => insertSection(rendered, 'media-sfu:', sectionOf(service)), text);
}

/**
 * Returns a plain section, with which a new service begins. Its single replica keeps the chart's defaults within a
 * node with two cores.
 */
function sectionOf({ name, optional }: ServiceEntry): string[] {
  return [
    `${name}:`,
    ...(optional ? ['  enabled: false'] : []),
    '  replicas: 1',
    '  resources:',
    '    requests: { cpu: 50m, memory: 128Mi }',
    '    limits: { memory: 512Mi }',
    '  autoscaling: { enabled: false, minReplicas: 1, maxReplicas: 6, targetCpu: 70, targetMemory: 0 }',
    '  podDisruptionBudget: { enabled: true, maxUnavailable: 1 }',
    '  extraEnv: []',
  ];
}

interface ObjectSchema {
  properties: Record<string, unknown>;
}

interface ValuesSchema {
  properties: Record<string, unknown> & { secrets: ObjectSchema };
  definitions: Record<string, unknown> & { service: ObjectSchema };
}

/** Renders the schema of the chart's values, with the same additions as `renderValues`. */
export async function renderValuesSchema({ services, read }: Checkout): Promise<string> {
  const path = `${chart}/values.schema.json`;
  const schema = JSON.parse(read(path)) as ValuesSchema;
  const { properties, definitions } = schema;
  const ofServices = databaseServicesOf(services).map((name) => `${name}DatabaseUrl`);
  const ofJobs = ['provisionDatabaseUrl', 'backupDatabaseUrl'];
  const others = Object.entries(properties.secrets.properties).filter(([name]) => !name.endsWith('DatabaseUrl'));
  properties.secrets.properties = {
    ...Object.fromEntries(others),
    ...Object.fromEntries([...ofServices, ...ofJobs].map((name) => [name, { $ref: '#/definitions/secretReference' }])),
  };
  const optional = {
    ...definitions.service,
    properties: { enabled: { type: 'boolean' }, ...definitions.service.properties },
  };
  for (const service of services) {
    properties[service.name] ??= service.optional ? optional : { $ref: '#/definitions/service' };
  }
  return await formatText(path, JSON.stringify(schema, undefined, 2));
}

/** Renders the chart's README with the database URLs that its Secret needs. */
export function renderChartPage({ services, read }: Checkout): string {
  const literals = databaseServicesOf(services).map((name) => {
    const schema = schemaOf(name);
    return `     --from-literal=${databaseVariableOf(name)}=$(database ${schema}) \\`;
  });
  return replaceRun(read(`${chart}/README.md`), /^ +--from-literal=(?!PROVISION_)[A-Z_]+_DATABASE_URL=/, literals);
}
