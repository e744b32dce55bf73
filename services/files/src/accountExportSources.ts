import { isAppError } from '@nolo/kit/errors';
import { parseId, type FileId } from '@nolo/kit/ids';
import type { RpcCallOptions, RpcClient } from '@nolo/kit/rpc';
import type { BillingServiceDefinition } from '@nolo/proto/billing';
import type { ChatServiceDefinition } from '@nolo/proto/chat';
import type { Message } from '@nolo/proto/conversation';
import type { EpochServiceDefinition, ExportedVaultItem } from '@nolo/proto/epochs';
import type { GroupServiceDefinition } from '@nolo/proto/groups';
import type { MessageActionServiceDefinition } from '@nolo/proto/messageActions';
import type { SocialServiceDefinition } from '@nolo/proto/social';
import type { StatusServiceDefinition } from '@nolo/proto/status';
import { exportArchiveQueue, type AccountExportSources } from './domain/exports.ts';

export interface AccountExportServices {
  readonly chat: Pick<
    RpcClient<typeof ChatServiceDefinition>,
    'listConversations' | 'getConversation' | 'exportMessages'
  >;
  readonly epochs: Pick<RpcClient<typeof EpochServiceDefinition>, 'exportVaults'>;
  readonly groups: Pick<RpcClient<typeof GroupServiceDefinition>, 'listInvitations'>;
  readonly messageActions: Pick<RpcClient<typeof MessageActionServiceDefinition>, 'listStarred'>;
  readonly status: Pick<RpcClient<typeof StatusServiceDefinition>, 'exportStatuses' | 'getStatusAudience'>;
  readonly social: Pick<RpcClient<typeof SocialServiceDefinition>, 'exportPosts' | 'listPlatforms'> | undefined;
  readonly billing: Pick<RpcClient<typeof BillingServiceDefinition>, 'exportBilling'> | undefined;
}

/** Reads a paged list row by row. */
async function* paged<Row>(
  page: (cursor: string | undefined) => Promise<{ rows: Row[]; nextCursor: string | undefined }>,
): AsyncGenerator<Row> {
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await page(cursor);
    yield* rows;
    cursor = nextCursor;
  } while (cursor !== undefined);
}

/** Returns the files in a message. Paths at the gateway end with the file ID. */
function filesNamedBy({ attachment }: Message): FileId[] {
  const addresses = [attachment?.fileUrl, attachment?.voiceMessageUrl, attachment?.previewUrl];
  return addresses.flatMap((address) => parseId<FileId>(address?.split('/').at(-1) ?? '') ?? []);
}

const base64 = (bytes: Uint8Array | undefined): string | null => (bytes ? Buffer.from(bytes).toString('base64') : null);

/** Returns a part of a vault with its bytes in base64. */
function vaultRowOf({ vaultId, item }: ExportedVaultItem): object {
  if (item?.$case === 'epoch') {
    const { header, roster, boxes, previousSecret } = item.value;
    return {
      vaultId,
      header: base64(header?.body),
      signature: base64(header?.signature),
      roster: base64(roster),
      boxes: boxes.map(({ deviceId, box }) => ({ deviceId, box: base64(box) })),
      previousSecret: base64(previousSecret),
    };
  }
  const { row, clientMessageId, own = [], sealed, at } = item?.value ?? {};
  return { vaultId, row, clientMessageId, own: own.map(base64), sealed: base64(sealed), storedAt: at ?? null };
}

/** Returns a message with the bytes of its seal in base64. Only devices of members can open it. */
function messageRowOf({ sealed: seal, ...row }: Message): object {
  if (!seal) return row;
  return {
    ...row,
    sealed: {
      ...seal,
      sealed: base64(seal.sealed),
      own: seal.own.map(base64),
      targetRow: base64(seal.targetRow),
      rowHash: base64(seal.rowHash),
      origin: base64(seal.origin),
      deletion: base64(seal.deletion),
      draftOrigin: base64(seal.draftOrigin),
      annotations: seal.annotations.map((one) => ({ ...one, sealed: base64(one.sealed) })),
    },
  };
}

/** Reads from the services. Streams have backpressure: no more is in transit than the reader takes. */
export function createAccountExportSources({
  chat,
  epochs,
  groups,
  messageActions,
  status,
  social,
  billing,
}: AccountExportServices): AccountExportSources {
  const streaming = (signal: AbortSignal): RpcCallOptions => ({ signal, timeoutMs: exportArchiveQueue.timeoutMs });
  /** Returns true if the message's conversation waits for acceptance; false for a former conversation. */
  const isRequest = async (actorId: string, { conversationId }: Message): Promise<boolean> => {
    const found = await chat.getConversation({ actorId, conversationId }).catch((error: unknown) => {
      if (isAppError(error) && error.code === 'conversation_not_found') return undefined;
      throw error;
    });
    return found?.mySettings?.requestedAt !== undefined;
  };
  return {
    async *conversations(actorId, signal) {
      const rows = paged(async (cursor) => {
        const page = await chat.listConversations({ actorId, cursor, limit: 100, type: undefined }, { signal });
        return { rows: page.conversations, nextCursor: page.nextCursor };
      });
      for await (const { id, type, meta, mySettings, myRole, createdAt } of rows) {
        const {
          archivedAt,
          pinnedAt,
          mutedUntil,
          mutedExceptMentions,
          markedUnread,
          clearedSeq,
          hiddenAt,
          requestedAt,
        } = mySettings ?? {};
        const settings = {
          archivedAt: archivedAt ?? null,
          pinnedAt: pinnedAt ?? null,
          mutedUntil: mutedUntil ?? null,
          mutedExceptMentions: mutedExceptMentions ?? false,
          markedUnread: markedUnread ?? false,
          clearedSeq: clearedSeq ?? 0,
          hiddenAt: hiddenAt ?? null,
          requestedAt: requestedAt ?? null,
        };
        yield {
          id,
          type,
          row: { id, type, ...settings, disappearingSeconds: meta?.disappearingSeconds || null },
          group:
            type === 'group'
              ? { id, name: meta?.name ?? '', description: meta?.description ?? '', role: myRole, createdAt }
              : undefined,
        };
      }
    },

    async *messages(actorId, signal) {
      let current = { id: '', isRequest: false };
      for await (const row of chat.exportMessages({ actorId }, streaming(signal))) {
        const { conversationId, senderId } = row;
        if (conversationId !== current.id) current = { id: conversationId, isRequest: await isRequest(actorId, row) };
        // Files from strangers are never loaded before acceptance (decision 39).
        const left = current.isRequest && senderId !== actorId;
        yield { conversationId, row: messageRowOf(row), fileIds: left ? [] : filesNamedBy(row) };
      }
    },

    others: (actorId, signal) => ({
      async *starred() {
        const stars = paged(async (cursor) => {
          const page = await messageActions.listStarred({ actorId, cursor }, { signal });
          return { rows: page.starred, nextCursor: page.nextCursor };
        });
        for await (const { message, starredAt } of stars) {
          if (message) yield { conversationId: message.conversationId, messageId: message.id, starredAt };
        }
      },
      /** Yields unanswered invitations; none of those conversations are otherwise included. */
      async *groupInvitations() {
        const { invitations } = await groups.listInvitations({ actorId }, { signal });
        for (const { conversationId, name, invitedBy, invitedAt } of invitations) {
          yield { conversationId, name, invitedBy, invitedAt };
        }
      },
      /** Yields epochs and rows of vaults as stored. Only the account's devices can open them. */
      async *vaults() {
        for await (const item of epochs.exportVaults({ actorId }, streaming(signal))) yield vaultRowOf(item);
      },
      /** Yields current status updates; expired ones are not stored. */
      statusUpdates: () => status.exportStatuses({ actorId }, streaming(signal)),
      /** Yields the audience of new status updates. */
      async *statusAudience() {
        const { mode, userIds } = await status.getStatusAudience({ actorId }, { signal });
        if (mode !== 'contacts') yield { mode, userIds };
      },
      /** Yields accounts at social platforms, without their credentials. */
      async *socialAccounts() {
        const { platforms } = (await social?.listPlatforms({ actorId }, { signal })) ?? { platforms: [] };
        for (const { id: platform, connections } of platforms) {
          for (const { name } of connections) yield { platform, name };
        }
      },
      async *socialPosts() {
        if (social) yield* social.exportPosts({ actorId }, streaming(signal));
      },
      /** Yields plans, orders and payments. */
      async *billing() {
        if (!billing) return;
        for await (const { kind, json } of billing.exportBilling({ actorId }, streaming(signal))) {
          yield { kind, ...(JSON.parse(json) as object) };
        }
      },
    }),
  };
}
