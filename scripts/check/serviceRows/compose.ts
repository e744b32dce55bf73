import { schemaOf } from '@nolo/kit/db';
import { addressVariableOf, databaseServicesOf, databaseVariableOf, type ServiceEntry } from '../../services.ts';
import type { Checkout } from '../checkout.ts';
import { insertSection, replaceRegion } from './regions.ts';

/** Renders the Compose file: addresses, database URLs, migrations, and a container for each service without one. */
export function renderCompose({ services, read }: Checkout): string {
  const databases = services.filter(({ stores }) => stores.includes('postgres'));
  const urls = databases.map(({ name }) => `${databaseVariableOf(name)}: *${name}-url`);
  const regions: [region: string, lines: string[]][] = [
    ['database URLs', databases.map(({ name }) => `${name}: &${name}-url ${databaseUrl(name)}`)],
    ['addresses', services.filter(({ calls }) => calls.length > 0).flatMap((one) => addressesOf(one, services))],
    ['database URLs for provisioning', urls],
    ['migrations', databases.flatMap(migrationOf).slice(0, -1)],
    ['database URLs for restoring', urls],
  ];
  const text = regions.reduce(
    (rendered, [region, lines]) => replaceRegion(rendered, region, lines),
    read('deploy/compose.yaml'),
  );
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const containers = text.slice(text.indexOf('\nservices:\n'));
  return services
    .filter(({ name }) => !containers.includes(`\n  ${name}:`))
    .reduce((rendered, service) => insertSection(rendered, '  media-sfu:', containerOf(service, version)), text);
}

/** Renders the settings of the Compose file with the passwords of the databases. */
export function renderComposeSettings({ services, read }: Checkout): string {
  const passwords = databaseServicesOf(services).map((name) => `${passwordVariableOf(name)}=`);
  return replaceRegion(read('deploy/env.example'), 'database passwords', passwords);
}

function passwordVariableOf(name: string): string {
  return databaseVariableOf(name).replace(/URL$/, 'PASSWORD');
}

function databaseUrl(name: string): string {
  const password = `\${${passwordVariableOf(name)}:?set it in deploy/.env}`;
  return `postgres://nolo_${schemaOf(name)}:${password}@postgres:5432/nolo`;
}

/** Returns the addresses that a service needs. A callee with a profile has one only if it is set in deploy/.env. */
function addressesOf({ name, calls }: ServiceEntry, services: readonly ServiceEntry[]): string[] {
  const addresses = calls.map((called) => {
    const variable = addressVariableOf(called);
    const { port, profile } = services.find((one) => one.name === called) ?? {};
    return `  ${variable}: ${profile === undefined ? `${called}:${String(port)}` : `\${${variable}:-}`}`;
  });
  return [`${name}: &${name}-addresses`, ...addresses];
}

/** Returns the job that migrates a service. The first one is the model of the others. */
function migrationOf({ name, profile }: ServiceEntry, index: number): string[] {
  const isFirst = index === 0;
  return [
    `migrate-${name}:${isFirst ? ' &migration' : ''}`,
    `  <<: *${isFirst ? 'migrate' : 'migration'}`,
    ...profileOf(profile),
    `  command: [node, services/${name}/src/migrate.ts]`,
    '  environment:',
    `    DATABASE_URL: *${name}-url`,
    ...(isFirst ? ['  depends_on:', '    provision: { condition: service_completed_successfully }'] : []),
    '',
  ];
}

function profileOf(profile: string | undefined): string[] {
  return profile === undefined ? [] : [`  profiles: [${profile}]`];
}

/** Returns a plain container, with which a new service begins. */
function containerOf({ name, profile, stores, calls }: ServiceEntry, version: string): string[] {
  const hasDatabase = stores.includes('postgres');
  const needed = [
    ...stores.filter((store) => store !== 'postgres').map((store) => `${store}: { condition: service_healthy }`),
    ...(hasDatabase ? [`migrate-${name}: { condition: service_completed_successfully }`] : []),
  ];
  const lines = [
    `${name}:`,
    '  <<: *service',
    '  mem_limit: 512m',
    ...profileOf(profile),
    `  image: \${NOLO_IMAGES:-nolo}/${name}:\${NOLO_VERSION:-${version}}`,
    '  build:',
    '    <<: *build',
    `    target: ${name}`,
    '  environment:',
    `    <<: ${calls.length > 0 ? `[*environment, *${name}-addresses]` : '*environment'}`,
    ...(hasDatabase ? [`    DATABASE_URL: *${name}-url`] : []),
    '  networks: [inside]',
    '  depends_on:',
    ...needed.map((line) => `    ${line}`),
  ];
  return lines.map((line) => `  ${line}`);
}
