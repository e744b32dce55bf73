/** Minimal HTTP server that answers with the bytes it was given. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BareHttpCommand } from './forks.ts';

let pages: readonly string[] = [];
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(pages[Number((request.url ?? '/').slice(1))]);
});
process.on('message', (question: BareHttpCommand) => {
  pages = question.pages;
  server.listen(0, '127.0.0.1', () => process.send?.({ value: (server.address() as AddressInfo).port }));
});
process.on('disconnect', () => process.exit());
