import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { addressVariableOf, databaseServicesOf, matchesVariable } from '../services.ts';
import { openCheckout, type Checkout } from './checkout.ts';
import { configVariablesOf, type SchemaNode } from './envExample.ts';

/**
 * Finds differences between `services.json` and what is written by hand about services. Each message begins with the
 * file and names the service.
 */
export async function findServiceListProblems(checkout: Checkout = openCheckout()): Promise<string[]> {
  return [
    ...folderProblems(checkout),
    ...(await configurationProblems(checkout)),
    ...composeProblems(checkout),
    ...monitoringProblems(checkout),
    ...pageProblems(checkout),
  ];
}

/** Reports each name whose text is missing in a file. */
function lacking(
  { read }: Checkout,
  path: string,
  wanted: readonly string[],
  text: (name: string) => string,
): string[] {
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

const namesIn = ({ services }: Checkout) => services.map(({ name }) => name);

function folderProblems(checkout: Checkout): string[] {
  const names = namesIn(checkout);
  const having = (file: string) =>
    globSync(`services/*/${file}`, { cwd: checkout.root }).map((path) => path.split('/')[1] ?? '');
  return [
    ...different('services.json', names, having('src/main.ts')),
    ...different(
      'services.json, services with postgres as a store',
      databaseServicesOf(checkout.services),
      having('src/migrate.ts'),
    ),
    ...names
      .filter((name) => !having('README.md').includes(name))
      .map((name) => `services/${name}/README.md is missing. Document in it what ${name} owns.`),
  ];
}

const storeVariables = { postgres: 'DATABASE_URL', redis: 'REDIS_URL', nats: 'NATS_URL' } as const;

/**
 * Checks that the list has every variable that a service's own configuration reads, and that no other service gets
 * them.
 */
async function configurationProblems({ root, services }: Checkout): Promise<string[]> {
  const shapes = await Promise.all(
    services.map(async ({ name }) => {
      const path = `services/${name}/src/config.ts`;
      const { configSchema } = (await import(pathToFileURL(join(root, path)).href)) as { configSchema: SchemaNode };
      return Object.keys(configVariablesOf(configSchema, name));
    }),
  );
  return services.flatMap(({ name, stores, calls, variables }, index) => {
    const where = `services/${name}/src/config.ts`;
    const read = shapes[index] ?? [];
    const needs = [...stores.map((store) => storeVariables[store]), ...calls.map(addressVariableOf)];
    const given = read.filter((variable) =>
      [...Object.values(storeVariables), ...services.map((one) => addressVariableOf(one.name))].includes(variable),
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

interface Compose {
  services: Record<string, { profiles?: string[]; environment?: Record<string, string> }>;
}

/** Checks that each container has the addresses and stores that its service needs, and its profile. */
function composeProblems({ services, read }: Checkout): string[] {
  const path = 'deploy/compose.yaml';
  // The file is ours, so its many aliases are not an attack.
  const compose = parse(read(path), { merge: true, maxAliasCount: -1 }) as Compose;
  return services.flatMap(({ name, profile, calls, stores }) => {
    const { profiles = [], environment = {} } = compose.services[name] ?? {};
    return [
      ...different(`${path}, profiles of ${name}`, profiles, profile === undefined ? [] : [profile]),
      ...[...calls.map(addressVariableOf), ...stores.map((store) => storeVariables[store])]
        .filter((variable) => !(variable in environment))
        .map((variable) => `${path}: ${name} needs ${variable}.`),
    ];
  });
}

/** Checks that alerts and dashboards name existing services, and that the chart has every dashboard. */
function monitoringProblems(checkout: Checkout): string[] {
  const names = namesIn(checkout);
  const dashboards = globSync('deploy/grafana/*.json', { cwd: checkout.root }).sort();
  return [
    ...lacking(
      checkout,
      'deploy/helm/nolo/templates/monitoring.yaml',
      dashboards,
      (path) => `"${basename(path, '.json')}"`,
    ),
    ...['deploy/grafana/alerts.yaml', ...dashboards].flatMap((path) =>
      [...checkout.read(path).matchAll(/\bservice!?=\\?"([a-z-]+)\\?"/g)]
        .map(([, name = '']) => name)
        .filter((name) => !names.includes(name))
        .map((name) => `${path}: unknown service ${name}.`),
    ),
  ];
}

function pageProblems(checkout: Checkout): string[] {
  const names = namesIn(checkout);
  const [, listed = ''] = /^services\/ +(.+)$/m.exec(checkout.read('README.md')) ?? [];
  return [
    ...lacking(checkout, 'docs/ARCHITECTURE.md', names, (name) => `\`services/${name}\``),
    ...different('README.md', listed.split(', '), names),
  ];
}
