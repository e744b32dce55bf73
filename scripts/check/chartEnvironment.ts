import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError, loadConfig } from '@nolo/kit/config';
import { parseAllDocuments } from 'yaml';
import type { z } from 'zod';
import { projectRoot } from '../paths.ts';

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
}

interface Manifest {
  kind: string;
  spec?: { template?: { spec?: { containers?: { name: string; env?: Variable[] }[] } } };
}

/** What an operator's Secrets would hold, as far as its form matters. */
function secretFor(variable: string): string {
  const addresses: Record<string, string> = {
    DATABASE_URL: 'postgres://nolo_service:password@postgres:5432/nolo',
    REDIS_URL: 'redis://:password@redis:6379',
    FACTOR_KEYS: `first:${Buffer.alloc(32).toString('base64')}`,
    SOCIAL_TOKEN_KEYS: `first:${Buffer.alloc(32).toString('base64')}`,
    WEBHOOK_KEYS: `first:${Buffer.alloc(32).toString('base64')}`,
    SMTP_URL: 'smtps://nolo:password@mail.example.org',
    NATS_URL: 'nats://nolo:password@nats:4222',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token',
  };
  return addresses[variable] ?? '0123456789'.repeat(5);
}

/** Whether each service would accept the environment that the rendered chart gives it. */
export async function findRefusedEnvironments(rendered: string): Promise<string[]> {
  const manifests = parseAllDocuments(rendered).map((document) => document.toJS() as Manifest | null);
  const deployments = manifests.filter((manifest) => manifest?.kind === 'Deployment');
  const problems: string[] = [];
  for (const deployment of deployments) {
    for (const { name, env = [] } of deployment?.spec?.template?.spec?.containers ?? []) {
      const module: unknown = await import(pathToFileURL(join(projectRoot, `services/${name}/src/config.ts`)).href);
      const { configSchema } = module as { configSchema: z.ZodType };
      const variables = env.map((variable) => [variable.name, variable.value ?? secretFor(variable.name)] as const);
      try {
        loadConfig(configSchema, Object.fromEntries(variables));
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        problems.push(...error.sentences.map((sentence) => `${name} would not start: ${sentence}`));
      }
    }
  }
  return problems;
}
