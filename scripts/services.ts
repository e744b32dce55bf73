import { readFileSync } from 'node:fs';

export type Store = 'postgres' | 'redis' | 'nats';

/** One entry of `services.json`, the list of services: what others have to know of one to start, migrate and watch it. */
export interface ServiceEntry {
  /** That of its folder, its image and its label in metrics; also of its schema, where it has one. */
  name: string;
  /** Whether an installation may do without it. */
  optional?: boolean;
  /** In its image: where it takes requests, by gRPC but for the gateway. Launched here it gets a free port. */
  port: number;
  /** What it keeps its state in. One with Postgres has a schema, a role and migrations. */
  stores: Store[];
  /** Services whose addresses it is given, for calls and for the events that it reads. */
  calls: string[];
  /** Variables that no other process is given unless it lists them too; `*` at the end stands for any letters. */
  variables: string[];
}

/** In the order in which they are shown and started. */
export const services = JSON.parse(
  readFileSync(new URL('../services.json', import.meta.url), 'utf8'),
) as readonly ServiceEntry[];

/** Names of those that keep something in Postgres. */
export const databaseServices: readonly string[] = services
  .filter(({ stores }) => stores.includes('postgres'))
  .map(({ name }) => name);

export function serviceNamed(name: string): ServiceEntry {
  const entry = services.find((one) => one.name === name);
  if (entry === undefined) throw new Error(`services.json has no service "${name}".`);
  return entry;
}

/** The variable that holds a service's address: `CHAT_ADDR`. */
export function addressVariable(name: string): string {
  return `${inCapitals(name)}_ADDR`;
}

/** The variable by which whoever provisions the database knows a service's own address of it: `CHAT_DATABASE_URL`. */
export function databaseVariable(name: string): string {
  return `${inCapitals(name)}_DATABASE_URL`;
}

function inCapitals(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

/** Services that list a variable as theirs; undefined for one that is anybody's. */
export function ownersOf(variable: string): string[] | undefined {
  const owners = services.filter(({ variables }) => variables.some((pattern) => isMeant(pattern, variable)));
  return owners.length === 0 ? undefined : owners.map(({ name }) => name);
}

/** Whether an entry of `variables` stands for a variable. */
export function isMeant(pattern: string, variable: string): boolean {
  return pattern.endsWith('*') ? variable.startsWith(pattern.slice(0, -1)) : variable === pattern;
}
