import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commonConfig } from '@nolo/kit/config';
import { parse } from 'yaml';
import { projectRoot } from '../paths.ts';
import { databaseServices } from '../services.ts';

/** Checks the number of connections that all processes together may open at Postgres, as documented for operators. */

interface ChartWorkload {
  enabled?: boolean;
  replicas: number;
  databasePoolMax?: number;
  autoscaling: { enabled: boolean };
  worker?: ChartWorkload;
}

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const values = parse(read('deploy/helm/nolo/values.yaml')) as Record<string, ChartWorkload>;
const compose = parse(read('deploy/compose.yaml'), { merge: true, maxAliasCount: -1 }) as {
  services: Record<string, { command?: string[]; environment?: Record<string, string> }>;
};
const page = read('docs/operating/scale.md');
/** Totals of the processes, from each row. */
const rows = [...page.matchAll(/^\|[^|]+\| (\d+ (?:more )?processes [^|]+?) +\|$/gm)].map(([, sum]) => sum);

const pool = commonConfig.DATABASE_POOL_MAX.parse(undefined);
/** Each process has one connection for scrapes in addition to its pool. */
const forScrapes = 1;
/** Connections of one migration, one for the lock and one for the work, and of a backup. */
const besides = 2 + 1;

/** Returns the chart's services with Postgres, including workers. `also` adds services that are disabled by default. */
function listWorkloads(also: readonly string[] = []): ChartWorkload[] {
  const isOn = (name: string) =>
    name === 'transcriber' ? also.includes(name) : (values[name]?.enabled ?? true) || also.includes(name);
  return databaseServices.filter(isOn).flatMap((name) => {
    const workload = values[name];
    if (!workload) throw new Error(`The chart has no values of ${name}.`);
    return workload.worker ? [workload, workload.worker] : [workload];
  });
}

const processes = (workloads: readonly ChartWorkload[]) => workloads.reduce((sum, { replicas }) => sum + replicas, 0);
const connections = (workloads: readonly ChartWorkload[]) =>
  workloads.reduce(
    (sum, workload) => sum + workload.replicas * ((workload.databasePoolMax ?? pool) + forScrapes),
    besides,
  );

test('the default chart stays below 60 connections, and nothing in it autoscales', () => {
  const workloads = listWorkloads();
  expect(connections(workloads)).toBeLessThan(60);
  expect(workloads.filter(({ autoscaling }) => autoscaling.enabled)).toEqual([]);
  expect(rows[0]).toBe(`${processes(workloads)} processes × ${pool + forScrapes} + 2 + 1 = ${connections(workloads)}`);
});

test('the documented connection counts are correct with everything enabled and during an upgrade', () => {
  const workloads = listWorkloads(['billing', 'notifications']);
  expect(rows[1]).toBe(`${processes(workloads)} processes × ${pool + forScrapes} + 2 + 1 = ${connections(workloads)}`);
  // Each deployment may run one extra pod (maxSurge).
  const surge = workloads.length * (pool + forScrapes);
  expect(rows[2]).toBe(`${workloads.length} more processes × ${pool + forScrapes} = ${connections(workloads) + surge}`);
});

test('Postgres in the compose file allows the connections its processes open', () => {
  const running = Object.entries(compose.services).filter(
    ([name, { environment }]) => !name.startsWith('migrate-') && environment?.['DATABASE_URL'] !== undefined,
  );
  const sum = running.length * (pool + forScrapes) + besides;
  const [, maxConnections] = /max_connections=(\d+)/.exec(compose.services['postgres']?.command?.join(' ') ?? '') ?? [];
  // PostgreSQL reserves three of its connections for administrators.
  expect(Number(maxConnections) - 3).toBeGreaterThanOrEqual(2 * sum);
  expect(rows[3]).toBe(`${running.length} processes × ${pool + forScrapes} + 2 + 1 = ${sum}`);
  expect(/sets `max_connections` to (\d+)/.exec(page)?.[1]).toBe(maxConnections);
});
