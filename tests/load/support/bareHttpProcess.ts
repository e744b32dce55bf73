/** The least that an HTTP server can be: it answers everything with the bytes that it was given. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BareHttpQuestion } from './forks.ts';

let page = '';
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(page);
});
process.on('message', (question: BareHttpQuestion) => {
  page = question.page;
  server.listen(0, '127.0.0.1', () => process.send?.({ value: (server.address() as AddressInfo).port }));
});
process.on('disconnect', () => process.exit());
