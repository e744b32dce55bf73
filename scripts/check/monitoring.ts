import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRegistry } from '@nolo/kit/telemetry';
import { parse } from 'yaml';
import { projectRoot } from '../paths.ts';
import { runCommand } from '../runCommand.ts';
import { anchorsOf } from './links.ts';
import { providePromtool } from './promtool.ts';
import { readTrackedFiles, type TextFile } from './trackedFiles.ts';

const folder = join(projectRoot, 'deploy/grafana');
const alertsFile = join(folder, 'alerts.yaml');

/** Metrics from other programs of a cluster. Alerts may use them, and stay silent without them. */
const foreign = /^(?:kube|kubelet|container|node|certmanager|probe)_/;

interface Panel {
  title?: string;
  targets?: { expr?: string }[];
  panels?: Panel[];
}

interface Dashboard {
  title: string;
  uid: string;
  panels: Panel[];
  annotations?: { list: { expr?: string }[] };
  templating: { list: { type: string; definition?: string; datasource?: unknown }[] };
}

interface Rule {
  alert: string;
  expr: string;
  labels?: { severity?: string };
  annotations?: Record<string, string>;
}

/** Location of a query, for error messages. */
interface Query {
  where: string;
  expr: string;
}

/** Returns the metric names in a query: words that are not functions, labels, keywords or inside strings. */
export function metricNamesIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/\{[^}]*\}/g, '{}')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  const words = bare.matchAll(/[a-zA-Z_:][\w:]*(?!\w)(?!\s*\()/g);
  return [...new Set([...words].map(([word]) => word).filter((word) => word.includes('_') && !word.startsWith('__')))];
}

/** Returns every metric that our processes export: those in the source, and Node's from the registry. */
async function knownMetrics(files: TextFile[]): Promise<Set<string>> {
  const names = new Set<string>();
  for (const { path, text } of files) {
    if (!/^(?:packages\/(?:installation|kit)|services\/[^/]+)\/src\/.*\.ts$/.test(path) || path.endsWith('.test.ts'))
      continue;
    for (const [, name] of text.matchAll(/\b(?:name(?::| =)|gauge\()\s*'(nolo_[a-z0-9_]+)'/g))
      if (name !== undefined) names.add(name);
  }
  for (const { name } of createRegistry('check').getMetricsAsArray()) names.add(name);
  return names;
}

function isKnown(name: string, known: Set<string>): boolean {
  return known.has(name) || known.has(name.replace(/_(?:bucket|sum|count)$/, ''));
}

function queriesOf(file: string, dashboard: Dashboard): Query[] {
  const inPanels = (panels: Panel[]): Query[] =>
    panels.flatMap((panel) => [
      ...(panel.targets ?? []).map(({ expr }) => ({ where: `${file}, ${panel.title ?? ''}`, expr: expr ?? '' })),
      ...inPanels(panel.panels ?? []),
    ]);
  const annotations = (dashboard.annotations?.list ?? []).flatMap(({ expr }) => expr ?? []);
  const variables = dashboard.templating.list.flatMap(
    ({ definition }) => /^label_values\((.*), \w+\)$/.exec(definition ?? '')?.[1] ?? [],
  );
  return [
    ...inPanels(dashboard.panels),
    ...[...annotations, ...variables].map((expr) => ({ where: `${file}, outside the panels`, expr })),
  ];
}

async function readDashboards(): Promise<{ file: string; dashboard: Dashboard }[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return await Promise.all(
    files.map(async (file) => ({
      file,
      dashboard: JSON.parse(await readFile(join(folder, file), 'utf8')) as Dashboard,
    })),
  );
}

/**
 * Checks dashboards and alert rules: every query parses and uses only metrics of our processes or a common exporter,
 * every alert has a severity and a runbook, and the rules pass their tests.
 */
export async function findMonitoringProblems(): Promise<string[]> {
  const { drawn, rules } = await readQueries();
  const problems = [...(await findUnknownMetrics()), ...findUnknownRunbooks(rules, await readTrackedFiles())];
  if (drawn.length === 0 || rules.length === 0) problems.push('No dashboards or no alert rules were found.');
  return [...problems, ...(await findRuleProblems(drawn))];
}

async function readQueries(): Promise<{ drawn: Query[]; rules: Rule[] }> {
  const dashboards = await readDashboards();
  const { groups } = parse(await readFile(alertsFile, 'utf8')) as { groups: { rules: Rule[] }[] };
  return {
    drawn: dashboards.flatMap(({ file, dashboard }) => queriesOf(file, dashboard)),
    rules: groups.flatMap((group) => group.rules),
  };
}

/** Finds metrics in dashboards and alerts that nothing exports. */
export async function findUnknownMetrics(): Promise<string[]> {
  const known = await knownMetrics(await readTrackedFiles());
  const { drawn, rules } = await readQueries();
  const queries = [...drawn, ...rules.map(({ alert, expr }) => ({ where: `alerts.yaml, ${alert}`, expr }))];
  return queries.flatMap(({ where, expr }) =>
    metricNamesIn(expr)
      .filter((name) => !isKnown(name, known) && !foreign.test(name))
      .map((name) => `${where}: nothing exports ${name}.`),
  );
}

/** Finds metrics of our processes that docs/telemetry.md does not name. */
export async function findUndocumentedMetrics(): Promise<string[]> {
  const files = await readTrackedFiles();
  const page = files.find(({ path }) => path === 'docs/telemetry.md')?.text ?? '';
  return [...(await knownMetrics(files))]
    .filter((name) => name.startsWith('nolo_') && !page.includes(`\`${name}\``))
    .map((name) => `docs/telemetry.md does not name ${name}.`);
}

/** Finds alerts without a runbook. */
function findUnknownRunbooks(rules: Rule[], files: TextFile[]): string[] {
  const problems: string[] = [];
  const pages = new Map(files.map(({ path, text }) => [path, text]));
  for (const { alert, labels, annotations } of rules) {
    if (!/^(?:critical|warning)$/.test(labels?.severity ?? '')) problems.push(`${alert} has no valid severity.`);
    if (!annotations?.['summary']) problems.push(`${alert} has no summary.`);
    const [page = '', anchor = ''] = (annotations?.['runbook_url'] ?? '').split('#');
    if (!anchorsOf(pages.get(page) ?? '').has(anchor)) problems.push(`${alert} has no runbook at ${page}#${anchor}.`);
  }
  return problems;
}

/** Returns problems reported by Prometheus' own tool. */
async function findRuleProblems(drawn: Query[]): Promise<string[]> {
  const promtool = await providePromtool();
  const temporary = await mkdtemp(join(tmpdir(), 'nolo-rules-'));
  try {
    // promtool does not read dashboards, so each of their queries becomes a rule, with Grafana's variables filled in.
    const queries = join(temporary, 'dashboards.json');
    const asRules = drawn.map(({ expr }, index) => ({
      record: `nolo:query:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1h'),
    }));
    await writeFile(queries, JSON.stringify({ groups: [{ name: 'dashboards', rules: asRules }] }));
    const problems: string[] = [];
    for (const args of [
      ['check', 'rules', alertsFile, queries],
      ['test', 'rules', join(folder, 'alerts.test.yaml')],
    ]) {
      const { code, output } = await runCommand(promtool, args, { env: process.env });
      if (code === 0) continue;
      const named = output.replaceAll(/nolo:query:(\d+)/g, (_, index: string) => drawn[Number(index)]?.where ?? '');
      problems.push(named.trim() || `promtool ${args.slice(0, 2).join(' ')} exited with code ${String(code)}.`);
    }
    return problems;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
