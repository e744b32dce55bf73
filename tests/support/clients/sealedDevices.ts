import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@nolo/api';
import { createClient, type Chats, type Client } from '@nolo/client';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { openingOf, type RowOpening } from '@nolo/client/chat/rowOpening';
import type { KeysWithConversations } from '@nolo/client/keys/openKeys';
import type { GroupChange } from '@nolo/client/keys/conversations/types';
import { openSqliteKeys } from '@nolo/client/node/sqliteKeys';
import { openSqliteStorage } from '@nolo/client/node/sqliteStorage';
import { connectWebSocket } from '@nolo/client/socket/webSocket';
import { eventually, signInByPhone, signUpByPhone, type TestUser } from '@nolo/testing';
import { openAcceptedConversation } from '../authorization/authorizationCast.ts';

/** Devices of people with keys and chats in SQLite, which seal whatever they can. */

/** Request that a device made. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

const toRequest = (input: Parameters<typeof fetch>[0], init: RequestInit = {}): SentRequest => ({
  method: init.method ?? 'GET',
  path: new URL(input instanceof Request ? input.url : input).pathname,
  body: typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {},
});

export class SealedDevice {
  /** Session of the next start. */
  user: TestUser;
  readonly folder = mkdtempSync(join(tmpdir(), 'nolo-sealed-'));
  /** Requests of this device, oldest first. */
  requests: SentRequest[] = [];
  isOnline = true;
  /** Decides for which requests the server's answer gets lost. */
  losesAnswer: (request: SentRequest) => boolean = () => false;
  client!: Client;
  keys!: KeysWithConversations;
  chats!: Chats;
  #close: () => void = () => undefined;
  readonly #sockets: { close(): void }[] = [];

  constructor(user: TestUser) {
    this.user = user;
  }

  /** Starts the program, or starts it again on what it stored. */
  async start(): Promise<this> {
    const send: typeof fetch = async (input, init) => {
      if (!this.isOnline) throw new TypeError('There is no network.');
      const request = toRequest(input, init);
      this.requests.push(request);
      const answer = await fetch(input, init);
      if (this.losesAnswer(request)) throw new TypeError('The answer got lost.');
      return answer;
    };
    this.client = createClient({
      origin: this.user.api.baseUrl,
      token: this.user.api.token ?? '',
      fetch: send,
      connectSocket: (address, headers, handlers) => {
        const socket = connectWebSocket(this.isOnline ? address : 'ws://127.0.0.1:9', headers, handlers);
        this.#sockets.push(socket);
        return socket;
      },
    });
    const keyStorage = openSqliteKeys(join(this.folder, 'keys.sqlite'));
    const storage = openSqliteStorage(join(this.folder, 'chats.sqlite'), { now: () => this.client.timers.now() });
    this.#close = () => {
      keyStorage.close();
      storage.close();
    };
    this.keys = await this.client.openKeys({ storage: keyStorage });
    await this.keys.start();
    this.chats = await this.client.openChats({
      storage,
      onOtherFrame: this.keys.onFrame,
      conversations: this.keys.conversations,
    });
    this.chats.start();
    return this;
  }

  /** Takes the network away, or gives it back. */
  setNetwork(isOnline: boolean): void {
    this.isOnline = isOnline;
    if (isOnline) this.chats.retryConnection();
    else for (const socket of this.#sockets.splice(0)) socket.close();
  }

  /** Ends the program; what it stored stays. */
  stop(): void {
    this.chats?.stop();
    this.keys?.stop();
    this.client?.close();
    this.#close();
    this.#close = () => undefined;
  }

  remove(): void {
    this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get id(): string {
    return this.keys.state().deviceId ?? '';
  }

  messages(id: string): readonly Message[] {
    return this.chats.store.getState().timelines[id]?.messages ?? [];
  }

  /** Texts of messages that are open here, and in brackets what became of the others. */
  read(id: string): string[] {
    return this.messages(id).map((message) => {
      const state = openingOf(message)?.state;
      return state === 'open' ? message.content : `(${state ?? 'not sealed'})`;
    });
  }

  /** Waits until a conversation, without the server's own lines, reads like this. */
  async reads(id: string, expected: readonly string[]): Promise<void> {
    await eventually(() => {
      expect(this.read(id).filter((one) => one !== '(plain)')).toEqual(expected);
      expect(this.chats.store.getState().timelines[id]?.pending).toEqual([]);
      return true;
    }).catch((error: unknown) => {
      const { standings } = this.chats.store.getState();
      const { phase, vault } = this.keys.state();
      const refused = this.messages(id).filter((message) => openingOf(message)?.state === 'refused');
      throw new Error(`${String(error)}\n${JSON.stringify({ phase, vault, standing: standings[id], refused })}`);
    });
  }

  find(id: string, content: string): Message {
    const found = this.messages(id).find((one) => one.content === content);
    if (!found) throw new Error(`No message "${content}".`);
    return found;
  }

  openingOf(id: string, content: string): RowOpening | undefined {
    return openingOf(this.find(id, content));
  }

  /** Sends a message and waits until the server has it. */
  async send(id: string, content: string, replyTo?: Message): Promise<void> {
    this.chats.send(id, content, replyTo && { replyTo: toReply(replyTo) });
    await eventually(() => {
      const timeline = this.chats.store.getState().timelines[id];
      if (timeline?.pending.length !== 0) throw new Error(JSON.stringify(timeline?.pending));
      return timeline.messages.some((one) => one.content === content);
    });
  }

  get actions(): ReturnType<typeof getConversationActions> {
    return getConversationActions(this.chats);
  }

  /** Signs changes of a group, and returns the epoch for the body of the ordinary route. */
  async sign(id: string, ...changes: GroupChange[]): Promise<unknown> {
    const result = await this.chats.changeGroup(id, changes);
    if (result.state !== 'sealed') throw new Error(`Not signed: ${JSON.stringify(result)}`);
    return result.epoch;
  }
}

const toReply = ({ id, seq, senderId }: Message) => ({ seq, messageId: id, senderId });

/** Starts the first device of a person, which creates the account's keys. */
export async function startFirstDevice(user: TestUser): Promise<SealedDevice> {
  const device = await new SealedDevice(user).start();
  await eventually(() => device.keys.state().vault === 'open');
  return device;
}

/** Signs in once more, and links the new device by a code that the old one scans. */
export async function linkDevice(old: SealedDevice): Promise<SealedDevice> {
  const session = await signInByPhone(old.user.api.baseUrl, old.user.phone);
  const fresh = await new SealedDevice(session).start();
  await eventually(() => fresh.keys.state().phase.name === 'unlinked');
  await fresh.keys.beginLink('code');
  const { link } = fresh.keys.state();
  await old.keys.scanLinkCode(link && 'code' in link ? link.code : '');
  await old.keys.confirmLink();
  await eventually(() => {
    const { phase, vault } = fresh.keys.state();
    return phase.name === 'ready' && vault === 'open';
  });
  return fresh;
}

/** Starts people on a shared Nolo, or devices of people who exist. The devices end with each test. */
export function setUpSealedPeople({ urls }: { readonly urls: readonly string[] } = { urls: [] }) {
  const devices: SealedDevice[] = [];
  const started = async (device: Promise<SealedDevice>): Promise<SealedDevice> => {
    devices.push(await device);
    return device;
  };
  const startPerson = async (gateway = 0) => started(startFirstDevice(await signUpByPhone(urls[gateway]!)));
  afterEach(() => {
    for (const device of devices.splice(0)) device.remove();
  });
  return {
    started,
    startPerson,
    /** Starts the first device of a person who exists. */
    startDeviceOf: ({ user }: { readonly user: TestUser }) => started(startFirstDevice(user)),
    /** Starts Ann with a laptop and a phone, and Ben, at another gateway. All look at their conversation. */
    async startPair() {
      const [ann, ben] = await Promise.all([startPerson(0), startPerson(1)]);
      const id = await openAcceptedConversation(ann.user, ben.user);
      const phone = await started(linkDevice(ann));
      for (const device of [ann, phone, ben]) await device.chats.open(id);
      return { ann, phone, ben, id };
    },
  };
}
