import { routes, type AccountExport } from '@nolo/api';
import type { Export } from '@nolo/proto/exports';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { callerOf } from './callerOf.ts';
import { toIsoOrNull } from '../mapping/chat.ts';
import { sendObjectBytes, objectReadTimeoutMs } from './objects.ts';

const states = ['running', 'ready', 'failed'] as const;
const steps = ['account', 'messages', 'files'] as const;

function toExport(row: Export | undefined): AccountExport {
  return {
    state: states.find((known) => known === row?.state) ?? 'none',
    step: steps.find((known) => row?.state === 'running' && known === row.step) ?? null,
    percent: row?.percent ?? 0,
    size: row?.size ?? null,
    startedAt: toIsoOrNull(row?.startedAt),
    expiresAt: toIsoOrNull(row?.expiresAt),
  };
}

/**
 * Routes for chat exports. The files service builds the archive; the gateway adds small data of other services, so
 * files needs to query fewer of them.
 */
export function bindExports(
  bind: BindRoute,
  { exports, identity, transcriber }: Pick<GatewayContext, 'exports' | 'identity' | 'transcriber'>,
): void {
  bind(routes.startExport, async ({ actor, body, rpc }) => {
    const actorId = actor.userId;
    const account = await identity.exportAccount(callerOf(actor), rpc);
    const { month, usedSeconds } = (await transcriber?.getUsage({ actorId }, rpc)) ?? { month: '', usedSeconds: 0 };
    const parts = [
      { name: 'account', json: account.json },
      // Seconds counted against the plan. Transcribed text is never stored.
      { name: 'transcription', json: JSON.stringify(usedSeconds > 0 ? [{ month, usedSeconds }] : []) },
    ];
    return toExport(await exports.startExport({ ...callerOf(actor), language: body.language, parts }, rpc));
  });

  bind(routes.getExport, async ({ actor, rpc }) =>
    toExport((await exports.getExport({ actorId: actor.userId }, rpc)).export),
  );

  bind(routes.cancelExport, async ({ actor, rpc }) => {
    await exports.cancelExport({ actorId: actor.userId }, rpc);
  });

  bind(routes.readExport, async ({ actor, rpc, request, response }) => {
    const { export: found } = await exports.getExport({ actorId: actor.userId }, rpc);
    // The archive is deleted after a day and must not leak to other users of this browser.
    const archive = { id: found?.id ?? '', download: 'nolo-export.zip', cache: () => 'private, no-store' };
    await sendObjectBytes(request, response, archive, (range, signal) =>
      exports.readExport({ ...callerOf(actor), range }, { ...rpc, signal, timeoutMs: objectReadTimeoutMs }),
    );
  });
}
