import { Client, credentials, Server, ServerCredentials, status, type ServiceError } from '@grpc/grpc-js';
import { RpcHealth } from './rpcHealth.ts';

const path = '/grpc.health.v1.Health';
const bytes = (value: Buffer) => value;
/** Requests as other programs encode them: for the whole process, and for one service. */
const ofAll = Buffer.alloc(0);
const ofOne = Buffer.from('\n\u0004chat');

let server: Server;
let client: Client;
let health: RpcHealth;

beforeEach(async () => {
  server = new Server();
  health = new RpcHealth();
  health.addTo(server);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
});

afterEach(() => {
  client.close();
  server.forceShutdown();
});

const check = (request: Buffer) =>
  new Promise<Buffer>((resolve, reject) => {
    client.makeUnaryRequest(`${path}/Check`, bytes, bytes, request, (error: ServiceError | null, answer?: Buffer) =>
      error ? reject(error) : resolve(answer ?? Buffer.alloc(0)),
    );
  });

test('a check reports whether calls are accepted; single services are unknown', async () => {
  expect([...(await check(ofAll))]).toEqual([8, 1]);
  // An empty name means the whole process.
  expect([...(await check(Buffer.from([0x0a, 0])))]).toEqual([8, 1]);
  await expect(check(ofOne)).rejects.toMatchObject({ code: status.NOT_FOUND });
  health.leave();
  expect([...(await check(ofAll))]).toEqual([8, 2]);
});

test('a watcher is notified of changes', async () => {
  const answers: number[][] = [];
  const watch = client.makeServerStreamRequest(`${path}/Watch`, bytes, bytes, ofAll);
  watch.on('error', () => undefined);
  const twice = new Promise<void>((resolve) => {
    watch.on('data', (answer: Buffer) => {
      answers.push([...answer]);
      if (answers.length === 1) health.leave();
      else resolve();
    });
  });
  await twice;
  expect(answers).toEqual([
    [8, 1],
    [8, 2],
  ]);
  watch.cancel();

  const other = client.makeServerStreamRequest(`${path}/Watch`, bytes, bytes, ofOne);
  other.on('error', () => undefined);
  const answer = await new Promise<Buffer>((resolve) => void other.once('data', resolve));
  expect([...answer]).toEqual([8, 3]);
  other.cancel();
});
