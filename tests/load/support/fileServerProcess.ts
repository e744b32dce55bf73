/** Minimal file server: writes what is put to the disk, and reads it back. */
import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileServerCommand } from './forks.ts';

let folder = '';
const server = createServer((request, response) => {
  const path = join(folder, (request.url ?? '').replace(/\W/g, ''));
  const moved =
    request.method === 'PUT'
      ? // Flushed: acknowledged writes survive a power cut, as with ours.
        pipeline(request, createWriteStream(path, { flush: true })).then(() => void response.end())
      : pipeline(createReadStream(path), response);
  moved.catch(() => response.destroy());
});
process.on('message', (question: FileServerCommand) => {
  folder = question.folder;
  server.listen(0, '127.0.0.1', () => process.send?.({ value: (server.address() as AddressInfo).port }));
});
process.on('disconnect', () => process.exit());
