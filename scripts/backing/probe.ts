import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats a check every 25 ms until it returns true or is aborted. */
export async function waitUntil(question: () => Promise<boolean>, abort: AbortSignal): Promise<void> {
  while (!abort.aborted) {
    if (await question()) return;
    await sleep(25);
  }
  throw new Error('ended before it was ready');
}

/** Connects, sends a text, and returns whether the reply matches; false on any error. */
export async function doesPortReply(port: number, message: string, expect: RegExp): Promise<boolean> {
  return await new Promise((resolve) => {
    let received = '';
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => {
      end(false);
    });
    socket.once('error', () => {
      end(false);
    });
    socket.once('close', () => {
      end(false);
    });
    socket.once('connect', () => {
      if (message !== '') socket.write(message);
    });
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (expect.test(received)) end(true);
    });
  });
}
