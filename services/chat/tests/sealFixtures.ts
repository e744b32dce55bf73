import { randomBytes, randomUUID } from 'node:crypto';
import {
  compareBytes,
  encodeRoster,
  fromUuid,
  hashOfRow,
  sealMessage,
  signDeletion,
  type BoundMessage,
  type Bytes,
  type EpochKey,
  type Member,
  type MessageTarget,
} from '@nolo/e2ee';
import type { Message, NewSealed } from '@nolo/proto/conversation';
import { createTestDevice, toMessage, type TestDevice } from '@nolo/testing/keys';
import { aSendMessageRequest, anEditMessageRequest } from '@nolo/testing/protos';
import type { SendMessageRequest } from '@nolo/proto/messages';
import type { TestChat } from './startChat.ts';

/** Sealed messages of a conversation whose epochs a test stores itself. */

const random = (length: number): Bytes => Uint8Array.from(randomBytes(length));

export const noRow: Bytes = new Uint8Array(32);

export interface SealFields extends Partial<
  Pick<BoundMessage, 'type' | 'version' | 'hasLink' | 'held' | 'target' | 'own'>
> {
  readonly clientMessageId?: string;
  readonly mentions?: readonly string[];
  readonly files?: readonly string[];
  readonly content?: string;
  /** Epoch to seal for; default: the newest. */
  readonly epoch?: EpochKey;
  /** Device that seals; default: the author's. */
  readonly device?: TestDevice;
}

interface EpochFields {
  readonly timer?: number;
  readonly endsRows?: boolean;
}

/** Conversation with devices of its members and epochs. */
export class SealedConversation {
  readonly chat: TestChat;
  readonly id: string;
  readonly devices = new Map<string, TestDevice>();
  readonly roles: Record<string, 0 | 1 | 2>;
  readonly timers = new Map<number, number>();
  epoch: EpochKey = { n: -1, headerHash: noRow, secret: noRow };

  constructor(chat: TestChat, id: string, roles: Record<string, 0 | 1 | 2>) {
    this.chat = chat;
    this.id = id;
    this.roles = roles;
  }

  deviceOf(userId: string): TestDevice {
    const device = this.devices.get(userId);
    if (!device) throw new Error('This person has no device.');
    return device;
  }

  /** Begins the next epoch. */
  async next({ timer = 0, endsRows = false }: EpochFields = {}): Promise<EpochKey> {
    const epoch = { n: this.epoch.n + 1, headerHash: random(32), secret: random(32) };
    const members = Object.entries(this.roles).map(([userId, role]): Member => ({
      account: fromUuid(userId),
      role,
      list: { n: 0, hash: random(32) },
      devices: [this.deviceOf(userId).id],
    }));
    const { db, clock } = this.chat;
    await db('epochs').insert({
      conversation_id: this.id,
      n: epoch.n,
      hash: Buffer.from(epoch.headerHash),
      body: Buffer.from(random(8)),
      signature: Buffer.from(random(64)),
      roster: Buffer.from(encodeRoster(members.toSorted((a, b) => compareBytes(a.account, b.account)))),
      user_id: Object.keys(this.roles)[0],
      device_id: [...this.devices.values()][0]?.uuid,
      ends_rows: endsRows,
      timer,
      created_at: clock.now(),
    });
    await db.raw(
      `update conversations set epoch = ?, sealed_from_seq = coalesce(sealed_from_seq, last_seq + 1) where id = ?`,
      [epoch.n, this.id],
    );
    this.timers.set(epoch.n, timer);
    this.epoch = epoch;
    return epoch;
  }

  boundOf(userId: string, fields: SealFields & { readonly clientMessageId: string }): BoundMessage {
    const { epoch = this.epoch, device = this.deviceOf(userId) } = fields;
    return {
      conversation: fromUuid(this.id),
      epoch: epoch.n,
      headerHash: epoch.headerHash,
      clientMessageId: fromUuid(fields.clientMessageId),
      account: fromUuid(userId),
      device: device.id,
      type: fields.type ?? 'text',
      version: fields.version ?? 0,
      mentions: (fields.mentions ?? []).map(fromUuid),
      files: (fields.files ?? []).map(fromUuid),
      hasLink: fields.hasLink ?? false,
      timer: this.timers.get(epoch.n) ?? 0,
      held: fields.held ?? false,
      target: fields.target ?? null,
      own: fields.own ?? [],
    };
  }

  /** Seals something as a client does. */
  async seal(
    userId: string,
    fields: SealFields = {},
  ): Promise<{ clientMessageId: string; sealed: NewSealed; rowHash: Buffer }> {
    const { clientMessageId = randomUUID(), epoch = this.epoch, device = this.deviceOf(userId) } = fields;
    const bound = this.boundOf(userId, { ...fields, clientMessageId });
    const envelope = { sentAt: Date.now(), seen: null, content: fields.content ?? '{"v":1,"text":"hello"}' };
    const sealed = await sealMessage(device.key, epoch, bound, envelope);
    const { target, version, held, own } = bound;
    return {
      clientMessageId,
      sealed: {
        sealed: Buffer.from(sealed),
        own: own.map((hash) => Buffer.from(hash)),
        targetRow: target ? Buffer.from(target.row) : undefined,
        version,
        held,
      },
      rowHash: Buffer.from(await hashOfRow(sealed, bound)),
    };
  }

  /** Builds the request for a sealed message. */
  async request(userId: string, fields: SealFields = {}, more: Partial<SendMessageRequest> = {}) {
    const { clientMessageId, sealed } = await this.seal(userId, fields);
    return aSendMessageRequest({
      actorId: userId,
      conversationId: this.id,
      content: '',
      encryption: 'epochs',
      clientMessageId,
      sealed,
      mentions: [...(fields.mentions ?? [])],
      hasLink: fields.hasLink ?? false,
      ...(fields.type && { messageType: fields.type }),
      ...more,
    });
  }

  async send(userId: string, fields: SealFields = {}, more: Partial<SendMessageRequest> = {}): Promise<Message> {
    return this.chat.client.sendMessage(await this.request(userId, fields, more));
  }

  /** Returns a reference to a message as its row says it. */
  targetOf(kind: MessageTarget['kind'], { id, sealed }: Pick<Message, 'id' | 'sealed'>): MessageTarget {
    return { kind, messageId: fromUuid(id), row: Uint8Array.from(sealed?.rowHash ?? noRow) };
  }

  /** Builds the request for the next version of a message. */
  async editRequest(userId: string, message: Message, fields: SealFields = {}) {
    const { clientMessageId = '' } = message;
    const target = this.targetOf(2, message);
    const version = (message.sealed?.version ?? 0) + 1;
    const { sealed } = await this.seal(userId, { clientMessageId, target, version, ...fields });
    return anEditMessageRequest({
      actorId: userId,
      messageId: message.id,
      content: '',
      encryption: 'epochs',
      sealed,
      hasLink: fields.hasLink ?? false,
      ...(fields.mentions && { mentions: { userIds: [...fields.mentions] } }),
    });
  }

  async edit(userId: string, message: Message, fields: SealFields = {}): Promise<Message> {
    return this.chat.client.editMessage(await this.editRequest(userId, message, fields));
  }

  /** Builds the request for a sealed reaction. */
  async reaction(userId: string, message: Message, fields: SealFields = {}) {
    const target = this.targetOf(1, message);
    const { clientMessageId, sealed } = await this.seal(userId, { type: 'reaction', target, content: '👍', ...fields });
    return { actorId: userId, messageId: message.id, sealed, clientMessageId };
  }

  async pin(userId: string, message: Message, fields: SealFields = {}) {
    const target = this.targetOf(3, message);
    const { clientMessageId, sealed } = await this.seal(userId, { type: 'pin', target, content: '1', ...fields });
    return { actorId: userId, messageId: message.id, pinned: true, sealed, clientMessageId };
  }

  /** Builds the request to delete a message for everyone. */
  async deletion(
    userId: string,
    message: Message,
    { device = this.deviceOf(userId), epoch = this.epoch, row = message.sealed?.rowHash, n = epoch.n } = {} as {
      device?: TestDevice;
      epoch?: EpochKey;
      row?: Uint8Array;
      n?: number;
    },
  ) {
    const statement = await signDeletion(device.key, {
      conversation: fromUuid(this.id),
      n,
      headerHash: epoch.headerHash,
      messageId: fromUuid(message.id),
      row: Uint8Array.from(row ?? noRow),
      account: fromUuid(userId),
      device: device.id,
      own: [],
      at: Date.now(),
    });
    return { actorId: userId, messageId: message.id, deletion: toMessage(statement) };
  }
}

/** Gives a conversation its first epoch, with a device for each person. */
export async function sealConversation(
  chat: TestChat,
  id: string,
  roles: Record<string, 0 | 1 | 2>,
  fields: EpochFields = {},
): Promise<SealedConversation> {
  const sealed = new SealedConversation(chat, id, roles);
  for (const userId of Object.keys(roles)) sealed.devices.set(userId, await createTestDevice(userId));
  await sealed.next(fields);
  return sealed;
}

/** Two contacts with a sealed conversation. */
export async function sealedPair(chat: TestChat, fields: EpochFields = {}) {
  const { alice, bob, conversation } = await chat.pair();
  return { alice, bob, sealed: await sealConversation(chat, conversation.id, { [alice]: 0, [bob]: 0 }, fields) };
}
