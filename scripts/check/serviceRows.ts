import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCheckout, type Checkout } from './checkout.ts';
import { renderAlerts, renderAlertTests } from './serviceRows/alerts.ts';
import { renderBackup } from './serviceRows/backup.ts';
import { renderChartPage, renderValues, renderValuesSchema } from './serviceRows/chart.ts';
import { renderCompose, renderComposeSettings } from './serviceRows/compose.ts';
import { renderConnections } from './serviceRows/connections.ts';
import { renderDockerfile } from './serviceRows/dockerfile.ts';
import { renderProtoManifest } from './serviceRows/protoExports.ts';

/** Files with rows that follow from `services.json` and `proto/`. The connections follow from the files before. */
const renderers: Readonly<Record<string, (checkout: Checkout) => string | Promise<string>>> = {
  'proto/package.json': renderProtoManifest,
  'deploy/docker/Dockerfile': renderDockerfile,
  'deploy/compose.yaml': renderCompose,
  'deploy/env.example': renderComposeSettings,
  'deploy/helm/nolo/values.yaml': renderValues,
  'deploy/helm/nolo/values.schema.json': renderValuesSchema,
  'deploy/helm/nolo/README.md': renderChartPage,
  'deploy/grafana/alerts.yaml': renderAlerts,
  'deploy/grafana/alerts.test.yaml': renderAlertTests,
  'deploy/backup/nolo-backup.sh': renderBackup,
  'docs/operating/scale.md': renderConnections,
};

/** Returns the text of a file with the rows that it should have. */
export async function renderServiceRows(path: string, checkout: Checkout): Promise<string> {
  const render = renderers[path];
  if (render === undefined) throw new Error(`${path} has no rows of services.`);
  return await render(checkout);
}

/** Writes the rows of all services, and returns the paths of the files that changed. */
export async function writeServiceRows(checkout: Checkout = openCheckout()): Promise<string[]> {
  const written: string[] = [];
  for (const path of Object.keys(renderers)) {
    const text = await renderServiceRows(path, checkout);
    if (text === checkout.read(path)) continue;
    writeFileSync(join(checkout.root, path), text);
    written.push(path);
  }
  return written;
}

/** Reports files whose rows do not match `services.json` and `proto/`. */
export async function findServiceRowProblems(checkout: Checkout = openCheckout()): Promise<string[]> {
  const problems = await Promise.all(
    Object.keys(renderers).map(async (path) => {
      const text = await renderServiceRows(path, checkout);
      return text === checkout.read(path) ? [] : [`${path} is outdated. Run \`npm run generate\`.`];
    }),
  );
  return problems.flat();
}

if (import.meta.main) {
  const written = await writeServiceRows();
  console.log(written.length === 0 ? 'The rows of the services are up to date.' : `Generated: ${written.join(', ')}`);
}
