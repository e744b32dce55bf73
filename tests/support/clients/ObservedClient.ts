import { closeCodes, type Message, type ServerFrame } from '@nolo/api';
import { createClient, type Chats, type Client, type ConnectSocket } from '@nolo/client';
import type { ChatApi } from '@nolo/client/chat/ports';
import { createChats } from '@nolo/client/chat/openChats';
import { dial } from '@nolo/testing';
import { WebSocket } from 'ws';
import type { LiveDeliveryChecker } from './LiveDeliveryChecker.ts';
import type { ChaosHistory } from './ChaosHistory.ts';
import type { MessageAmendment } from './messageObservations.ts';

export interface ObservedClientOptions {
  name: string;
  userId: string;
  token: string;
  /** Address of the gateway. */
  origin: string;
  history: ChaosHistory;
  watch: LiveDeliveryChecker;
  /** Returns a number from 0 inclusive to 1 exclusive, from the seed of the run. */
  random: () => number;
}

/** Number of its own latest messages that a client may change. */
const maxAmendableMessages = 20;
const amendRetryMs = 500;

/**
 * Runs the client of `@nolo/client`, with a network that the test can take away, and reports to the history what it
 * sends and receives. It gets no help from outside: it has to notice faults and recover by itself.
 */
export class ObservedClient {
  readonly name: string;
  readonly client: Client;
  readonly engine: Chats;
  /** Acknowledged messages of this device, because only one device at a time may change a message here. */
  readonly own: Message[] = [];
  /** Numbers of lost connections, of catch-ups, and of answers that were no success. */
  breaks = 0;
  catchUps = 0;
  refusals = 0;
  readonly #options: ObservedClientOptions;
  readonly #sockets = new Set<WebSocket>();
  readonly #amendments = new Map<string, MessageAmendment>();
  /** Client message ids of tried messages that the server has not answered. */
  readonly #unanswered = new Set<string>();
  #stopped = false;
  #away = false;

  constructor(options: ObservedClientOptions) {
    const { history, name, origin, random, token, userId } = options;
    this.#options = options;
    this.name = name;
    this.client = createClient({ origin, token, random, fetch: this.#send, connectSocket: this.#connectSocket });
    this.client.onSignedOut(() => history.violation(`${name} was signed out`));
    this.engine = createChats(this.client, userId, { wrapApi: (api) => this.#observe(api) });
    this.engine.store.subscribe((state, before) => {
      if (before.connection === 'open' && state.connection !== 'open' && !this.#stopped) this.breaks += 1;
    });
  }

  get connection() {
    return this.engine.store.getState().connection;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /**
   * Number of messages and changes that were tried and have no answer. The screen no longer shows such a message as
   * pending once a frame brought it, but its sender goes on until it is acknowledged.
   */
  get unanswered(): number {
    return this.#unanswered.size + this.#amendments.size;
  }

  /** Disconnects the device from the network, or reconnects it. */
  setAway(away: boolean): void {
    this.#away = away;
    if (away) for (const socket of this.#sockets) socket.terminate();
    else this.engine.retryConnection();
  }

  stop(): void {
    this.#stopped = true;
    this.engine.stop();
    this.client.close();
    for (const socket of this.#sockets) socket.terminate();
  }

  /** Loads what precedes the shown part of a conversation, back to the message with this seq. */
  async loadBackTo(conversationId: string, seq: number): Promise<void> {
    const lacks = () => {
      const timeline = this.engine.store.getState().timelines[conversationId];
      return timeline?.hasOlder === true && (timeline.messages[0]?.seq ?? 0) > seq;
    };
    while (lacks()) await this.engine.loadOlder(conversationId);
  }

  /** Edits or erases (null) an acknowledged message, and retries until that is acknowledged. */
  async amend(message: Message, content: string | null): Promise<void> {
    const { history } = this.#options;
    const amendment = history.amends(message.clientMessageId ?? '', content);
    if (!amendment) return;
    this.#amendments.set(message.id, amendment);
    while (!this.#stopped && !amendment.acknowledged) {
      try {
        if (content === null) await this.engine.remove(message.id);
        else await this.engine.edit(message.id, content, {}, message);
      } catch (error) {
        const { status = 0 } = error as { status?: number };
        if (status !== 429) amendment.unknown += 1;
        if (status >= 400 && status < 500 && status !== 429) {
          history.violation(`${this.name} may not change its own message: ${String(error)}`);
          break;
        }
        await this.pause(amendRetryMs);
      }
    }
    this.#amendments.delete(message.id);
    // Edited messages may be changed again later; erased ones not.
    if (content !== null) this.own.push(message);
  }

  /** Waits. Never resolves once stopped. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.client.timers.after(ms, resolve));
  }

  readonly #send: typeof fetch = async (input, init) => {
    const { history } = this.#options;
    if (this.#away) throw new TypeError('There is no network.');
    const response = await this.request(input, init);
    if (response.ok) return response;
    this.refusals += 1;
    // Outages have their own status. 500 would mean an unexpected error.
    if (response.status === 500 || response.status === 401)
      history.violation(
        `${this.name}: ${init?.method} ${input instanceof Request ? input.url : input.toString()} was answered with ${response.status} ${await response.clone().text()}`,
      );
    return response;
  };

  readonly #connectSocket: ConnectSocket = (address, _headers, { onFrame, onClose }) => {
    const { history, token, watch } = this.#options;
    const socket = dial(this.getSocketAddress(address), token, {
      onFrame: (frame: ServerFrame) => {
        this.onFrame(frame);
        onFrame(frame);
      },
      onRefused: (status) => {
        if (status === 401) history.violation(`${this.name}: the socket was refused with 401`);
      },
    });
    this.#sockets.add(socket);
    if (this.#away) socket.terminate();
    socket.on('close', (code) => {
      this.#sockets.delete(socket);
      if (!this.#stopped) watch.recordConnectionLoss(this.name, code);
      if (code === closeCodes.sessionEnded) history.violation(`${this.name}: the socket closed as signed out`);
      onClose(code);
    });
    return {
      send: (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      close: () => socket.close(),
    };
  };

  /** Sends a request, by default to the gateway. */
  protected request(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    return fetch(input, init);
  }

  /** Returns the address of the next socket, by default that of the gateway. */
  protected getSocketAddress(address: string): string {
    return address;
  }

  /** Reports a frame before the engine gets it. */
  protected onFrame(frame: ServerFrame): void {
    const { history, watch } = this.#options;
    if (frame.type === 'new_message' || frame.type === 'message_updated') history.seesLive(this.name, frame.data);
    const { conversationId, changeSeq } = frame.data as { conversationId?: string; changeSeq?: number };
    if (conversationId !== undefined && changeSeq !== undefined) watch.receives(this.name, conversationId, changeSeq);
    if (frame.type === 'sync_required') watch.catchesUp(this.name, 'the server asked for it');
    if (frame.type === 'session_ended') history.violation(`${this.name} received session_ended`);
  }

  async #change(id: string, request: () => Promise<Message>): Promise<Message> {
    const { history, watch } = this.#options;
    const { moment } = watch;
    const message = await request();
    const amendment = this.#amendments.get(id);
    if (amendment) history.amendmentAcknowledged(this.name, amendment, message);
    watch.acknowledged(moment, message.conversationId, message.changeSeq);
    return message;
  }

  /** Reports what the engine's requests send and return. */
  #observe(api: ChatApi): ChatApi {
    const { history, watch } = this.#options;
    return {
      ...api,
      listMessages: async (id, place) => {
        const page = await api.listMessages(id, place);
        for (const message of page.items) history.sees(this.name, message);
        return page;
      },
      listChanges: async (id, since) => {
        this.catchUps += 1;
        const page = await api.listChanges(id, since);
        for (const change of page.changes) if (change.type === 'message') history.sees(this.name, change.message);
        return page;
      },
      sendMessage: async (message) => {
        const clientMessageId = message.clientMessageId ?? '';
        const { moment } = watch;
        history.tries(clientMessageId, message.conversationId, 'content' in message ? message.content : '');
        this.#unanswered.add(clientMessageId);
        const stored = (await api.sendMessage(message).catch((error: unknown) => {
          const { status = 0 } = error as { status?: number };
          if (status >= 400 && status < 500 && status !== 429) this.#unanswered.delete(clientMessageId);
          throw error;
        })) as Message;
        this.#unanswered.delete(clientMessageId);
        history.acknowledges(this.name, clientMessageId, stored);
        watch.acknowledged(moment, stored.conversationId, stored.changeSeq);
        this.own.push(stored);
        if (this.own.length > maxAmendableMessages) this.own.shift();
        return stored;
      },
      editMessage: (message, content, extras) =>
        this.#change(message.id, () => api.editMessage(message, content, extras)),
      deleteMessage: (id) => this.#change(id, () => api.deleteMessage(id)),
    };
  }
}
