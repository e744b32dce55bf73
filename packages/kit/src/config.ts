import { inspect } from 'node:util';
import { z } from 'zod';
import { describeInputIssue } from './input.ts';
import { isPubliclyReachable } from './reach.ts';

/**
 * Value that must not be printed. Every way an object usually reaches a log (template strings, JSON, console.log) shows
 * `[redacted]`; only reveal() returns it.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[redacted]';
  }

  toJSON(): string {
    return '[redacted]';
  }

  [inspect.custom](): string {
    return '[redacted]';
  }
}

/** Returns the plain text of an address that may or may not be a Secret. */
export function reveal(value: string | Secret): string {
  return typeof value === 'string' ? value : value.reveal();
}

/** Configuration error with one sentence per invalid variable. Addressed to the operator, so it needs no stack. */
export class ConfigError extends Error {
  readonly sentences: readonly string[];

  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.name = 'ConfigError';
    this.sentences = sentences;
  }
}

/**
 * Secret of at least `minLength` characters. Values left as in an example file are refused, because a published secret
 * is worthless.
 */
export function createSecretSchema(minLength = 16) {
  return z
    .string()
    .min(minLength, `must have at least ${minLength} characters`)
    .refine((value) => !/^change[-_ ]?me/i.test(value), 'still has the example value; choose your own')
    .transform((value) => new Secret(value));
}

/** URL with one of the given protocols, wrapped in a Secret because it may contain a password. */
export function createSecretUrlSchema(...protocols: string[]) {
  return z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol.slice(0, -1)),
      `must be an address beginning with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
    )
    .transform((value) => new Secret(value));
}

export interface HostPort {
  host: string;
  port: number;
}

/** Listen address as `host:port`. IPv6 hosts are in brackets; port 0 selects a free port. */
export function createHostPortSchema() {
  return z.string().transform((value, context): HostPort => {
    const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:\s[\]]+)):(\d{1,5})$/.exec(value);
    const port = Number(match?.[3]);
    if (!match || port > 65_535) {
      context.addIssue({ code: 'custom', message: 'must be host:port, for example 127.0.0.1:9000' });
      return z.NEVER;
    }
    return { host: match[1] ?? match[2] ?? '', port };
  });
}

/** Formats host and port as an address, with brackets for IPv6. */
export function formatHostPort({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Accepts `true`, `false`, `1`, `0`, `yes`, `no`, `on`, `off` and no other values. */
export function createFlagSchema() {
  return z
    .string()
    .refine((value) => /^(true|false|1|0|yes|no|on|off)$/i.test(value), 'must be true or false')
    .transform((value) => /^(true|1|yes|on)$/i.test(value));
}

const prefix = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]*$/, 'must contain only letters, digits, - and _')
    .default('');

/** List in the format of the OTEL_* variables, with percent-encoded values. */
const pairs = () =>
  z
    .string()
    .regex(
      /^[^=,%]+=([^,%]|%[0-9a-fA-F]{2})*(,[^=,%]+=([^,%]|%[0-9a-fA-F]{2})*)*$/,
      'must be name=value pairs separated by commas',
    );

/**
 * Returns why demo mode refuses this PUBLIC_URL: anyone on the internet could sign in with the demo code (decision 5).
 */
export function describePublicDemoProblem(config: {
  readonly NOLO_MODE: string;
  readonly PUBLIC_URL?: string | undefined;
}): string | undefined {
  const { NOLO_MODE: mode, PUBLIC_URL: url } = config;
  return mode === 'demo' && url !== undefined && isPubliclyReachable(url)
    ? 'must be a local or private address in demo mode, where the demo code opens every account; for the internet, set NOLO_MODE=production'
    : undefined;
}

/**
 * Variables that every service reads, keyed by environment name. Spread them into the service's own schema: `z.object({
 * ...commonConfig, FILES_DIR: z.string() })`.
 */
export const commonConfig = {
  NOLO_MODE: z
    .enum(['demo', 'production'])
    .default('production')
    .describe('demo shows the demo code and uses simulators; production refuses both.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Minimum level of log entries.'),
  DATABASE_URL: createSecretUrlSchema('postgres', 'postgresql').describe(
    "PostgreSQL address with this service's own role, for example postgres://nolo_chat:password@127.0.0.1:5432/nolo.",
  ),
  DATABASE_POOL_MAX: z.coerce
    .number()
    .int()
    .min(2)
    .max(100)
    .default(4)
    .describe(
      'Maximum PostgreSQL connections of one process for its work; one more is reserved for Prometheus queries.',
    ),
  REDIS_URL: createSecretUrlSchema('redis', 'rediss').describe('Redis address, for example redis://127.0.0.1:6379.'),
  REDIS_PREFIX: prefix().describe('Prefix of every Redis key, so that several installations can share one Redis.'),
  NATS_URL: createSecretUrlSchema('nats', 'tls').describe('NATS address, for example nats://127.0.0.1:4222.'),
  NATS_PREFIX: prefix().describe('Prefix of every NATS subject, so that several installations can share one NATS.'),
  RPC_LISTEN: createHostPortSchema().describe('Address on which this service accepts internal calls, as host:port.'),
  RPC_SECRET: createSecretSchema().describe('Secret shared by all services; internal calls without it are refused.'),
  METRICS_LISTEN: createHostPortSchema()
    .prefault('127.0.0.1:0')
    .describe('Address that serves /metrics, /livez and /readyz, as host:port.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address beginning with http:// or https://' })
    .optional()
    .describe(
      'OpenTelemetry collector that receives traces by OTLP over HTTP, for example http://127.0.0.1:4318; without it, no traces are sent.',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: pairs()
    .transform((value) => new Secret(value))
    .optional()
    .describe('Headers for the collector, as name=value,name=value.'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .prefault('1')
    .transform(Number)
    .describe('Fraction of traces to sample, from 0 to 1. The gateway decides for all services.'),
  OTEL_RESOURCE_ATTRIBUTES: pairs()
    .optional()
    .describe(
      'Attributes that traces give this process besides its name, for example deployment.environment.name=production.',
    ),
} as const;

/** Variables of services with an event log. */
export const eventLogConfig = {
  EVENTS_KEPT_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3650)
    .default(30)
    .describe('Days for which events are stored for services that have not read them yet.'),
} as const;

/** Describes the problem with a variable so that an operator can act on it. */
function sentenceFor(issue: z.core.$ZodIssue, input: Record<string, string>): string {
  const name = issue.path.map(String).join('.') || 'The configuration';
  const variable = String(issue.path[0] ?? '');
  if (issue.path.length === 1 && input[variable] === undefined) return `${name} is missing; set it in the environment.`;
  const complaint = issue.message.replace(/\.$/, '');
  return /^(must|may|still|is|has|cannot)\b/.test(complaint)
    ? `${name} ${complaint}.`
    : `${name} is invalid: ${complaint}.`;
}

/**
 * Reads the configuration once. The frozen result is passed on; no other code reads the environment. An empty value
 * counts as unset, because compose files and charts express "no value" that way. Sentences never repeat values, because
 * any of them may be secret.
 *
 * @throws ConfigError with one sentence for each missing or invalid variable.
 */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<z.output<Schema>> {
  const input: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && value !== '') input[name] = value;
  const result = schema.safeParse(input, { error: describeInputIssue });
  if (!result.success) throw new ConfigError(result.error.issues.map((issue) => sentenceFor(issue, input)));
  return Object.freeze(result.data);
}
