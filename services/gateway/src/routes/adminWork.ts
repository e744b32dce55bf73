import { nextCursorHeader, routes, type WorkQueue } from '@nolo/api';
import { createOperatorGuard } from '@nolo/kit/proof';
import type { ServiceAdminClient } from '../clients.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { callerOf } from './callerOf.ts';
import { toIsoTime, emptyToNull } from '../mapping/people.ts';

const timeoutMs = 3_000;

/** Routes for pending and set-aside work of services. Each service authorizes viewing and retrying itself. */
export function bindAdminWork(
  bind: BindRoute,
  { operators, serviceAdmins }: Pick<GatewayContext, 'operators' | 'serviceAdmins'>,
): void {
  const admit = createOperatorGuard(operators);
  const getServiceAdmin = (name: string): ServiceAdminClient => {
    const part = Object.hasOwn(serviceAdmins, name) ? serviceAdmins[name] : undefined;
    if (part) return part;
    throw createGatewayError('not_found', 'work_not_found', 'Unknown part of the system.');
  };

  bind(routes.getAdminWork, async ({ actor, rpc }) => {
    // An unreachable service must not hide that the caller lacks permission.
    await admit(callerOf(actor), rpc);
    const counted = await Promise.all(
      Object.entries(serviceAdmins).map(async ([part, client]) => {
        const reply = await client.countWork(callerOf(actor), { ...rpc, timeoutMs }).catch(() => undefined);
        return { part, queues: reply?.queues };
      }),
    );
    return {
      queues: counted.flatMap(({ part, queues = [] }) =>
        queues.map(({ kind, queue = '', waiting = 0, late = 0, active = 0, setAside = 0 }) => ({
          part,
          kind: kind as WorkQueue['kind'],
          queue,
          waiting,
          late,
          active,
          setAside,
        })),
      ),
      silent: counted.filter(({ queues }) => queues === undefined).map(({ part }) => part),
    };
  });

  bind(routes.listSetAsideWork, async ({ actor, query: { part, ...query }, rpc, response }) => {
    await admit(callerOf(actor), rpc);
    const page = await getServiceAdmin(part).listSetAside({ ...callerOf(actor), ...query }, rpc);
    if (page.nextCursor !== undefined) response.setHeader(nextCursorHeader, page.nextCursor);
    return page.items.map(({ id = '', attempts = 0, failure, at }) => ({
      id,
      attempts,
      failure: emptyToNull(failure),
      at: toIsoTime(at),
    }));
  });

  bind(routes.retrySetAsideWork, async ({ actor, body: { part, ...work }, rpc }) => {
    const details = { part, kind: work.kind, queue: work.queue, work: work.id };
    // Recorded first, so every action leaves a trace.
    await operators.recordAct({ ...callerOf(actor), action: 'work_retried', details }, rpc);
    await getServiceAdmin(part).retrySetAside({ ...callerOf(actor), ...work }, rpc);
  });

  bind(routes.discardSetAsideWork, async ({ actor, body: { part, reason, ...work }, rpc }) => {
    const details = { part, kind: work.kind, queue: work.queue, work: work.id };
    await operators.recordAct({ ...callerOf(actor), action: 'work_discarded', reason, details }, rpc);
    await getServiceAdmin(part).discardSetAside({ ...callerOf(actor), ...work }, rpc);
  });
}
