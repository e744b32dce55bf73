import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { client, EchoService, failure, secret, serve, setUpEcho, type EchoHandlers } from '../../tests/echoService.ts';
import { createAppError } from '../errors.ts';
import { createClient } from './rpc.ts';

/** Streams of requests and of replies, also over a connection that ends because of its age. */

let join: EchoHandlers['join'];
let split: EchoHandlers['split'];

setUpEcho({
  join: (requests, context) => join(requests, context),
  split: (request, context) => split(request, context),
});

describe('a stream of requests', () => {
  it('arrives in order and gets one reply', async () => {
    join = async (requests) => {
      const texts: string[] = [];
      for await (const { text } of requests) texts.push(text);
      return { text: texts.join('') };
    };
    const sent = Array.from({ length: 500 }, (_, index) => ({ text: `${index},` }));
    expect((await client.join(sent)).text).toBe(sent.map(({ text }) => text).join(''));
  });

  it('ends early when the service refuses, even while the source waits', async () => {
    join = async (requests) => {
      for await (const _ of requests) throw createAppError('too_large', 'upload_too_large', 'Too large.');
      return { text: '' };
    };
    const endless = async function* () {
      yield { text: 'first' };
      await new Promise(() => undefined);
    };
    expect(await failure(client.join(endless()))).toMatchObject({ kind: 'too_large', code: 'upload_too_large' });
  });

  it('notifies the handler if its source fails', async () => {
    let outcome: Promise<string> | undefined;
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    join = (requests) => {
      const read = async () => {
        for await (const _ of requests) arrive();
        return { text: 'complete' };
      };
      const reading = read();
      outcome = reading.then(
        () => 'complete',
        () => 'broken',
      );
      return reading;
    };
    const breaking = async function* () {
      yield { text: 'first' };
      await arrived;
      throw new Error('the line was cut');
    };
    await expect(client.join(breaking())).rejects.toThrow('the line was cut');
    expect(await outcome).toBe('broken');
  });
});

describe('a stream of replies', () => {
  it('arrives in order', async () => {
    split = async function* ({ text }) {
      for (const letter of text) yield { text: letter };
    };
    const letters: string[] = [];
    for await (const { text } of client.split({ text: 'stream' })) letters.push(text);
    expect(letters.join('')).toBe('stream');
  });

  it('ends with the AppError the handler threw', async () => {
    split = async function* () {
      yield { text: 'first' };
      throw createAppError('not_found', 'file_not_found', 'No such file.');
    };
    const read = async () => {
      for await (const _ of client.split({ text: '' }));
    };
    expect(await failure(read())).toMatchObject({ kind: 'not_found', code: 'file_not_found' });
  });

  it('waits for a slow reader, and ends when the reader leaves', async () => {
    let made = 0;
    let ended = () => {};
    const end = new Promise<void>((resolve) => (ended = resolve));
    const large = 'x'.repeat(64 * 1024);
    split = async function* (_request, { signal }) {
      try {
        while (!signal.aborted && made < 10_000) {
          made += 1;
          yield { text: large };
        }
      } finally {
        ended();
      }
    };
    for await (const _ of client.split({ text: '' })) {
      // Everything would be done one round trip later, without backpressure.
      await client.echo({ text: '' });
      break;
    }
    await end;
    expect(made).toBeLessThan(1000);
  });
});

describe('a connection', () => {
  it('is closed once it is old, without failing a call or a long stream', async () => {
    const aging = await serve(0, undefined, { connectionAgeMs: 100 });
    let connections = 0;
    const between = createServer((socket) => {
      connections += 1;
      const onward = connect(aging.port, '127.0.0.1');
      for (const end of [socket, onward]) end.on('error', () => undefined);
      socket.pipe(onward).pipe(socket);
    });
    between.listen(0, '127.0.0.1');
    await once(between, 'listening');
    const { port } = between.address() as AddressInfo;
    const other = createClient(EchoService, `127.0.0.1:${port}`, { secret });
    let ended = false;
    split = async function* () {
      while (!ended) {
        yield { text: 'on' };
        // Sleeps: continues until connections reach their maximum age.
        await sleep(20);
      }
    };
    const stream = (async () => {
      let count = 0;
      for await (const _ of other.split({ text: '' })) count += 1;
      return count;
    })();
    while (connections < 4) await other.echo({ text: '' });
    ended = true;
    expect(await stream).toBeGreaterThan(3);
    other.close();
    await aging.stop();
    between.close();
  });
});
