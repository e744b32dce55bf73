import { createServer } from 'node:net';

/**
 * A port that was free a moment ago. Only for what cannot be told to take port 0 itself: between
 * the asking and the taking somebody else may come.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address) resolve(address.port);
        else reject(new Error('The system named no port.'));
      });
    });
  });
}
