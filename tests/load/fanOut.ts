/** Measures the gateway's CPU per delivered frame, against a bare `ws` broadcast to as many sockets. */
import { connectBus } from '@nolo/kit/bus';
import { allGatewaysSubject } from '@nolo/kit/delivery';
import { forkBareServer, forkSocketHolder } from './support/forks.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { readCpuMs, median, printTable, printLine } from './support/measure.ts';
import { createMessageFrame } from './support/createMessageFrame.ts';
import { createLoadPeople } from './support/people.ts';

const members = 500;
const devices = 2;
const sockets = members * devices;
const pairs = 7;
/** Concurrent broadcasts, after which both sides wait for the clients. */
const burst = 10;
const bursts = 20;

async function measure(stack: LoadStack): Promise<void> {
  const people = await createLoadPeople(stack, members, devices);
  const tokens = people.flatMap((person) => person.tokens);
  const bare = forkBareServer();
  const holders = { bare: forkSocketHolder(), ours: forkSocketHolder() };
  const wanted = tokens.map((token) => ({ token, localAddress: '127.0.0.1' }));
  await holders.bare.ask({
    ask: 'open',
    url: `ws://127.0.0.1:${await bare.ask({ ask: 'port' })}`,
    sockets: wanted,
    atOnce: 50,
  });
  await holders.ours.ask({ ask: 'open', url: `${stack.url.replace('http', 'ws')}/ws`, sockets: wanted, atOnce: 50 });

  // Delivery as chat sends it: the message and all its recipients.
  const frame = createMessageFrame(people[0]?.id ?? '');
  const delivery = { recipients: people.map(({ id }) => id), frame };
  const bus = await connectBus({
    url: stack.backing.natsUrl,
    name: 'load',
    prefix: stack.natsPrefix,
    log: stack.log,
  });

  const round = async (holder: (typeof holders)['bare'], pid: number, broadcast: () => void): Promise<number> => {
    let received = await holder.ask({ ask: 'frames', atLeast: 0 });
    const before = readCpuMs(pid);
    for (let index = 0; index < bursts; index += 1) {
      for (let one = 0; one < burst; one += 1) broadcast();
      received += burst * sockets;
      await holder.ask({ ask: 'frames', atLeast: received });
    }
    return ((readCpuMs(pid) - before) * 1000) / (bursts * burst * sockets);
  };
  const bareRound = () => round(holders.bare, bare.pid, () => bare.post({ ask: 'broadcast', frame }));
  const ourRound = () => round(holders.ours, stack.pid('gateway'), () => bus.publish(allGatewaysSubject, delivery));

  await bareRound();
  await ourRound();
  const rows: (string | number)[][] = [];
  const ratios: number[] = [];
  for (let pair = 1; pair <= pairs; pair += 1) {
    const limit = await bareRound();
    const ours = await ourRound();
    ratios.push(ours / limit);
    rows.push([`${pair}`, limit, ours, ours / limit]);
  }
  printTable(['pair', 'bare ws, µs of CPU per delivery', 'gateway', 'ratio'], rows);
  printLine(
    `Median ratio ${median(ratios).toFixed(2)}; ${sockets} sockets of ${members} people, ${burst * bursts} frames of ${JSON.stringify(frame).length} bytes in each round.`,
  );
  await bus.close();
  bare.stop();
  for (const holder of Object.values(holders)) holder.stop();
}

await measureOnStack('Gateway CPU per delivery', measure);
