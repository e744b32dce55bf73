import type { Json } from './json.ts';
import { randomName, randomPhone } from './factories.ts';
import { TestSocket, type SocketOptions } from './testSocket.ts';

export interface TestReply<T = Json> {
  status: number;
  /** Parsed JSON, or text if it is not JSON; undefined if the answer is empty. */
  body: T;
  headers: Headers;
}

export interface TestRequest {
  body?: unknown;
  headers?: Record<string, string>;
}

/** Client of the REST API, anonymous without a token. Refusals are answers, not exceptions. */
export class TestApi {
  readonly baseUrl: string;
  readonly token: string | undefined;

  constructor(baseUrl: string, token?: string) {
    this.baseUrl = baseUrl;
    this.token = token;
  }

  async request<T = Json>(method: string, path: string, options: TestRequest = {}): Promise<TestReply<T>> {
    const { body } = options;
    const raw = body instanceof Uint8Array || body instanceof FormData || typeof body === 'string';
    const response = await fetch(new URL(path, this.baseUrl), {
      method,
      redirect: 'manual',
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') && text !== '';
    return {
      status: response.status,
      body: (json ? JSON.parse(text) : text === '' ? undefined : text) as T,
      headers: response.headers,
    };
  }

  get<T = Json>(path: string, options?: TestRequest): Promise<TestReply<T>> {
    return this.request('GET', path, options);
  }

  post<T = Json>(path: string, body?: unknown, options?: TestRequest): Promise<TestReply<T>> {
    return this.request('POST', path, { ...options, body });
  }

  put<T = Json>(path: string, body?: unknown, options?: TestRequest): Promise<TestReply<T>> {
    return this.request('PUT', path, { ...options, body });
  }

  patch<T = Json>(path: string, body?: unknown, options?: TestRequest): Promise<TestReply<T>> {
    return this.request('PATCH', path, { ...options, body });
  }

  delete<T = Json>(path: string, options?: TestRequest): Promise<TestReply<T>> {
    return this.request('DELETE', path, options);
  }
}

/** Signed-in user, as seen by the gateway. */
export class TestUser {
  readonly id: string;
  readonly phone: string;
  readonly api: TestApi;
  readonly #sockets: TestSocket[] = [];

  constructor(options: { baseUrl: string; id: string; phone: string; token: string }) {
    this.id = options.id;
    this.phone = options.phone;
    this.api = new TestApi(options.baseUrl, options.token);
  }

  async connectSocket(options: SocketOptions = {}): Promise<TestSocket> {
    const socket = await TestSocket.open(this.api.baseUrl, this.api.token, options);
    this.#sockets.push(socket);
    return socket;
  }

  /** Closes this user's sockets; for afterEach. */
  async disconnect(): Promise<void> {
    await Promise.all(this.#sockets.splice(0).map((socket) => socket.close()));
  }
}

function demand(reply: TestReply, what: string): TestReply {
  if (reply.status >= 200 && reply.status < 300) return reply;
  throw new Error(`${what} returned ${reply.status}: ${JSON.stringify(reply.body)}`);
}

/** Signs in with the demo code. The account is new if the number is. */
export async function signInByPhone(baseUrl: string, phone: string): Promise<TestUser> {
  const anonymous = new TestApi(baseUrl);
  const config = demand(await anonymous.get('/api/config'), 'The configuration');
  const code = config.body.demoCode as string | undefined;
  if (!code) throw new Error('This instance shows no demo code, so tests cannot sign in.');
  demand(await anonymous.post('/api/verification/send', { type: 'sms', phoneNumber: phone }), 'Requesting a code');
  const { body } = demand(
    await anonymous.post('/api/verification/verify', { type: 'sms', phoneNumber: phone, code }),
    'Signing in',
  );
  return new TestUser({ baseUrl, id: body.user.id, phone, token: body.token });
}

/** Signs up a new user and sets their name ("First Last"; a random one by default). */
export async function signUpByPhone(baseUrl: string, phone: string = randomPhone(), name?: string): Promise<TestUser> {
  const user = await signInByPhone(baseUrl, phone);
  const random = randomName();
  const [firstName = random.firstName, ...rest] = name?.split(' ') ?? [random.firstName, random.lastName];
  demand(await user.api.put('/api/profile', { firstName, lastName: rest.join(' ') }), 'Setting the name');
  return user;
}
