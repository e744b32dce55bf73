import type { Knex } from 'knex';
import { build } from './build.ts';
import type { Clock } from './clock.ts';
import type { Bus } from './bus.ts';
import { wakeSubject } from './eventTables.ts';
import type { Asking } from './proof.ts';
import { createSetAside, type SetAside, type WorkCount } from './setAside.ts';

/** `nolo.kit.v1.PartService`, which stands in the protos and is bound to this by the service. */
export interface PartFacts {
  version: string;
  commit: string | undefined;
  since: Date;
  settings: { variable: string; value: string }[];
}

interface Ground {
  config: object;
  clock: Clock;
}

interface QueueAsked extends Asking {
  kind?: string | undefined;
  queue?: string | undefined;
}

interface WorkAsked extends QueueAsked {
  id?: string | undefined;
}

interface PartHandlers {
  describePart(): Promise<PartFacts>;
  countWork(request: Asking): Promise<{ queues: WorkCount[] }>;
  listSetAside(
    request: QueueAsked & { cursor?: string | undefined; limit?: number | undefined },
  ): Promise<{ items: SetAside[]; nextCursor: string | undefined }>;
  retrySetAside(request: WorkAsked): Promise<Record<never, never>>;
  discardSetAside(request: WorkAsked): Promise<Record<never, never>>;
}

/** What a part says of itself. */
export function describePart({ config, clock }: Ground): () => Promise<PartFacts> {
  const facts: PartFacts = { ...build, since: clock.now(), settings: settingsOf(config) };
  return async () => facts;
}

/**
 * What operators see of a service and have it do, for `rpcService(PartServiceService, …)`.
 *
 * @param admit lets operators in who were proven a short while ago; throws where not. Each call asks again.
 */
export function createPart(
  ground: Ground & { db: Knex; bus: Pick<Bus, 'publish'> },
  admit: (asking: Asking) => Promise<unknown>,
): PartHandlers {
  const work = createSetAside(ground.db);
  const admitted = ({ actorId, sessionId }: Asking) => admit({ actorId, sessionId });
  /** Whichever replica reads that log looks now; what is read apart from it is called after it. */
  const wake = ({ kind, queue = '' }: QueueAsked) => {
    if (kind === 'event') ground.bus.publish(wakeSubject(queue.split('.')[0] ?? ''), {});
  };
  return {
    describePart: describePart(ground),
    async countWork(request) {
      await admitted(request);
      return { queues: await work.count() };
    },
    async listSetAside(request) {
      await admitted(request);
      return await work.list(request);
    },
    async retrySetAside(request) {
      await admitted(request);
      await work.retry(request);
      wake(request);
      return {};
    },
    async discardSetAside(request) {
      await admitted(request);
      await work.discard(request);
      // What waited behind it is dealt with now.
      wake(request);
      return {};
    },
  };
}

/** Numbers and switches alone: among texts are secrets, and addresses of others. */
function settingsOf(config: object): PartFacts['settings'] {
  return Object.entries(config)
    .filter(([name, value]) => /^[A-Z0-9_]+$/.test(name) && ['number', 'boolean'].includes(typeof value))
    .map(([variable, value]) => ({ variable, value: String(value) }))
    .toSorted((one, other) => (one.variable < other.variable ? -1 : 1));
}
