import type { Knex } from 'knex';
import { build } from './build.ts';
import type { Clock } from './clock.ts';
import type { Bus } from './bus.ts';
import { wakeSubject } from './eventTables.ts';
import type { Asking } from './proof.ts';
import { createSetAside, type SetAside, type WorkCount } from './setAside.ts';

/** `nolo.kit.v1.PartService`, which is defined in the protos and bound to this by the service. */
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

/** Returns the info of a service about itself. */
export function describePart({ config, clock }: Ground): () => Promise<PartFacts> {
  const facts: PartFacts = { ...build, since: clock.now(), settings: settingsOf(config) };
  return async () => facts;
}

/**
 * Implements what operators see and do in a service, for `rpcService(PartServiceService, …)`.
 *
 * @param admit admits operators with a recent proof, and throws otherwise. Called for each request.
 */
export function createPart(
  ground: Ground & { db: Knex; bus: Pick<Bus, 'publish'> },
  admit: (asking: Asking) => Promise<unknown>,
): PartHandlers {
  const work = createSetAside(ground.db);
  const admitted = ({ actorId, sessionId }: Asking) => admit({ actorId, sessionId });
  /** Wakes the replica that reads that log. A separate cursor is named after its log. */
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
      // Handles events that waited behind the discarded one.
      wake(request);
      return {};
    },
  };
}

/** Returns numbers and switches only: texts include secrets and addresses of others. */
function settingsOf(config: object): PartFacts['settings'] {
  return Object.entries(config)
    .filter(([name, value]) => /^[A-Z0-9_]+$/.test(name) && ['number', 'boolean'].includes(typeof value))
    .map(([variable, value]) => ({ variable, value: String(value) }))
    .toSorted((one, other) => (one.variable < other.variable ? -1 : 1));
}
