import { connectBus, type Bus } from '@nolo/kit/bus';
import { createLog } from '@nolo/kit/log';
import { eventually, readTestServerAddresses, createUniqueName } from '@nolo/testing';
import { startNatsServer, type NatsServer } from './natsServer.ts';

const log = createLog({ service: 'test', level: 'silent' });
const open: Bus[] = [];

async function connect(url: string, prefix: string): Promise<Bus> {
  const bus = await connectBus({ url, name: 'test', log, prefix });
  open.push(bus);
  return bus;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((bus) => bus.close()));
});

describe('the bus', () => {
  const { natsUrl } = readTestServerAddresses();

  it('delivers messages to listeners, and keeps installations apart', async () => {
    const prefix = createUniqueName();
    const [one, two, stranger] = await Promise.all([
      connect(natsUrl, prefix),
      connect(natsUrl, prefix),
      connect(natsUrl, createUniqueName()),
    ]);
    const received: unknown[] = [];
    two.subscribe('gateway.*.deliver', (data, subject) => void received.push([subject, data]));
    stranger.subscribe('gateway.>', (data) => void received.push(['stranger', data]));
    await Promise.all([two.flush(), stranger.flush()]);
    one.publish('gateway.g1.deliver', { hello: 1 });
    await one.flush();
    await eventually(() => received.length > 0);
    expect(received).toEqual([['gateway.g1.deliver', { hello: 1 }]]);
  });

  it('names the variable if NATS never comes up', async () => {
    const attempt = connectBus({ url: 'nats://127.0.0.1:1', name: 'test', log, connectTimeoutMs: 300 });
    await expect(attempt).rejects.toThrow('NATS_URL');
  });
});

describe('a NATS that is killed', () => {
  let server: NatsServer;

  beforeEach(async () => {
    server = await startNatsServer();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((bus) => bus.close()));
    await server.remove();
  });

  it('is found again with subscriptions after it returns', async () => {
    const bus = await connect(server.url, createUniqueName());
    const received: unknown[] = [];
    let reconnects = 0;
    bus.onReconnect(() => (reconnects += 1));
    bus.subscribe('live', (data) => void received.push(data));

    for (let round = 1; round <= 2; round += 1) {
      await server.kill();
      await eventually(() => !bus.status().connected);
      await expect(bus.flush(500)).rejects.toMatchObject({ kind: 'unavailable', code: 'bus_unavailable' });
      bus.publish('live', 'dropped');

      await server.start();
      await eventually(() => reconnects === round);
      bus.publish('live', round);
      await bus.flush();
      await eventually(() => received.includes(round));
    }
    expect(received).toEqual([1, 2]);
  }, 40_000);

  it('does not prevent closing', async () => {
    const bus = await connect(server.url, createUniqueName());
    await server.kill();
    await Promise.all([bus.close(), bus.close()]);
  });
});
