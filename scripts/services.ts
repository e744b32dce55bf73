import { readFileSync } from 'node:fs';

type BackingStore = 'postgres' | 'redis' | 'nats';

/**
 * Entry of `services.json`, the list of services: everything others need in order to start, migrate and monitor a
 * service.
 */
export interface ServiceEntry {
  /** Name of its folder, image and metrics label, and of its schema if it has one. */
  name: string;
  /** True if an installation can omit it. */
  optional?: boolean;
  /** Profile of Compose that starts an optional service. Without one, Compose always starts it. */
  profile?: string;
  /** Port in its image for requests, by gRPC except for the gateway. Launched here, it gets a free port. */
  port: number;
  /** Stores for its state. A service with Postgres has a schema, a role and migrations. */
  stores: BackingStore[];
  /** Services whose addresses it receives, for calls and for reading events. */
  calls: string[];
  /** Variables passed only to the services that list them; a final `*` matches any letters. */
  variables: string[];
}

/** Reads a list of services. */
export function readServices(file: URL | string): readonly ServiceEntry[] {
  return JSON.parse(readFileSync(file, 'utf8')) as readonly ServiceEntry[];
}

/** Services in the order in which they are shown and started. */
export const services = readServices(new URL('../services.json', import.meta.url));

/** Returns the names of the services that use Postgres. */
export function databaseServicesOf(list: readonly ServiceEntry[]): string[] {
  return list.filter(({ stores }) => stores.includes('postgres')).map(({ name }) => name);
}

/** Names of the services that use Postgres. */
export const databaseServices: readonly string[] = databaseServicesOf(services);

export function findService(name: string): ServiceEntry {
  const entry = services.find((one) => one.name === name);
  if (entry === undefined) throw new Error(`services.json has no service "${name}".`);
  return entry;
}

/** Returns the variable with a service's address: `CHAT_ADDR`. */
export function addressVariableOf(name: string): string {
  return `${inCapitals(name)}_ADDR`;
}

/** Returns the provisioning variable with a service's own database URL: `CHAT_DATABASE_URL`. */
export function databaseVariableOf(name: string): string {
  return `${inCapitals(name)}_DATABASE_URL`;
}

function inCapitals(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

/** Returns the services that list a variable, or undefined for a variable without owners. */
export function findServicesOwningVariable(variable: string): string[] | undefined {
  const owners = services.filter(({ variables }) => variables.some((pattern) => matchesVariable(pattern, variable)));
  return owners.length === 0 ? undefined : owners.map(({ name }) => name);
}

/** Returns true if an entry of `variables` matches a variable. */
export function matchesVariable(pattern: string, variable: string): boolean {
  return pattern.endsWith('*') ? variable.startsWith(pattern.slice(0, -1)) : variable === pattern;
}
