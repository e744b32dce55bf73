import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { schemaOf } from '@nolo/kit/db';
import { parse } from 'yaml';
import { projectRoot } from '../paths.ts';
import { addressVariableOf, databaseServices, databaseVariableOf, matchesVariable, services } from '../services.ts';
import { configVariablesOf, type SchemaNode } from './envExample.ts';
import { readTrackedFiles } from './trackedFiles.ts';

/** Reads a file, given its path from the root of the checkout. */
export type ReadText = (path: string) => string;

export const readText: ReadText = (path) => readFileSync(join(projectRoot, path), 'utf8');

const names = services.map(({ name }) => name);
const chart = 'deploy/helm/nolo';

/**
 * Finds differences between `services.json` and the files that list all services. Each message begins with the file and
 * names the service.
 */
export async function findServiceListProblems(read: ReadText = readText): Promise<string[]> {
  return [
    ...(await folderProblems()),
    ...(await configurationProblems()),
    ...imageProblems(read),
    ...composeProblems(read),
    ...chartProblems(read),
    ...monitoringProblems(read),
    ...backupProblems(read),
    ...pageProblems(read),
  ];
}

/** Reports each name whose text is missing in a file. */
function lacking(read: ReadText, path: string, wanted: readonly string[], text: (name: string) => string): string[] {
  const content = read(path);
  return wanted
    .filter((name) => !content.includes(text(name)))
    .map((name) => `${path}: ${name} is missing; expected "${text(name)}".`);
}

/** Reports entries that only one of two lists contains. */
function different(where: string, listed: readonly string[], expected: readonly string[]): string[] {
  return [
    ...expected.filter((name) => !listed.includes(name)).map((name) => `${where}: ${name} is missing.`),
    ...listed.filter((name) => !expected.includes(name)).map((name) => `${where}: ${name} is unexpected.`),
  ];
}

async function folderProblems(): Promise<string[]> {
  const paths = (await readTrackedFiles()).map(({ path }) => path);
  const folders = paths.flatMap((path) => /^services\/([^/]+)\/src\/main\.ts$/.exec(path)?.[1] ?? []);
  const migrating = paths.flatMap((path) => /^services\/([^/]+)\/src\/migrate\.ts$/.exec(path)?.[1] ?? []);
  return [
    ...different('services.json', names, folders),
    ...different('services.json, services with postgres as a store', databaseServices, migrating),
    ...names
      .filter((name) => !existsSync(join(projectRoot, `services/${name}/README.md`)))
      .map((name) => `services/${name}/README.md is missing. Document in it what ${name} owns.`),
  ];
}

const storeVariables = { postgres: 'DATABASE_URL', redis: 'REDIS_URL', nats: 'NATS_URL' } as const;

/**
 * Checks that the list has every variable that a service's own configuration reads, and that no other service gets
 * them.
 */
async function configurationProblems(): Promise<string[]> {
  const shapes = await Promise.all(
    names.map(async (name) => {
      const path = `services/${name}/src/config.ts`;
      const { configSchema } = (await import(pathToFileURL(join(projectRoot, path)).href)) as {
        configSchema: SchemaNode;
      };
      return Object.keys(configVariablesOf(configSchema, name));
    }),
  );
  return services.flatMap(({ name, stores, calls, variables }, index) => {
    const where = `services/${name}/src/config.ts`;
    const read = shapes[index] ?? [];
    const needs = [...stores.map((store) => storeVariables[store]), ...calls.map(addressVariableOf)];
    const given = read.filter((variable) =>
      [...Object.values(storeVariables), ...names.map(addressVariableOf)].includes(variable),
    );
    const isShared = (variable: string) => shapes.filter((shape) => shape.includes(variable)).length > 1;
    return [
      ...different(where, given, needs),
      ...read
        .filter((variable) => !isShared(variable) && !given.includes(variable))
        .filter((variable) => !variables.some((pattern) => matchesVariable(pattern, variable)))
        .map(
          (variable) => `services.json: add ${variable} to the variables of ${name}, the only service that reads it.`,
        ),
    ];
  });
}

function imageProblems(read: ReadText): string[] {
  const path = 'deploy/docker/Dockerfile';
  return [
    ...lacking(read, path, names, (name) => `COPY services/${name}/package.json `),
    ...lacking(read, path, names, (name) => ` AS ${name}\n`),
    ...lacking(read, path, databaseServices, (name) => `COPY services/${name}/src/migrate.ts `),
    ...lacking(read, path, databaseServices, (name) => `COPY services/${name}/migrations `),
  ];
}

interface Compose {
  services: Record<string, { environment?: Record<string, string>; depends_on?: Record<string, unknown> }>;
}

function composeProblems(read: ReadText): string[] {
  const path = 'deploy/compose.yaml';
  // The file is ours, so its many aliases are not an attack.
  const compose = parse(read(path), { merge: true, maxAliasCount: -1 }) as Compose;
  const environmentOf = (service: string) => Object.keys(compose.services[service]?.environment ?? {});
  const migrations = databaseServices.map((name) => `migrate-${name}`);
  return [
    ...different(path, Object.keys(compose.services), [...Object.keys(compose.services), ...names, ...migrations]),
    ...['provision', 'restore'].flatMap((service) =>
      databaseServices
        .filter((name) => !environmentOf(service).includes(databaseVariableOf(name)))
        .map((name) => `${path}: ${name} is missing in ${service}, which needs ${databaseVariableOf(name)}.`),
    ),
    ...services.flatMap(({ name, calls, stores }) =>
      [...calls.map(addressVariableOf), ...stores.map((store) => storeVariables[store])]
        .filter((variable) => compose.services[name] && !environmentOf(name).includes(variable))
        .map((variable) => `${path}: ${name} needs ${variable}.`),
    ),
    ...lacking(
      read,
      'deploy/env.example',
      databaseServices,
      (name) => `${databaseVariableOf(name).replace('URL', 'PASSWORD')}=`,
    ),
  ];
}

function chartProblems(read: ReadText): string[] {
  const values = parse(read(`${chart}/values.yaml`)) as { secrets: Record<string, unknown> } & Record<string, unknown>;
  const schema = JSON.parse(read(`${chart}/values.schema.json`)) as {
    properties: { secrets: { properties: Record<string, unknown> } } & Record<string, unknown>;
  };
  const inSecrets = (listed: Record<string, unknown>) =>
    databaseServices.filter((name) => `${name}DatabaseUrl` in listed);
  return [
    ...different(
      `${chart}/values.yaml`,
      names.filter((name) => name in values),
      names,
    ),
    ...different(`${chart}/values.yaml, secrets`, inSecrets(values.secrets), databaseServices),
    ...different(
      `${chart}/values.schema.json`,
      names.filter((name) => name in schema.properties),
      names,
    ),
    ...different(
      `${chart}/values.schema.json, secrets`,
      inSecrets(schema.properties.secrets.properties),
      databaseServices,
    ),
  ];
}

const dashboardFiles = readdirSync(join(projectRoot, 'deploy/grafana'))
  .filter((file) => file.endsWith('.json'))
  .map((file) => `deploy/grafana/${file}`);

/**
 * Checks that alerts and dashboards name all services or existing ones, and that every required service has an alert
 * for its absence.
 */
function monitoringProblems(read: ReadText): string[] {
  const alerts = 'deploy/grafana/alerts.yaml';
  const text = read(alerts);
  const alternations = [...text.matchAll(/[a-z-]+(?:\|[a-z-]+)+/g)].map(([list]) => list.split('|'));
  const ofServices = alternations.filter((list) => list.includes('gateway'));
  // Meetings raises its own alert if there are no media nodes.
  const missed = services.filter(({ name, optional }) => !optional && name !== 'media-sfu').map(({ name }) => name);
  return [
    ...(ofServices.length === 0 ? [`${alerts}: no alert lists the services.`] : []),
    ...ofServices.flatMap((list) => different(`${alerts}, ${list.join('|')}`, list, names)),
    ...lacking(read, alerts, missed, (name) => `absent(nolo_build_info{service="${name}"})`),
    ...lacking(read, `${chart}/templates/monitoring.yaml`, dashboardFiles, (path) => `"${basename(path, '.json')}"`),
    ...[alerts, ...dashboardFiles].flatMap((path) =>
      [...read(path).matchAll(/\bservice!?=\\?"([a-z-]+)\\?"/g)]
        .map(([, name = '']) => name)
        .filter((name) => !names.includes(name))
        .map((name) => `${path}: unknown service ${name}.`),
    ),
  ];
}

function backupProblems(read: ReadText): string[] {
  const path = 'deploy/backup/nolo-backup.sh';
  const listed = /^services='([a-z_ ]+)'$/m.exec(read(path))?.[1]?.split(' ') ?? [];
  return different(path, listed, databaseServices.map(schemaOf));
}

function pageProblems(read: ReadText): string[] {
  return [
    ...lacking(read, 'docs/ARCHITECTURE.md', names, (name) => `\`services/${name}\``),
    ...lacking(read, 'README.md', names, (name) => `${name}`),
  ];
}
