import { inspect } from 'node:util';
import { z } from 'zod';
import { inputWords } from './input.ts';
import { mayBeReached } from './reach.ts';

/**
 * A value that must not be printed. Every road on which an object usually ends up in a log
 * (template strings, JSON, console.log) shows `[redacted]`; only reveal() hands it out.
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

/** For functions that take an address which may or may not carry a password. */
export function reveal(value: string | Secret): string {
  return typeof value === 'string' ? value : value.reveal();
}

/** One sentence for each wrong variable. It is meant for the operator and needs no stack. */
export class ConfigError extends Error {
  readonly sentences: readonly string[];

  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.name = 'ConfigError';
    this.sentences = sentences;
  }
}

/**
 * A secret of at least `minLength` characters. Values left as in an example file are refused,
 * because a published secret is none.
 */
export function secret(minLength = 16) {
  return z
    .string()
    .min(minLength, `must have at least ${minLength} characters`)
    .refine((value) => !/^change[-_ ]?me/i.test(value), 'still has the value of the example; choose your own')
    .transform((value) => new Secret(value));
}

/** An address with one of the given protocols, kept as a Secret because it may hold a password. */
export function secretUrl(...protocols: string[]) {
  return z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol.slice(0, -1)),
      `must be an address beginning with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
    )
    .transform((value) => new Secret(value));
}

export interface Listen {
  host: string;
  port: number;
}

/** Where to listen, as `host:port`; IPv6 hosts stand in brackets, port 0 takes any free one. */
export function listen() {
  return z.string().transform((value, context): Listen => {
    const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:\s[\]]+)):(\d{1,5})$/.exec(value);
    const port = Number(match?.[3]);
    if (!match || port > 65_535) {
      context.addIssue({ code: 'custom', message: 'must be host:port, for example 127.0.0.1:9000' });
      return z.NEVER;
    }
    return { host: match[1] ?? match[2] ?? '', port };
  });
}

/** Writes a Listen back as an address, with the brackets that IPv6 needs. */
export function addressOf({ host, port }: Listen): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** `true`, `false`, `1`, `0`, `yes`, `no`, `on`, `off`; nothing else is guessed at. */
export function flag() {
  return z
    .string()
    .refine((value) => /^(true|false|1|0|yes|no|on|off)$/i.test(value), 'must be true or false')
    .transform((value) => /^(true|1|yes|on)$/i.test(value));
}

const prefix = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]*$/, 'may hold letters, digits, - and _ only')
    .default('');

/** A list as the OTEL_* variables write it, with percent-encoded values. */
const pairs = () =>
  z
    .string()
    .regex(
      /^[^=,%]+=([^,%]|%[0-9a-fA-F]{2})*(,[^=,%]+=([^,%]|%[0-9a-fA-F]{2})*)*$/,
      'must be name=value pairs with commas between them',
    );

/** Why a demo refuses this PUBLIC_URL: anybody on the internet could sign in with the demo code (decision 5). */
export function demoInPublic(config: {
  readonly NOLO_MODE: string;
  readonly PUBLIC_URL?: string | undefined;
}): string | undefined {
  const { NOLO_MODE: mode, PUBLIC_URL: url } = config;
  return mode === 'demo' && url !== undefined && mayBeReached(url)
    ? 'must be a local or private address in demo mode, where the demo code opens every account; for the internet, set NOLO_MODE=production'
    : undefined;
}

/**
 * What every service reads, keyed by the name in the environment. Spread into the service's own
 * schema: `z.object({ ...commonConfig, FILES_DIR: z.string() })`.
 */
export const commonConfig = {
  NOLO_MODE: z
    .enum(['demo', 'production'])
    .default('production')
    .describe('demo shows the demo code and uses simulators; production refuses both.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('How much is logged.'),
  DATABASE_URL: secretUrl('postgres', 'postgresql').describe(
    "PostgreSQL address with this service's own role, for example postgres://nolo_chat:password@127.0.0.1:5432/nolo.",
  ),
  DATABASE_POOL_MAX: z.coerce
    .number()
    .int()
    .min(2)
    .max(100)
    .default(4)
    .describe(
      'Connections to PostgreSQL that one process keeps at most for its work; one more is kept for what Prometheus asks.',
    ),
  REDIS_URL: secretUrl('redis', 'rediss').describe('Redis address, for example redis://127.0.0.1:6379.'),
  REDIS_PREFIX: prefix().describe('Put before every Redis key, so that several installations can share one Redis.'),
  NATS_URL: secretUrl('nats', 'tls').describe('NATS address, for example nats://127.0.0.1:4222.'),
  NATS_PREFIX: prefix().describe('Put before every NATS subject, so that several installations can share one NATS.'),
  RPC_LISTEN: listen().describe('Where this service takes internal calls, as host:port.'),
  RPC_SECRET: secret().describe('Shared by all services; internal calls without it are refused.'),
  METRICS_LISTEN: listen()
    .prefault('127.0.0.1:0')
    .describe('Where /metrics, /livez and /readyz are served, as host:port.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address beginning with http:// or https://' })
    .optional()
    .describe(
      'OpenTelemetry collector that takes traces by OTLP over HTTP, for example http://127.0.0.1:4318; none unless set.',
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
    .describe('Share of the traces that is kept, from 0 to 1. Decided by the gateway for everyone.'),
  OTEL_RESOURCE_ATTRIBUTES: pairs()
    .optional()
    .describe(
      'What traces say about this process besides its name, for example deployment.environment.name=production.',
    ),
} as const;

/** Of services that have events. */
export const eventLogConfig = {
  EVENTS_KEPT_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3650)
    .default(30)
    .describe('For how many days events are kept for services that have not read them yet.'),
} as const;

/** What is wrong with a variable, as something an operator can act on. */
function sentenceFor(issue: z.core.$ZodIssue, input: Record<string, string>): string {
  const name = issue.path.map(String).join('.') || 'The configuration';
  const variable = String(issue.path[0] ?? '');
  if (issue.path.length === 1 && input[variable] === undefined) return `${name} is missing; set it in the environment.`;
  const complaint = issue.message.replace(/\.$/, '');
  return /^(must|may|still|is|has|cannot)\b/.test(complaint)
    ? `${name} ${complaint}.`
    : `${name} is wrong: ${complaint}.`;
}

/**
 * Reads the configuration once. The result is frozen and handed on; nothing else reads the
 * environment. An empty value counts as not set, since that is how compose files and charts
 * express "no value". Values are never repeated in the sentences, as any of them may be secret.
 *
 * @throws ConfigError with one sentence for each variable that is missing or wrong.
 */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<z.output<Schema>> {
  const input: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && value !== '') input[name] = value;
  const result = schema.safeParse(input, { error: inputWords });
  if (!result.success) throw new ConfigError(result.error.issues.map((issue) => sentenceFor(issue, input)));
  return Object.freeze(result.data);
}
