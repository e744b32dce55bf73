import type { RouteBody, Self, routes } from '@nolo/api';
import { accessTokenPrefix } from '@nolo/rules';
import type { Chats, ChatsConnection, ChatsOptions } from './chat/openChats.ts';
import { createServerClock } from './clock/serverClock.ts';
import { createTimers } from './clock/timers.ts';
import type { ClientKeysOptions } from './keys/openClientKeys.ts';
import type { KeysWithConversations } from './keys/openKeys.ts';
import { createRouteCaller } from './http/httpClient.ts';
import { createRequester, type Requester } from './http/request.ts';
import { createVerification, type SendCode, type SendMailCode } from './http/verification.ts';
import type { OpenSocket } from './ports.ts';
import { connectWebSocket, type ConnectSocket } from './socket/webSocket.ts';

type Routes = typeof routes;

export interface ClientOptions {
  /** Address of the installation, `https://nolo.example`. */
  readonly origin: string;
  /** Token of a session, or an access token, which opens no socket. Absent: until the client signs in. */
  readonly token?: string;
  /** Network: by default the platform's own. */
  readonly fetch?: typeof fetch;
  readonly connectSocket?: ConnectSocket;
  /** Returns a number from 0 inclusive to 1 exclusive, for jitter. */
  readonly random?: () => number;
  /** Returns a new UUID. */
  readonly newId?: () => string;
}

/** Connection of one user to one installation. */
export interface Client extends ChatsConnection, Pick<Requester, 'onPlanLimit'> {
  readonly origin: string;
  /** Token of the session, which a later run of the program may continue. Keep it secret. */
  readonly token: string | undefined;
  /** Sends a code to a phone number. If the server demands work first, does it. */
  readonly sendCode: SendCode;
  readonly sendMailCode: SendMailCode;
  /** Signs in with the code. The account is new if the number is. */
  signIn(code: RouteBody<Routes['verifyCode']>): Promise<Self>;
  signInByMail(code: RouteBody<Routes['verifyMailCode']>): Promise<Self>;
  /** Opens the account's chats, and loads the chat engine, which programs without chats do not need. */
  openChats(options?: ChatsOptions): Promise<Chats>;
  /** Opens the keys of this device, and loads the encryption, which programs without keys do not need. */
  openKeys(options: ClientKeysOptions): Promise<KeysWithConversations>;
  /** Calls back when the session has ended. */
  onSignedOut(listener: () => void): () => void;
  /** Ends all timers. Stop the chats first. */
  close(): void;
}

/** Creates a client. Nothing is sent until the first call. */
export function createClient({
  origin: address,
  token: firstToken,
  fetch: send,
  connectSocket = connectWebSocket,
  random,
  newId = () => crypto.randomUUID(),
}: ClientOptions): Client {
  const { origin } = new URL(address);
  let token = firstToken;
  const headers = (): Record<string, string> => (token === undefined ? {} : { authorization: `Bearer ${token}` });

  const clock = createServerClock({
    // Clock: the machine's own, which the server's answers correct.
    wall: () => Date.now(),
    elapsed: () => performance.now(),
    storage: undefined,
    // The requester tells the clock of the answer, or that there was none.
    refresh: () =>
      void request('/api/config', { method: 'HEAD', cache: 'no-store' }, { silent: true }).catch(() => undefined),
  });
  const requester = createRequester({ origin, headers, clock, ...(send && { fetch: send }) });
  const { request, onPlanLimit, onUnauthorized } = requester;
  const timers = createTimers(clock, random);
  const caller = createRouteCaller(request);
  const { sendCode, sendMailCode, verifyCode, verifyMailCode } = createVerification(request);
  const signedOutListeners = new Set<() => void>();
  const signedOut = (): void => {
    for (const listener of signedOutListeners) listener();
  };
  onUnauthorized(signedOut);

  const openSocket: OpenSocket = (handlers) =>
    connectSocket(`${origin.replace(/^http/, 'ws')}/ws?content=sealed`, headers(), handlers);

  const signedIn = (reply: { token: string | null; user: Self }): Self => {
    if (reply.token !== null) token = reply.token;
    return reply.user;
  };

  const client: Client = {
    ...caller,
    origin,
    get token() {
      return token;
    },
    timers,
    newId,
    openSocket,
    onRefused(certain) {
      if (certain) signedOut();
      // Browsers and some libraries hide why an attempt was refused. A 401 here means that the session has ended.
      else request('/api/auth/user', { method: 'GET' }).catch(() => undefined);
    },
    sendCode,
    sendMailCode,
    signIn: async (code) => signedIn(await verifyCode(code)),
    signInByMail: async (code) => signedIn(await verifyMailCode(code)),
    onPlanLimit,
    onSignedOut(listener) {
      signedOutListeners.add(listener);
      return () => void signedOutListeners.delete(listener);
    },
    async openChats(options = {}) {
      if (token?.startsWith(accessTokenPrefix))
        throw new Error('An access token opens no socket. Use call and callPage, or sign in.');
      const { openChats } = await import('./chat/openChats.ts');
      return openChats(client, options);
    },
    async openKeys(options) {
      if (token?.startsWith(accessTokenPrefix))
        throw new Error('An access token is no device of its own. Sign in to have keys.');
      const { openClientKeys } = await import('./keys/openClientKeys.ts');
      return openClientKeys(client, options);
    },
    close: () => timers.cancelAll(),
  };
  return client;
}
