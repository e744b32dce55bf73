import { findUndocumentedMetrics, findUnknownMetrics, metricNamesIn } from './monitoring.ts';

test.each([
  ['sum by (service, method) (rate(nolo_rpc_server_seconds_count{code!="OK"}[5m]))', ['nolo_rpc_server_seconds_count']],
  ['histogram_quantile(0.99, sum by (le) (rate(a_bucket[$__rate_interval])))', ['a_bucket']],
  ['a_total / on (pod_name) group_left (node_name) b_total > 1', ['a_total', 'b_total']],
  ['absent(up_total{service="x_y"}) or vector(0)', ['up_total']],
  ['sum(avg_over_time(a_open[10m] offset 5m)) > 20', ['a_open']],
])('finds the metrics of %s', (expr, names) => {
  expect(metricNamesIn(expr)).toEqual(names);
});

test('dashboards and alerts query only metrics that some process exposes', async () => {
  expect(await findUnknownMetrics()).toEqual([]);
});

test('docs/telemetry.md names every metric of our processes', async () => {
  expect(await findUndocumentedMetrics()).toEqual([]);
});
