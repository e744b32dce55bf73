import { routes } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Message } from '@nolo/proto/conversation';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { callerOf } from './callerOf.ts';
import { toMessage, toUnapprovedMessageReply } from '../mapping/chat.ts';
import { fromNewEpoch, toEpoch, toEpochTarget, toVaultRow } from '../mapping/epochs.ts';
import { fromSigned, toBytes, toSigned, toText } from '../mapping/keys.ts';
import { toSendRequest } from '../mapping/sendRequest.ts';
import { createSenderFinder } from '../mapping/senderFinder.ts';

export function bindEpochs(bind: BindRoute, context: Pick<GatewayContext, 'epochs' | 'identity' | 'chat'>): void {
  const { epochs } = context;
  const senders = createSenderFinder(context);

  /** Converts the first message of an epoch, which may wait for approval. */
  const toFirstMessage = async (viewerId: string, row: Message, rpc: RpcCallOptions) =>
    row.held ? toUnapprovedMessageReply(row) : toMessage(row, await senders.of(viewerId, [row], rpc));

  bind(routes.listEpochs, async ({ actor, params, query, rpc }) => {
    const request = {
      ...callerOf(actor),
      conversationId: params.id,
      from: query.from,
      withRoster: query.roster === 'true',
    };
    const page = await epochs.listEpochs(request, rpc);
    return { items: page.epochs.map(toEpoch), more: page.more ?? false };
  });

  bind(routes.commitEpoch, async ({ actor, params, body, rpc }) => {
    const epoch = fromNewEpoch(body);
    const request = {
      ...callerOf(actor),
      conversationId: params.id,
      epoch,
      keys: undefined,
      lost: body.lost,
      message: body.message && toSendRequest(actor.userId, params.id, body.message),
    };
    const { n = 0, hash, message } = await epochs.commitEpoch(request, rpc);
    const accepted = { n, hash: toText(hash) };
    return message ? { ...accepted, message: await toFirstMessage(actor.userId, message, rpc) } : accepted;
  });

  bind(routes.getEpochTarget, async ({ actor, params, rpc }) =>
    toEpochTarget(await epochs.getEpochTarget({ actorId: actor.userId, conversationId: params.id }, rpc)),
  );

  bind(routes.sendNack, async ({ actor, params, body, rpc }) => {
    await epochs.sendNack({ ...callerOf(actor), conversationId: params.id, nack: fromSigned(body) }, rpc);
  });

  bind(routes.listNacks, async ({ actor, params, rpc }) =>
    (await epochs.listNacks({ ...callerOf(actor), conversationId: params.id }, rpc)).nacks.map(toSigned),
  );

  bind(routes.answerNack, async ({ actor, params: { id, n }, body, rpc }) => {
    const box = { deviceId: body.deviceId, box: toBytes(body.box) };
    await epochs.answerNack({ ...callerOf(actor), conversationId: id, n, box }, rpc);
  });

  bindVault(bind, epochs);
}

function bindVault(bind: BindRoute, epochs: GatewayContext['epochs']): void {
  bind(routes.listVaultRows, async ({ actor, params, query, rpc }) => {
    const page = await epochs.listVaultRows({ actorId: actor.userId, vaultId: params.id, after: query.after }, rpc);
    return { items: page.rows.map(toVaultRow), more: page.more ?? false };
  });

  bind(routes.addVaultRow, async ({ actor, params, body, rpc }) => {
    const { clientMessageId, own, sealed } = body;
    const row = { clientMessageId, own: own.map(toBytes), sealed: toBytes(sealed) };
    return { row: (await epochs.addVaultRow({ ...callerOf(actor), vaultId: params.id, ...row }, rpc)).row ?? 0 };
  });

  bind(routes.deleteVaultRows, async ({ actor, params, query, rpc }) => {
    await epochs.deleteVaultRows({ ...callerOf(actor), vaultId: params.id, ...query }, rpc);
  });
}
