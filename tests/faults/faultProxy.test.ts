import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { eventually } from '@nolo/testing';
import { FaultProxy } from '../support/stacks/faultProxy.ts';

/** Tests the fault line itself: one that never breaks would make the faults worthless. */

let server: Server;
let proxy: FaultProxy;
/** Server-side sockets, and what they received. */
const accepted: { socket: Socket; got: string; ended: boolean; closed: boolean }[] = [];
const opened: Socket[] = [];

beforeEach(async () => {
  accepted.length = 0;
  server = createServer((socket) => {
    const end = { socket, got: '', ended: false, closed: false };
    accepted.push(end);
    socket.on('data', (chunk) => {
      end.got += String(chunk);
      socket.write(`echo ${String(chunk)}`);
    });
    socket.on('end', () => (end.ended = true));
    socket.on('close', () => (end.closed = true));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await FaultProxy.open(`http://localhost:${(server.address() as AddressInfo).port}`);
});

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await proxy.close();
  for (const { socket } of accepted) socket.destroy();
  server.close();
});

/** Opens a client-side socket. */
async function open() {
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  opened.push(socket);
  const client = { socket, got: '', error: '', closed: false };
  socket.on('data', (chunk) => (client.got += String(chunk)));
  socket.on('error', (error: NodeJS.ErrnoException) => (client.error = error.code ?? ''));
  socket.on('close', () => (client.closed = true));
  // A connection that is cut may fail even before it connects.
  await eventually(() => !socket.connecting);
  return client;
}

it('passes data both ways, and its end', async () => {
  const client = await open();
  client.socket.end('hello');
  await eventually(() => client.got === 'echo hello' && client.closed);
  expect([accepted[0]?.ended, client.error]).toEqual([true, '']);
  await eventually(() => proxy.connections === 0);
});

it('passes a reset to both sides, and accepts new connections', async () => {
  const client = await open();
  client.socket.write('one');
  await eventually(() => client.got === 'echo one');
  proxy.reset();
  await eventually(() => client.error === 'ECONNRESET' && accepted[0]?.closed);
  const secondConnection = await open();
  secondConnection.socket.write('two');
  await eventually(() => secondConnection.got === 'echo two');
});

it('resets some of the connections', async () => {
  const clients = [await open(), await open(), await open(), await open()];
  for (const { socket } of clients) socket.write('x');
  await eventually(() => clients.every(({ got }) => got === 'echo x'));
  proxy.reset(0.5);
  await eventually(() => clients.filter(({ closed }) => closed).length === 2);
  expect(proxy.connections).toBe(2);
});

it('accepts no connection while cut', async () => {
  proxy.cut();
  const client = await open();
  await eventually(() => client.closed);
  expect(accepted).toHaveLength(0);
  proxy.mend();
  const secondConnection = await open();
  secondConnection.socket.write('x');
  await eventually(() => secondConnection.got === 'echo x');
});

it('passes nothing while frozen, and everything afterwards', async () => {
  const client = await open();
  client.socket.write('one');
  await eventually(() => client.got === 'echo one');
  proxy.freeze();
  client.socket.write('two');
  const late = await open();
  late.socket.write('three');
  // Earlier data would have arrived by the time this does.
  await eventually(() => accepted.length === 2);
  expect([accepted[0]?.got, accepted[1]?.got, client.got]).toEqual(['one', '', 'echo one']);
  proxy.mend();
  await eventually(() => client.got === 'echo oneecho two' && late.got === 'echo three');
});

it('withholds only the answers if only they are frozen', async () => {
  const client = await open();
  client.socket.write('one');
  await eventually(() => client.got === 'echo one');
  proxy.freeze('answers');
  client.socket.write('two');
  await eventually(() => accepted[0]?.got === 'onetwo');
  expect(client.got).toBe('echo one');
  proxy.mend();
  await eventually(() => client.got === 'echo oneecho two');
});

it('hides from one side of a frozen line that the other is gone', async () => {
  const client = await open();
  client.socket.write('one');
  await eventually(() => client.got === 'echo one');
  proxy.freeze();
  accepted[0]?.socket.destroy();
  await eventually(() => accepted[0]?.closed);
  expect(client.closed).toBe(false);
  proxy.mend();
  await eventually(() => client.closed);
});

it('delays what it receives while slow, in order', async () => {
  const client = await open();
  proxy.slow({ latencyMs: 60, bytesPerSecond: 1_000_000 });
  const began = performance.now();
  for (const word of ['a', 'b', 'c']) client.socket.write(word);
  await eventually(() => client.got.replaceAll('echo ', '') === 'abc');
  expect(performance.now() - began).toBeGreaterThanOrEqual(115);
});

it('limits the bytes per second', async () => {
  const client = await open();
  proxy.slow({ latencyMs: 0, bytesPerSecond: 500_000 });
  const began = performance.now();
  client.socket.write('x'.repeat(100_000));
  await eventually(() => accepted[0]?.got.length === 100_000);
  expect(performance.now() - began).toBeGreaterThanOrEqual(190);
});
