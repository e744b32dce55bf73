import { routes, type Epoch, type NewEpoch, type VaultRow } from '@nolo/api';
import type { Epoch as EpochRow, VaultRow as VaultRowRow } from '@nolo/proto/epochs';
import type { NewEpoch as NewEpochRow } from '@nolo/proto/keys';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { callerOf } from './callerOf.ts';
import { fromSigned, toBytes, toSigned, toText, toTextOrNull } from './mapKeys.ts';

/** Converts the epoch of a request. */
export const fromNewEpoch = ({ header, roster, boxes, previousSecret }: NewEpoch): NewEpochRow => ({
  header: fromSigned(header),
  roster: toBytes(roster),
  boxes: boxes.map(({ deviceId, box }) => ({ deviceId, box: toBytes(box) })),
  previousSecret: previousSecret === undefined ? undefined : toBytes(previousSecret),
});

const toEpoch = ({ n = 0, hash, header, roster, box, answer, recoveryBox, previousSecret }: EpochRow): Epoch => ({
  n,
  hash: toText(hash),
  ...toSigned(header),
  roster: toText(roster),
  box: toTextOrNull(box),
  answer: toTextOrNull(answer),
  recoveryBox: toTextOrNull(recoveryBox),
  previousSecret: toTextOrNull(previousSecret),
});

const toVaultRow = ({ row = 0, clientMessageId = '', own, sealed }: VaultRowRow): VaultRow => ({
  row,
  clientMessageId,
  own: own.map(toText),
  sealed: toText(sealed),
});

export function bindEpochs(bind: BindRoute, { epochs }: GatewayContext): void {
  bind(routes.listEpochs, async ({ actor, params, query, rpc }) => {
    const request = { ...callerOf(actor), conversationId: params.id, from: query.from };
    const page = await epochs.listEpochs(request, rpc);
    return { items: page.epochs.map(toEpoch), more: page.more ?? false };
  });

  bind(routes.commitEpoch, async ({ actor, params, body, rpc }) => {
    const epoch = fromNewEpoch(body);
    const request = { ...callerOf(actor), conversationId: params.id, epoch, keys: undefined, lost: body.lost };
    const { n = 0, hash } = await epochs.commitEpoch(request, rpc);
    return { n, hash: toText(hash) };
  });

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
