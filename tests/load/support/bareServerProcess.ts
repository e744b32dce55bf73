/** Minimal socket server: `ws` as in its manual, without sessions, users or back-pressure. */
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { BareServerCommand } from './forks.ts';
import { getWallClockMs } from './measure.ts';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', () => undefined);
  socket.on('error', () => undefined);
  socket.send('{"type":"hello"}');
});

process.on('message', (question: BareServerCommand) => {
  if (question.ask === 'port') {
    const sendPort = () => process.send?.({ value: (server.address() as AddressInfo).port });
    if (server.address() === null) server.once('listening', sendPort);
    else sendPort();
    return;
  }
  const text = JSON.stringify(question.frame);
  const began = getWallClockMs();
  for (const socket of server.clients) if (socket.readyState === WebSocket.OPEN) socket.send(text);
  if (question.ask === 'broadcastAt') process.send?.({ value: began });
});
process.on('disconnect', () => process.exit());
