import type { Knex } from 'knex';
import { buildInfo } from '@nolo/kit/build';
import type { Clock } from '@nolo/kit/clock';
import type { Bus } from '@nolo/kit/bus';
import { wakeSubjectOf } from '@nolo/kit/events';
import type { RpcCaller } from '@nolo/kit/proof';
import { createSetAsideStore, type SetAsideItem, type QueueWorkCount } from '@nolo/kit/setAside';

/** `nolo.kit.v1.AdminService`, which is defined in the protos and bound to this by the service. */
export interface ServiceInfo {
  version: string;
  commit: string | undefined;
  since: Date;
  settings: { variable: string; value: string }[];
}

interface ServiceInfoContext {
  config: object;
  clock: Clock;
}

interface QueueRequest extends RpcCaller {
  kind?: string | undefined;
  queue?: string | undefined;
}

interface WorkRequest extends QueueRequest {
  id?: string | undefined;
}

interface ServiceAdminHandlers {
  describeService(): Promise<ServiceInfo>;
  countWork(request: RpcCaller): Promise<{ queues: QueueWorkCount[] }>;
  listSetAside(
    request: QueueRequest & { cursor?: string | undefined; limit?: number | undefined },
  ): Promise<{ items: SetAsideItem[]; nextCursor: string | undefined }>;
  retrySetAside(request: WorkRequest): Promise<Record<never, never>>;
  discardSetAside(request: WorkRequest): Promise<Record<never, never>>;
}

/** Returns the info of a service about itself. */
export function describeService({ config, clock }: ServiceInfoContext): () => Promise<ServiceInfo> {
  const facts: ServiceInfo = { ...buildInfo, since: clock.now(), settings: settingsOf(config) };
  return async () => facts;
}

/**
 * Implements what operators see and do in a service, for `bindRpcService(AdminServiceDefinition, …)`.
 *
 * @param admit admits operators with a recent proof, and throws otherwise. Called for each request.
 */
export function createServiceAdminHandlers(
  context: ServiceInfoContext & { db: Knex; bus: Pick<Bus, 'publish'> },
  admit: (caller: RpcCaller) => Promise<unknown>,
): ServiceAdminHandlers {
  const work = createSetAsideStore(context.db);
  const admitted = ({ actorId, sessionId }: RpcCaller) => admit({ actorId, sessionId });
  /** Wakes the replica that reads that log. A separate cursor is named after its log. */
  const wake = ({ kind, queue = '' }: QueueRequest) => {
    if (kind === 'event') context.bus.publish(wakeSubjectOf(queue.split('.')[0] ?? ''), {});
  };
  return {
    describeService: describeService(context),
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
function settingsOf(config: object): ServiceInfo['settings'] {
  return Object.entries(config)
    .filter(([name, value]) => /^[A-Z0-9_]+$/.test(name) && ['number', 'boolean'].includes(typeof value))
    .map(([variable, value]) => ({ variable, value: String(value) }))
    .toSorted((one, other) => (one.variable < other.variable ? -1 : 1));
}
