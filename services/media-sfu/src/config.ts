import { availableParallelism } from 'node:os';
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { commonConfig, createFlagSchema } from '@nolo/kit/config';
import { z } from 'zod';

const { NOLO_MODE, LOG_LEVEL, NATS_URL, NATS_PREFIX, RPC_LISTEN, RPC_SECRET, METRICS_LISTEN } = commonConfig;

const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

const hostAndPort = () =>
  z.string().regex(/^(?:\[[0-9a-fA-F:.]+\]|[^:\s[\]]+):\d{1,5}$/, 'must be host:port, for example sfu-1.internal:9000');

const portRange = () =>
  z
    .string()
    .regex(/^\d{1,5}-\d{1,5}$/, 'must be two ports separated by a dash, for example 42000-42999')
    .transform((value) => {
      const [min = 0, max = 0] = value.split('-').map(Number);
      return { min, max };
    })
    .refine(({ min, max }) => min > 0 && min <= max && max <= 65_535, 'must go from a lower to a higher port');

const ipAddresses = () =>
  z
    .string()
    .transform((value) => value.split(',').map((one) => one.trim()))
    .refine((all) => all.every((one) => isIP(one) !== 0), 'must be IP addresses separated by commas')
    .refine((all) => new Set(all).size === all.length, 'contains an address twice');

const everyAddress = /^(0\.0\.0\.0|::)$/;

/** Keys are names of environment variables. A test compares them with `.env.example`. */
export const configSchema = z
  .object({
    NOLO_MODE,
    LOG_LEVEL,
    NATS_URL,
    NATS_PREFIX,
    RPC_LISTEN,
    RPC_SECRET,
    METRICS_LISTEN,
    RPC_ADDRESS: hostAndPort()
      .optional()
      .describe(
        'host:port at which meetings and other media nodes reach this node; RPC_LISTEN unless set. If MEDIA_LISTEN_IP is a wildcard address, media between nodes goes to the same host.',
      ),
    MEDIA_LISTEN_IP: ipAddresses()
      .prefault('127.0.0.1')
      .describe(
        'IP address that receives the media of calls and meetings. Several can be given, separated by commas; media between workers and nodes uses the first.',
      ),
    MEDIA_ANNOUNCED_ADDRESS: z
      .string()
      .min(1)
      .optional()
      .describe('Address or name that browsers send media to; MEDIA_LISTEN_IP unless set.'),
    MEDIA_PORT: wholeNumber(0, 65_000)
      .default(44_400)
      .describe('First media port: each worker takes one, for UDP and TCP, counting up from here; 0 picks free ones.'),
    MEDIA_PIPE_PORTS: portRange()
      .prefault('42000-43999')
      .describe('UDP ports for media between nodes and workers, as first-last.'),
    MEDIA_WORKERS: wholeNumber(0, 256).default(0).describe('Number of media workers per node; 0 runs one per core.'),
    MEDIA_CONSUMERS_PER_WORKER: wholeNumber(1, 100_000)
      .default(1000)
      .describe('Maximum number of streams that one worker sends before a room is spread over another worker.'),
    MEDIA_MAX_INCOMING_BITRATE: wholeNumber(100_000, 100_000_000)
      .default(6_000_000)
      .describe('Maximum bitrate that a participant may send, in bits per second.'),
    MEDIA_HEARTBEAT_MS: wholeNumber(50, 10_000)
      .default(500)
      .describe('Milliseconds between two heartbeats of a media node.'),
    MEDIA_SILENT_MS: wholeNumber(300, 60_000)
      .default(1_500)
      .describe('Milliseconds after which a silent media node is considered dead; several times MEDIA_HEARTBEAT_MS.'),
    MEDIA_DRAIN_SECONDS: wholeNumber(0, 86_400)
      .optional()
      .describe('Seconds that a stopping node waits for its participants to move; 60, or 1 in demo mode.'),
    MEDIASOUP_WORKER_BIN: z
      .string()
      .refine(isAbsolute, 'must be an absolute path')
      .optional()
      .describe('Path of the mediasoup worker; the one inside the mediasoup package unless set.'),
    MEDIA_WORKER_BUILT: createFlagSchema()
      .prefault('false')
      .describe('Whether the worker was built on this machine instead of released by mediasoup; set by the launcher.'),
    MEDIA_ALLOW_BUILT_WORKER: createFlagSchema()
      .prefault('false')
      .describe('Allows production to run a worker that was built on this machine, which is refused otherwise.'),
  })
  .superRefine((config, context) => {
    const complain = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message, input: '' });
    if (config.MEDIA_LISTEN_IP.some((ip) => everyAddress.test(ip)) && config.MEDIA_ANNOUNCED_ADDRESS === undefined) {
      complain('MEDIA_LISTEN_IP', 'cannot be a wildcard address unless MEDIA_ANNOUNCED_ADDRESS is set');
    }
    if (config.MEDIA_LISTEN_IP.length > 1 && config.MEDIA_ANNOUNCED_ADDRESS !== undefined) {
      complain('MEDIA_ANNOUNCED_ADDRESS', 'cannot be set if MEDIA_LISTEN_IP contains several addresses');
    }
    if (config.NOLO_MODE === 'production' && config.MEDIA_WORKER_BUILT && !config.MEDIA_ALLOW_BUILT_WORKER) {
      complain(
        'MEDIA_WORKER_BUILT',
        'is not allowed in production: use a released mediasoup worker or set MEDIA_ALLOW_BUILT_WORKER',
      );
    }
    if (config.MEDIA_PORT > 0 && config.MEDIA_PORT + workerCountOf(config) > 65_536) {
      complain('MEDIA_PORT', 'must leave a port for each worker');
    }
  });

export type MediaConfig = Readonly<z.output<typeof configSchema>>;

export function workerCountOf(config: Pick<MediaConfig, 'MEDIA_WORKERS'>): number {
  return config.MEDIA_WORKERS || availableParallelism();
}

export function drainMsOf(config: Pick<MediaConfig, 'MEDIA_DRAIN_SECONDS' | 'NOLO_MODE'>): number {
  return (config.MEDIA_DRAIN_SECONDS ?? (config.NOLO_MODE === 'demo' ? 1 : 60)) * 1000;
}
