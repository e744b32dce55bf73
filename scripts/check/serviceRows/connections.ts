import { commonConfig } from '@nolo/kit/config';
import { parse } from 'yaml';
import { databaseServicesOf } from '../../services.ts';
import type { Checkout } from '../checkout.ts';
import { formatText } from '../formatText.ts';

const page = 'docs/operating/scale.md';

interface ChartWorkload {
  enabled?: boolean;
  replicas: number;
  databasePoolMax?: number;
  worker?: ChartWorkload;
}

interface Compose {
  services: Record<string, { environment?: Record<string, string> }>;
}

/** Connections that the processes of an installation open at Postgres together. */
export interface Connections {
  processes: number;
  /** Includes those of one migration and of a backup. */
  connections: number;
}

const pool = commonConfig.DATABASE_POOL_MAX.parse(undefined);
/** Each process has one connection for scrapes in addition to its pool. */
const forScrapes = 1;
const perProcess = pool + forScrapes;
/** Connections of one migration, one for the lock and one for the work, and of a backup. */
const besides = 2 + 1;

/** Returns the chart's deployments with Postgres, workers included. `also` adds services that are off by default. */
function listWorkloads({ services, read }: Checkout, also: readonly string[] = []): ChartWorkload[] {
  const values = parse(read('deploy/helm/nolo/values.yaml')) as Record<string, ChartWorkload>;
  const isOn = (name: string) => also.includes(name) || (name !== 'transcriber' && (values[name]?.enabled ?? true));
  return databaseServicesOf(services)
    .filter(isOn)
    .flatMap((name) => values[name] ?? [])
    .flatMap((workload) => (workload.worker ? [workload, workload.worker] : [workload]));
}

function count(workloads: readonly ChartWorkload[]): Connections {
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
  return {
    processes: sumOf(workloads.map(({ replicas }) => replicas)),
    connections: besides + sumOf(workloads.map((one) => one.replicas * ((one.databasePoolMax ?? pool) + forScrapes))),
  };
}

/** Counts the connections of the chart with its default values. */
export function countChartConnections(checkout: Checkout): Connections {
  return count(listWorkloads(checkout));
}

/** Counts the connections of Compose with every profile. */
export function countComposeConnections({ read }: Checkout): Connections {
  const compose = parse(read('deploy/compose.yaml'), { merge: true, maxAliasCount: -1 }) as Compose;
  const processes = Object.entries(compose.services).filter(
    ([name, { environment }]) => !name.startsWith('migrate-') && environment?.['DATABASE_URL'] !== undefined,
  ).length;
  return { processes, connections: processes * perProcess + besides };
}

/** Renders the page that tells operators how many connections Nolo opens. */
export async function renderConnections(checkout: Checkout): Promise<string> {
  const workloads = listWorkloads(checkout, ['billing', 'notifications']);
  const everything = count(workloads);
  const sum = ({ processes, connections }: Connections) =>
    `${processes} processes × ${perProcess} + 2 + 1 = ${connections}`;
  // Each deployment may run one extra pod (maxSurge).
  const duringUpgrade = everything.connections + workloads.length * perProcess;
  const rows = [
    ['With the replicas of', 'Connections at most'],
    ['---', '---'],
    ["the chart's defaults", sum(countChartConnections(checkout))],
    ['the same with billing and notifications', sum(everything)],
    [
      'an upgrade of that, with a new pod for each deployment',
      `${workloads.length} more processes × ${perProcess} = ${duringUpgrade}`,
    ],
    ['the Compose file with every profile', sum(countComposeConnections(checkout))],
  ];
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  const [before, , after] = checkout.read(page).split(/^<!-- (?:connections|end of the connections) -->$/m);
  if (before === undefined || after === undefined) throw new Error(`${page} lacks the markers of its table.`);
  const marked = `<!-- connections -->\n\n${table}\n\n<!-- end of the connections -->`;
  return await formatText(page, before + marked + after);
}
