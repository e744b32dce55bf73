import type { Clock } from '@nolo/kit/clock';
import { isAppError } from '@nolo/kit/errors';
import type { Bus } from '@nolo/kit/bus';
import type { Redis } from '@nolo/kit/redis';
import type { Check } from '@nolo/kit/telemetry';
import type {
  BillingClient,
  ChatClient,
  FilesClient,
  IdentityClient,
  MeetingsClient,
  SocialClient,
  StatusClient,
  TranscriberClient,
  WebhooksClient,
} from '../edge.ts';

export interface Part {
  ok: boolean;
  detail?: string;
}

export interface Health {
  /** `degraded`: people can sign in and chat, and something else does not work. */
  status: 'ready' | 'degraded' | 'starting' | 'stopping';
  parts: Record<string, Part>;
  /** Parts without which nobody can sign in and chat. */
  missing: string[];
}

export interface HealthCheck {
  check(): Promise<Health>;
}

interface HealthOptions {
  identity: IdentityClient;
  chat: ChatClient;
  files: FilesClient;
  meetings: MeetingsClient;
  status: StatusClient;
  /** Absent where the operator has not set it up. */
  social: SocialClient | undefined;
  /** Absent where nothing is sold. */
  billing: BillingClient | undefined;
  /** Absent where the operator has not set it up. */
  webhooks: WebhooksClient | undefined;
  /** Absent where no engine is configured. */
  transcriber: TranscriberClient | undefined;
  redis: Redis;
  bus: Bus;
  clock: Clock;
  /** Whether this replica is going down: then nobody is to be sent here, however well everything else is. */
  draining: () => boolean;
  /** Absent where no provider is configured. */
  provider: (() => Promise<unknown>) | undefined;
}

const timeoutMs = 1_500;
/** Whoever asks more often gets the last answer, so that asking costs the services nothing. */
const freshMs = 500;

/** No account has it; asking about it makes a service look into its database and find nothing. */
const nobody = '00000000-0000-4000-8000-000000000000';

/**
 * Files, meetings, calls, status updates, posts to social platforms, payments and transcripts can wait; signing in and
 * chatting cannot. Without the OpenID provider people still sign in by phone, and those who are signed in notice nothing.
 */
const canWait: ReadonlySet<string> = new Set([
  'files',
  'meetings',
  'media',
  'status',
  'social',
  'billing',
  'webhooks',
  'transcriber',
  'provider',
]);

async function probe(ask: () => Promise<unknown>): Promise<Part> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Part>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, detail: 'no answer in time' }), timeoutMs);
  });
  const asked = (async (): Promise<Part> => {
    try {
      await ask();
      return { ok: true };
    } catch (error) {
      // A refusal is an answer: the service is there and could look.
      if (isAppError(error) && error.kind !== 'unavailable' && error.kind !== 'internal') return { ok: true };
      return { ok: false, detail: isAppError(error) ? error.code : 'not reachable' };
    }
  })();
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

const stopping: Health = {
  status: 'stopping',
  parts: { gateway: { ok: false, detail: 'draining' } },
  missing: ['gateway'],
};

/** Asks every part the way a person's request would, all at once. */
export function createHealthCheck(options: HealthOptions): HealthCheck {
  const {
    identity,
    chat,
    files,
    meetings,
    status,
    social,
    billing,
    webhooks,
    transcriber,
    redis,
    bus,
    clock,
    draining,
    provider,
  } = options;

  const ask = async (): Promise<Health> => {
    const call = { timeoutMs };
    const asks: Record<string, () => Promise<unknown>> = {
      identity: () => identity.getUsers({ actorId: nobody, userIds: [nobody] }, call),
      chat: () => chat.getPreferences({ actorId: nobody }, call),
      files: async () => {
        const object = { actorId: nobody, objectId: nobody, width: 0, range: undefined };
        for await (const part of files.readObject(object, call)) if (part) return;
      },
      meetings: () => meetings.listMeetings({ actorId: nobody, limit: 1 }, call),
      // Meetings knows whether there is a media node that would take somebody.
      media: () => meetings.getMediaCapabilities({}, call),
      status: () => status.getStatusAudience({ actorId: nobody }, call),
      redis: () => redis.ping(),
      nats: () => bus.flush(timeoutMs),
      ...(social ? { social: () => social.countPosts({ actorId: nobody }, call) } : {}),
      ...(billing ? { billing: () => billing.getSubscription({ actorId: nobody }, call) } : {}),
      ...(webhooks ? { webhooks: () => webhooks.listWebhooks({ actorId: nobody }, call) } : {}),
      ...(transcriber ? { transcriber: () => transcriber.getUsage({ actorId: nobody }, call) } : {}),
      ...(provider ? { provider } : {}),
    };
    const parts = Object.fromEntries(
      await Promise.all(Object.entries(asks).map(async ([name, one]) => [name, await probe(one)] as const)),
    );
    // The gateway does not know the database; the services say when it is what they miss.
    const database = [parts['identity'], parts['chat']].some((part) => part?.detail === 'storage_unavailable');
    parts['postgres'] = database
      ? { ok: false, detail: 'storage_unavailable' }
      : { ok: parts['identity']?.ok === true };
    const missing = Object.keys(parts).filter((name) => !canWait.has(name) && parts[name]?.ok !== true);
    const isWhole = Object.values(parts).every(({ ok }) => ok);
    return { status: missing.length > 0 ? 'starting' : isWhole ? 'ready' : 'degraded', parts, missing };
  };

  let last: { health: Promise<Health>; atMs: number } | undefined;
  return {
    async check() {
      if (draining()) return stopping;
      const now = clock.now().getTime();
      if (!last || now - last.atMs > freshMs || now < last.atMs) last = { health: ask(), atMs: now };
      return last.health;
    },
  };
}

/** The same for /readyz: what can wait is no reason to send nobody here. */
export function readiness({ parts }: Health): Record<string, Check> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, canWait.has(name) ? { ...part, optional: true } : part]),
  );
}
