import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError, loadConfig } from '@nolo/kit/config';
import type { z } from 'zod';
import { projectRoot } from '../paths.ts';
import { podsOf, type ChartVariable } from './chartPods.ts';

/** Returns a value in the format that an operator's Secret would have. */
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

/**
 * Returns a container's environment, with a placeholder for each value from a Secret; `secrets` holds those that
 * matter.
 */
export function containerEnvironmentOf(
  variables: readonly ChartVariable[],
  secrets: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(variables.map(({ name, value }) => [name, value ?? secrets[name] ?? secretFor(name)]));
}

/** Returns the schema of the variables that a service reads. */
export async function loadConfigSchema(service: string): Promise<z.ZodType> {
  const path = pathToFileURL(join(projectRoot, `services/${service}/src/config.ts`)).href;
  return ((await import(path)) as { configSchema: z.ZodType }).configSchema;
}

/** Finds services that would refuse the environment that the rendered chart gives them. */
export async function findRefusedEnvironments(rendered: string): Promise<string[]> {
  const problems: string[] = [];
  for (const { service, env } of podsOf(rendered)) {
    if (service === undefined) continue;
    try {
      loadConfig(await loadConfigSchema(service), containerEnvironmentOf(env));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.sentences.map((sentence) => `${service} would not start: ${sentence}`));
    }
  }
  return problems;
}
