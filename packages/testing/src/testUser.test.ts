import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { signUpByPhone } from './testUser.ts';

/** Simulates as much of a gateway as the client's tests need. */
function fakeGateway(): Server {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = (text ? JSON.parse(text) : {}) as Record<string, unknown>;
      const answer = (status: number, value: unknown) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(value));
      };
      const route = `${request.method} ${request.url}`;
      if (route === 'GET /api/config') return answer(200, { demoCode: '424242' });
      if (route === 'POST /api/verification/send') return answer(200, { success: true });
      if (route === 'POST /api/verification/verify') {
        return body['code'] === '424242'
          ? answer(200, { success: true, token: 't-1', user: { id: 'u-1' } })
          : answer(400, { code: 'code_wrong' });
      }
      if (request.headers.authorization !== 'Bearer t-1') return answer(401, { code: 'unauthenticated' });
      return answer(200, { route, body });
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (request.headers.authorization !== 'Bearer t-1' || request.headers.origin === 'http://evil.test') {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.send(JSON.stringify({ type: 'hello', data: { userId: 'u-1' } }));
      opened.on('message', (raw: Buffer) => {
        const frame = JSON.parse(raw.toString()) as { id?: string; type: string };
        opened.send(JSON.stringify({ type: 'typing_start', data: { n: 1 } }));
        opened.send(JSON.stringify({ type: 'ack', id: frame.id, data: { was: frame.type } }));
        opened.send(JSON.stringify({ type: 'typing_start', data: { n: 2 } }));
      });
    });
  });
  return server;
}

describe('TestUser', () => {
  let server: Server;
  let baseUrl: string;

  beforeAll(async () => {
    server = fakeGateway();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });

  it('signs up and calls with its token', async () => {
    const user = await signUpByPhone(baseUrl, '+27821234567', 'Ada Lovelace');
    expect(user).toMatchObject({ id: 'u-1', phone: '+27821234567' });
    const reply = await user.api.post('/api/messages', { content: 'x' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ route: 'POST /api/messages', body: { content: 'x' } });
  });

  it('reads frames in any order, and misses none', async () => {
    const user = await signUpByPhone(baseUrl);
    const socket = await user.connectSocket();
    expect((await socket.request('ping')).data).toEqual({ was: 'ping' });
    expect((await socket.next('typing_start', ({ n }) => n === 2)).data).toEqual({ n: 2 });
    expect((await socket.next('typing_start')).data).toEqual({ n: 1 });
    expect((await socket.next('hello')).data).toEqual({ userId: 'u-1' });
    await expect(socket.next('typing_start', undefined, 20)).rejects.toThrow('Received: hello, typing_start');
    await user.disconnect();
    expect((await socket.closed).code).toBe(1000);
  });

  it('explains how an upgrade was refused', async () => {
    const user = await signUpByPhone(baseUrl);
    await expect(user.connectSocket({ origin: 'http://evil.test' })).rejects.toThrow('answered with 403');
  });
});
