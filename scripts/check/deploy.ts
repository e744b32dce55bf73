import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../paths.ts';
import { runCommand } from '../runCommand.ts';
import { findRefusedEnvironments } from './chartEnvironment.ts';
import { manifestsOf } from './chartPods.ts';
import { findNetworkPolicyProblems } from './chartNetworkPolicies.ts';
import { findRenderingProblems, findUpgradeProblems } from './chartRendering.ts';
import { findSecretProblems } from './chartSecrets.ts';
import { provideGoTool, goTools } from './goTools.ts';
import { provideKubernetesSchemas } from './provideKubernetesSchemas.ts';
import { findMonitoringProblems } from './monitoring.ts';
import { findServiceListProblems } from './serviceList.ts';
import { findServiceRowProblems } from './serviceRows.ts';
import { readTrackedFiles } from './trackedFiles.ts';

/**
 * Runs `npm run check:deploy`: everything that can be checked about deploy/ without a cluster or a container engine.
 */
const chart = join(projectRoot, 'deploy/helm/nolo');
const composeFile = join(projectRoot, 'deploy/compose.yaml');

function read(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}

async function run(program: string, args: string[], input?: string): Promise<{ problems: string[]; stdout: string }> {
  const { code, output, stdout } = await runCommand(program, args, {
    cwd: projectRoot,
    env: process.env,
    ...(input === undefined ? {} : { input }),
  });
  return { problems: code === 0 ? [] : [output.trim() || `${basename(program)} exited with code ${code}.`], stdout };
}

/** Addresses in Secrets for which a value set in ci/ opens a separate port. */
const secretAddresses: Record<string, Record<string, string>> = {
  ingress: { REDIS_URL: 'rediss://:password@redis.example.com:6380' },
};

/**
 * Checks the chart with one value set: lints and renders it, validates every resource against its schema, and every
 * service's environment against what that service accepts.
 */
async function findChartProblems(valuesFile: string): Promise<string[]> {
  const helm = await provideGoTool(goTools.helm);
  const lint = await run(helm, ['lint', '--strict', chart, '--values', valuesFile]);
  if (lint.problems.length > 0) return lint.problems;
  const rendered = await run(helm, ['template', 'nolo', chart, '--namespace', 'nolo', '--values', valuesFile]);
  if (rendered.problems.length > 0) return rendered.problems;
  const kubeconform = await provideGoTool(goTools.kubeconform);
  const args = ['-strict', '-summary', '-schema-location', await provideKubernetesSchemas(), '-'];
  const { problems, stdout } = await run(kubeconform, args, rendered.stdout);
  // An empty chart would be valid, too.
  if (problems.length === 0 && !/: [1-9]\d* resources? found/.test(stdout)) return ['The chart renders no resources.'];
  return [
    ...problems,
    ...(await findRefusedEnvironments(rendered.stdout)),
    ...(await findNetworkPolicyProblems(rendered.stdout, secretAddresses[basename(valuesFile, '.yaml')])),
  ];
}

/** Finds wrong values that the chart accepts instead of refusing. */
async function findLenience(): Promise<string[]> {
  const helm = await provideGoTool(goTools.helm);
  const values = join(chart, 'ci/minimal.yaml');
  const wrong = [
    'gateway.replica=2',
    'publicUrl=nolo',
    'files.replicas=2',
    'exposure.type=gatewayApi',
    'logLevel=loud',
    'media-sfu.workers=0',
    'meetings.iceUrls={example.org}',
    'meetings.ringSeconds=60',
    'meetings.minutes=long',
    'transcriber.url=ftp://speech.example.org',
    'transcriber.plan=gold',
    'social-scheduler.clientIds.myspace=1',
    'billing.tax=a lot',
    'billing.payfast.sandbox=maybe',
    'social-scheduler.worker.autoscaling.targetJobs=0',
    'networkPolicy.mail.ports={}',
    'networkPolicy.outside.port=443',
    'trial.enabled=true',
  ];
  const answers = await Promise.all(
    wrong.map(async (setting) => {
      const { problems } = await run(helm, ['template', 'nolo', chart, '--values', values, '--set', setting]);
      return problems.length === 0 ? [`The chart accepts the invalid setting ${setting}.`] : [];
    }),
  );
  return answers.flat();
}

const firstSettings = [
  'publicUrl=http://localhost:8080',
  'twilio.accountSid=AC00000000000000000000000000000000',
  'twilio.from=MG00000000000000000000000000000000',
  'exposure.type=none',
];

/** Renders the chart with its default values and these overrides. */
async function renderWith(more: string[]): Promise<{ problems: string[]; stdout: string }> {
  const settings = [...firstSettings, ...more].flatMap((setting) => ['--set', setting]);
  return run(await provideGoTool(goTools.helm), ['template', 'nolo', chart, ...settings]);
}

/** Checks the chart's default values, with which operators start. */
async function findFirstInstallationProblems(): Promise<string[]> {
  const { problems, stdout } = await renderWith(['linkPreviews=false']);
  if (problems.length > 0) return problems;
  // Files from links are fetched through the same ports as previews.
  if (!stdout.includes('port: 80 }')) problems.push('With link previews off, link imports have no egress.');
  if (!stdout.includes('kind: NetworkPolicy')) problems.push('The chart renders no NetworkPolicies.');
  return [...problems, ...findRenderingProblems(stdout), ...(await findNetworkPolicyProblems(stdout))];
}

/** Finds names of releases and of operators' resources that YAML does not read as strings. */
async function findNameProblems(): Promise<string[]> {
  const helm = await provideGoTool(goTools.helm);
  const kubeconform = await provideGoTool(goTools.kubeconform);
  const schemas = await provideKubernetesSchemas();
  const named = [
    'imagePullSecrets={on}',
    'secrets.redisUrl.name=1',
    'secrets.redisUrl.key=y',
    'files.persistence.existingClaim=1',
    'transcriber.modelClaim=on',
    'places.claim=1',
    'backgroundModel.configMap=on',
    'backup.existingClaim=1',
    'backup.enabled=true',
    'priorityClassName=on',
    'exposure.ingress.className=y',
    'exposure.ingress.tlsSecretName=1',
  ].flatMap((setting) => [setting === 'backup.enabled=true' ? '--set' : '--set-string', setting]);
  const answers = await Promise.all(
    ['y', '1', 'on', '1e3'].map(async (release) => {
      const args = [
        'template',
        release,
        chart,
        '--values',
        join(chart, 'ci/ingress.yaml'),
        '--set',
        'transcriber.modelFolder=a',
      ];
      const rendered = await run(helm, [...args, ...named]);
      if (rendered.problems.length > 0) return rendered.problems;
      const validation = await run(kubeconform, ['-strict', '-schema-location', schemas, '-'], rendered.stdout);
      // The name of a Service is an RFC 1035 label, which no schema checks.
      const services = manifestsOf(rendered.stdout).filter(({ kind }) => kind === 'Service');
      const wrong = services.filter(({ metadata }) => !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(metadata.name));
      return [
        ...validation.problems,
        ...wrong.map(({ metadata }) => `${metadata.name} is not a valid name for a Service.`),
      ];
    }),
  );
  return answers.flat();
}

/** Checks a later upgrade of the same cluster: without the disabled services, and with billing and notifications. */
async function findLaterUpgradeProblems(): Promise<string[]> {
  const more = [[], ['billing.enabled=true', 'billing.seller=Example Ltd', 'notifications.enabled=true']];
  const answers = await Promise.all(more.map((settings) => renderWith(settings)));
  return answers.flatMap(({ problems, stdout }) => (problems.length > 0 ? problems : findUpgradeProblems(stdout)));
}

/** Checks that the compose file follows its specification and that the example has every required variable. */
async function findComposeProblems(): Promise<string[]> {
  const compose = await provideGoTool(goTools.compose);
  const { problems } = await run(compose, ['-no-interpolation', '-format', 'json', composeFile]);
  const example = read('deploy/env.example');
  const required = new Set(
    [...read('deploy/compose.yaml').matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name ?? ''),
  );
  for (const name of required) {
    if (!new RegExp(`^${name}=`, 'm').test(example)) problems.push(`deploy/env.example lacks ${name}.`);
  }
  return problems;
}

/** Finds environment variables that the chart or the compose file sets but no service reads. */
function findUnknownVariables(): Promise<string[]> {
  const known = new Set(
    [...read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name ?? ''),
  );
  const problems: string[] = [];
  const template = read('deploy/helm/nolo/templates/_environment.tpl');
  for (const [, name] of template.matchAll(/(?:- name: |"variable" ")([A-Z][A-Z0-9_]+)/g)) {
    if (name !== undefined && !known.has(name)) problems.push(`The chart sets ${name}, which no service reads.`);
  }
  const compose = parse(read('deploy/compose.yaml'), { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, { build?: unknown; environment?: Record<string, unknown> }>;
  };
  for (const [service, { build, environment }] of Object.entries(compose.services)) {
    if (build === undefined || service === 'provision') continue;
    for (const name of Object.keys(environment ?? {})) {
      if (!known.has(name))
        problems.push(`The compose file gives ${service} the variable ${name}, which it does not read.`);
    }
  }
  return Promise.resolve(problems);
}

/** Finds workspaces missing from the folder lists that images are built from. */
async function findImageProblems(): Promise<string[]> {
  const dockerfile = read('deploy/docker/Dockerfile');
  const paths = (await readTrackedFiles()).map(({ path }) => path);
  return paths
    .filter((path) =>
      /^(?:packages|services)\/[^/]+\/package\.json$|^(?:proto|simulators|tests|web)\/package\.json$/.test(path),
    )
    .filter((path) => !dockerfile.includes(`COPY ${path} `))
    .map((path) => `deploy/docker/Dockerfile does not copy ${path}, so npm sees a different set of workspaces.`);
}

const valueSets = readdirSync(join(chart, 'ci')).filter((file) => file.endsWith('.yaml'));

const checks: { name: string; run: () => Promise<string[]> }[] = [
  { name: 'services', run: async () => [...(await findServiceListProblems()), ...(await findServiceRowProblems())] },
  { name: 'images', run: findImageProblems },
  { name: 'variables', run: findUnknownVariables },
  { name: 'compose', run: findComposeProblems },
  { name: 'monitoring', run: findMonitoringProblems },
  ...valueSets.map((file) => ({
    name: `chart ${basename(file, '.yaml')}`,
    run: () => findChartProblems(join(chart, 'ci', file)),
  })),
  { name: 'chart refuses', run: findLenience },
  { name: 'first installation', run: findFirstInstallationProblems },
  { name: 'upgrade', run: findLaterUpgradeProblems },
  { name: 'chart names', run: findNameProblems },
  { name: 'chart secrets', run: async () => findSecretProblems(await provideGoTool(goTools.helm), chart) },
];

let failed = 0;
for (const check of checks) {
  const problems = await check
    .run()
    .catch((error: unknown) => [error instanceof Error ? error.message : String(error)]);
  if (problems.length > 0) failed += 1;
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${check.name}`);
  for (const problem of problems) console.log(problem.replace(/^/gm, '       '));
}
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
