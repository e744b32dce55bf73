import { routes, type Message, type NewEpoch, type NewSealed } from '@nolo/api';
import type { OpenedRow, OpenRow } from '../../src/keys/conversations/rowTypes.ts';
import type {
  ConversationFacts,
  DraftTarget,
  GroupChange,
  SealedDraft,
  SealResult,
} from '../../src/keys/conversations/types.ts';
import { acceptEpoch } from './conversationHandlers.ts';
import { idOf, type TestDevice, type World } from './keyDevices.ts';
import type { ServedConversation } from './servedState.ts';

/** Plays chat engines: they send what the keys seal, and open what the server serves. */

let clientIds = 0;
const clientId = (): string => idOf(700_000 + (clientIds += 1));

type Sealed = Extract<SealResult, { state: 'sealed' }>;

export class Chat {
  readonly id: string;
  readonly world: World;
  hasPlainMessages = false;

  constructor(world: World, id: string, type: 'direct' | 'group', members: readonly string[]) {
    this.id = id;
    this.world = world;
    world.server.conversations.set(id, {
      type,
      members: members.map((userId, at) => ({ userId, role: type === 'group' && at === 0 ? 2 : 0 })),
      timer: 0,
      admission: 0,
      epochs: [],
      messages: [],
      changeSeq: 0,
      nacks: [],
      additions: new Map(),
      leaves: new Map(),
      removalPending: false,
    });
  }

  get served(): ServedConversation {
    const found = this.world.server.conversations.get(this.id);
    if (!found) throw new Error('The conversation is gone.');
    return found;
  }

  get facts(): ConversationFacts {
    const { type, members, epochs } = this.served;
    return {
      id: this.id,
      type,
      memberIds: members.map(({ userId }) => userId),
      sealedFromSeq: epochs.length > 0 ? (epochs[0]?.seq ?? 0) + 1 : null,
      hasPlainMessages: this.hasPlainMessages,
    };
  }

  #call<T>({ server, session }: TestDevice, route: never, parts: object): Promise<T> {
    return server.call(session, route, parts) as Promise<T>;
  }

  draft(content: string, fields: Partial<Extract<SealedDraft, { kind: 'message' }>> = {}): SealedDraft {
    return {
      kind: 'message',
      conversation: this.facts,
      clientMessageId: clientId(),
      content,
      messageType: 'text',
      mentions: [],
      fileIds: [],
      hasLink: false,
      seen: null,
      replyTo: null,
      ...fields,
    };
  }

  async seal(device: TestDevice, draft: SealedDraft): Promise<Sealed> {
    const result = await device.keys.conversations.seal(draft);
    if (result.state !== 'sealed') throw new Error(`not sealed: ${JSON.stringify(result)}`);
    return result;
  }

  async commit(device: TestDevice, epoch: NewEpoch | null): Promise<void> {
    const params = { id: this.id };
    if (epoch) await this.#call(device, routes.commitEpoch as never, { params, body: epoch });
  }

  /** Sends what was sealed. */
  post(device: TestDevice, draft: SealedDraft, sealed: NewSealed, replyToSeq?: number): Promise<Message> {
    const { clientMessageId } = draft;
    const mentions = draft.kind === 'message' ? [...draft.mentions] : [];
    const [file] = draft.kind === 'message' ? draft.fileIds : [];
    const body = {
      conversationId: this.id,
      clientMessageId,
      encryption: 'epochs',
      sealed,
      mentions,
      replyToSeq,
      ...(file !== undefined && { voiceMessageUrl: `/objects/${file}` }),
    };
    return this.#call(device, routes.sendMessage as never, { body });
  }

  async send(
    device: TestDevice,
    content: string,
    fields: Partial<Extract<SealedDraft, { kind: 'message' }>> & { replyToSeq?: number } = {},
  ): Promise<Message> {
    const { replyToSeq, ...others } = fields;
    const draft = this.draft(content, others);
    const { sealed, epoch } = await this.seal(device, draft);
    await this.commit(device, epoch);
    const row = await this.post(device, draft, sealed, replyToSeq);
    await device.keys.conversations.acknowledged(this.id, row);
    return row;
  }

  async edit(device: TestDevice, row: Message, content: string, target: DraftTarget): Promise<Message> {
    const version = (row.seal?.version ?? 0) + 1;
    const { kind: _, replyTo: __, ...written } = this.draft(content) as Extract<SealedDraft, { kind: 'message' }>;
    const clientMessageId = row.clientMessageId ?? '';
    const { sealed, epoch } = await this.seal(device, { ...written, kind: 'edit', clientMessageId, target, version });
    await this.commit(device, epoch);
    return this.#call(device, routes.editMessage as never, { params: { id: row.id }, body: { sealed } });
  }

  async annotate(device: TestDevice, kind: 'reaction' | 'pin', target: DraftTarget, emoji = '👍'): Promise<Message> {
    const base = { conversation: this.facts, clientMessageId: clientId(), target };
    const draft: SealedDraft = kind === 'pin' ? { ...base, kind } : { ...base, kind, emoji };
    const { sealed, epoch } = await this.seal(device, draft);
    await this.commit(device, epoch);
    const route = (kind === 'pin' ? routes.pinMessage : routes.setReaction) as never;
    const body = { sealed, clientMessageId: base.clientMessageId };
    return this.#call(device, route, { params: { id: target.messageId }, body });
  }

  async erase(device: TestDevice, messageId: string, rowHash: string): Promise<Message> {
    const { conversations } = device.keys;
    const deletion = await conversations.signDeletion(this.id, { messageId, rowHash });
    const row = await this.#call<Message>(device, routes.deleteMessage as never, {
      params: { id: messageId },
      body: { deletion },
    });
    await conversations.deletionAcknowledged(this.id, row);
    return row;
  }

  /** Approves a draft. */
  async approve(device: TestDevice, draft: Message): Promise<Message> {
    const base = { conversation: this.facts, clientMessageId: clientId() };
    const approval = { ...base, kind: 'approval', draft, seen: null } satisfies SealedDraft;
    const { sealed, epoch } = await this.seal(device, approval);
    await this.commit(device, epoch);
    const { mentions, voiceMessageUrl } = draft;
    const body = { ...approval, conversationId: this.id, encryption: 'epochs', sealed, mentions, voiceMessageUrl };
    const row = await this.#call<Message>(device, routes.sendMessage as never, { body });
    await device.keys.conversations.acknowledged(this.id, row);
    return row;
  }

  /** Applies changes of a group as the ordinary routes do, with the epoch that contains them. */
  async change(device: TestDevice, ...changes: GroupChange[]): Promise<void> {
    const result = await device.keys.conversations.change(this.facts, changes);
    if (result.state !== 'sealed') throw new Error(`not signed: ${JSON.stringify(result)}`);
    for (const change of changes) this.apply(change);
    await acceptEpoch(this.world.server, this.id, result.epoch);
  }

  apply(change: GroupChange): void {
    const { served } = this;
    if (change.kind === 'add') served.members.push({ userId: change.userId, role: change.role ?? 0 });
    else if (change.kind === 'remove') served.members = served.members.filter(({ userId }) => userId !== change.userId);
    else if (change.kind === 'role')
      served.members = served.members.map((one) =>
        one.userId === change.userId ? { ...one, role: change.role } : one,
      );
    else if (change.kind === 'invite') return;
    else if (change.kind === 'timer') served.timer = change.seconds;
    else served.admission = change.isOpen ? 1 : 0;
  }

  /** Rows as the server serves them. */
  get rows(): Message[] {
    return structuredClone(this.served.messages).map((row) =>
      row.seal && row.seal.version === 0 && row.deletedAt === null
        ? { ...row, seal: { ...row.seal, origin: null } }
        : row,
    );
  }

  async open(device: TestDevice, rows: readonly Message[] = this.rows): Promise<readonly OpenedRow[]> {
    return device.keys.conversations.open(this.id, rows);
  }

  /** Contents that a device reads; other rows by their state. */
  async read(device: TestDevice): Promise<string[]> {
    return (await this.open(device)).map((one) => (one.state === 'open' ? one.content : one.state));
  }

  async target(device: TestDevice, row: Message): Promise<DraftTarget> {
    const opened = (await this.open(device)).find(({ messageId }) => messageId === row.id) as OpenRow;
    return { messageId: row.id, rowHash: opened.rowHash };
  }
}
