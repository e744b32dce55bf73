import { parse } from 'yaml';
import { openCheckout } from './checkout.ts';
import { countChartConnections, countComposeConnections } from './serviceRows/connections.ts';

const checkout = openCheckout();

/** Connections that PostgreSQL reserves for administrators. */
const reserved = 3;

test("the default chart fits PostgreSQL's default of 100 connections, and nothing in it autoscales", () => {
  const values = parse(checkout.read('deploy/helm/nolo/values.yaml')) as Record<
    string,
    { autoscaling?: { enabled: boolean } } | undefined
  >;
  expect(countChartConnections(checkout).connections).toBeLessThanOrEqual(100 - reserved);
  expect(checkout.services.filter(({ name }) => values[name]?.autoscaling?.enabled)).toEqual([]);
});

test('Postgres in the compose file allows twice the connections that its processes open', () => {
  const compose = parse(checkout.read('deploy/compose.yaml'), { merge: true, maxAliasCount: -1 }) as {
    services: { postgres: { command: string[] } };
  };
  const [, maxConnections] = /max_connections=(\d+)/.exec(compose.services.postgres.command.join(' ')) ?? [];
  const { connections } = countComposeConnections(checkout);
  expect(Number(maxConnections) - reserved).toBeGreaterThanOrEqual(2 * connections);
  const page = checkout.read('docs/operating/scale.md');
  expect(/sets `max_connections` to (\d+)/.exec(page)?.[1]).toBe(maxConnections);
});
