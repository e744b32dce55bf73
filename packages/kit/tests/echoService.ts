import { Registry } from 'prom-client';
import { AppError } from '../src/errors.ts';
import {
  bindRpcService,
  createClient,
  serveRpc,
  type RpcHandlers,
  type RpcServer,
  type ServeRpcOptions,
} from '../src/rpc/rpc.ts';
import { createLog } from '../src/telemetry/log.ts';

export interface Text {
  text: string;
}

const text = {
  encode: (value: Text) => ({ finish: () => new TextEncoder().encode(JSON.stringify(value)) }),
  decode: (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as Text,
};
export const types = { requestType: text, responseType: text };

/** Service definition as ts-proto would generate it, with one method of each kind. */
export const EchoService = {
  fullName: 'test.v1.Echo',
  methods: {
    echo: { name: 'Echo', requestStream: false, responseStream: false, ...types },
    join: { name: 'Join', requestStream: true, responseStream: false, ...types },
    split: { name: 'Split', requestStream: false, responseStream: true, ...types },
  },
} as const;
export type EchoHandlers = RpcHandlers<typeof EchoService>;

export const secret = 'the-secret-of-the-test';
export const lines: string[] = [];
const log = createLog({ service: 'test', destination: { write: (line) => void lines.push(line) } });
export const metrics = new Registry();

let handlers: EchoHandlers = {
  echo: async ({ text }) => ({ text }),
  join: () => Promise.reject(new Error('This test has no handler of join.')),
  split: () => {
    throw new Error('This test has no handler of split.');
  },
};

const service = bindRpcService(EchoService, {
  echo: (request, context) => handlers.echo(request, context),
  join: (requests, context) => handlers.join(requests, context),
  split: (request, context) => handlers.split(request, context),
});

export const serve = (port = 0, registry?: Registry, more: Partial<ServeRpcOptions> = {}): Promise<RpcServer> =>
  serveRpc({
    listen: { host: '127.0.0.1', port },
    secret,
    log,
    services: [service],
    ...(registry ? { metrics: registry } : {}),
    ...more,
  });

export let server: RpcServer;
export let client: ReturnType<typeof createClient<typeof EchoService>>;

/** Serves EchoService during all tests of a file, which replaces some handlers. */
export function setUpEcho(replaced: Partial<EchoHandlers>): void {
  handlers = { ...handlers, ...replaced };
  beforeAll(async () => {
    server = await serve(0, metrics);
    client = createClient(EchoService, `127.0.0.1:${server.port}`, { secret });
  });
  afterAll(async () => {
    client.close();
    await server.stop();
  });
  beforeEach(() => {
    lines.length = 0;
  });
}

/** Returns the error that a call fails with. */
export async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('No AppError was thrown.', { cause: error });
  return error;
}
