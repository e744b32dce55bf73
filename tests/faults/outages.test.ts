import { beatMs } from '@nolo/client/rooms/RoomClient';
import { limits } from '@nolo/rules';
import { eventually, signUpByPhone, type TestApi } from '@nolo/testing';
import { findOccupiedMediaNode } from '../support/stacks/findOccupiedMediaNode.ts';
import {
  requireHealth,
  startFaultStack,
  faultTargets,
  type FaultStack,
  type FaultTarget,
} from '../support/stacks/faultStack.ts';
import { MeetingClient } from '../support/clients/MeetingClient.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { createSeededRandom, startChaosScenario, type ChaosScenario } from '../support/clients/scenario.ts';

/** Seed of the schedules. The same seed gives the same schedule: NOLO_FAULT_SEED=... npm test faults. */
const seed = Number(process.env['NOLO_FAULT_SEED'] ?? Date.now() % 1_000_000_000);
/**
 * Random numbers for the schedules only. The order in which clients draw their jitter depends on timing, which no seed
 * can fix.
 */
const random = createSeededRandom(seed);
const jitter = createSeededRandom(seed + 1);

interface Step {
  /** Messages acknowledged before the outage begins. */
  after: number;
  victims: FaultTarget[];
  /** Attempts of every client during the outage. */
  away: number;
  /** True if everyone is connected before it begins. Otherwise, outages may overlap with the recovery from another. */
  settled?: true;
}

let stack: FaultStack;
let scenario: ChaosScenario | undefined;
const report: string[] = [];

beforeAll(async () => {
  stack = await startFaultStack({ media: 2 });
});

afterEach(() => {
  scenario?.stop();
});

afterAll(async () => {
  await stack?.stop();
  // Prints each step as "messages before:victims:attempts meanwhile".
  process.stderr.write(`faults with NOLO_FAULT_SEED=${seed}\n${report.map((line) => `  ${line}\n`).join('')}`);
});

/** Runs an outage while everyone talks, and checks the result against the rules. */
async function runThrough(title: string, outage: (running: ChaosScenario) => Promise<void>): Promise<void> {
  const running = await startChaosScenario(stack.urls, jitter);
  scenario = running;
  const began = Date.now();
  await outage(running);
  for (const url of stack.urls) await eventually(() => requireHealth(url));
  await running.conclude();
  const { acknowledged, sent, tried, amended, redelivered, violations } = running.history;
  const breaks = running.clients.reduce((sum, client) => sum + client.breaks, 0);
  report.push(
    `${title}: ${acknowledged} acknowledged of ${sent} in ${tried} tries, ${amended} changed, ${breaks} connections lost, ${redelivered} frames redelivered, ${((Date.now() - began) / 1000).toFixed(1)} s`,
  );
  expect(violations).toEqual([]);
  expect(acknowledged).toBe(sent);
}

async function runSteps(running: ChaosScenario, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    await running.untilAcknowledged(step.after);
    if (step.settled) await eventually(() => running.clients.every(({ connection }) => connection === 'open'));
    await Promise.all(step.victims.map((victim) => stack.takeDown(victim)));
    await running.untilTried(step.away);
    await Promise.all(step.victims.map((victim) => stack.bringBack(victim)));
  }
  await running.untilAcknowledged(20);
}

const some = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
const describeSteps = (steps: readonly Step[]) =>
  steps.map((step) => `${step.after}:${step.victims.join('+')}:${step.away}`).join(' ');

// Drawn up front, independently of which tests run.
const single = new Map(
  faultTargets.map((victim): [FaultTarget, Step[]] => [
    victim,
    [{ after: some(5, 25), victims: [victim], away: some(1, 3), settled: true }],
  ]),
);
it.each([
  ['gateways and services', faultTargets.slice(0, 4)],
  ['stores', faultTargets.slice(4)],
] as const)(
  'messages are not lost, duplicated or reordered when %s are killed one after the other and return',
  async (title, killed) => {
    const steps = killed.flatMap((victim) => single.get(victim)!);
    report.push(describeSteps(steps));
    await runThrough(title, (running) => runSteps(running, steps));
  },
  120_000,
);

it('messages are not lost, duplicated or reordered when Redis loses its data and connections stay up', async () => {
  await runThrough('emptied Redis', async (running) => {
    const { clients, conversations, history } = running;
    await running.untilAcknowledged(10);
    await running.fallSilent();
    await stack.emptyRedis();
    // Gateways no longer know their users, and no later message draws attention to these.
    const before = history.acknowledged;
    for (const { id, members } of conversations) clients.find(({ user }) => members.includes(user.id))!.sendMessage(id);
    await eventually(() => history.acknowledged === before + conversations.length);
    for (const { id, members } of conversations) {
      const shownTo = clients
        .filter(({ user }) => members.includes(user.id))
        .map((client) => () => client.shown(id).at(-1)?.seq ?? 0);
      await eventually(() => new Set(shownTo.map((last) => last())).size === 1);
    }
  });
});

it('clients that cannot catch up after a disconnect keep trying, without any new message', async () => {
  await runThrough('catching up', async (running) => {
    const { clients, conversations, history } = running;
    const [ann1, , ben1, cas1] = clients;
    await running.untilAcknowledged(10);
    await running.fallSilent();
    // Ben is on the other gateway: his messages reach nobody at the first while it is down.
    await stack.takeDown('gateway');
    const before = history.acknowledged;
    for (const { id, members } of conversations) if (members.includes(ben1!.user.id)) ben1!.sendMessage(id);
    await eventually(() => history.acknowledged === before + 2);
    // When the gateway is back, chat is down and cannot be queried.
    await stack.takeDown('chat');
    const refusals = [ann1!, cas1!].map((client) => [client, client.refusals] as const);
    await stack.bringBack('gateway');
    for (const [client, count] of refusals) {
      await eventually(() => client.connection === 'open' && client.refusals > count);
    }
    await stack.bringBack('chat');
  });
});

describe('a meeting during outages', () => {
  let roomCode: string;
  let host: TestApi;
  /** Two clients at each gateway, all in one meeting from the first test to the last. */
  const clients: MeetingClient[] = [];
  const lines: string[] = [];
  const patient = { timeoutMs: 30_000 };

  beforeAll(async () => {
    const [first = '', second = ''] = stack.urls;
    const people = await Promise.all([first, second, first, second].map(async (url) => await signUpByPhone(url)));
    host = people[0]!.api;
    roomCode = requireSuccess(await host.post('/api/meetings/create', { name: 'Storm watch' }), 'The meeting').body
      .roomCode as string;
    clients.push(...people.map((user, index) => new MeetingClient(`client ${index + 1}`, user, roomCode)));
    await Promise.all(clients.map((client) => client.open()));
    await untilWhole();
  });

  afterEach(async () => {
    for (const url of stack.urls) await eventually(() => requireHealth(url), patient);
    for (const { violations } of clients) expect(violations).toEqual([]);
  });

  afterAll(() => {
    for (const client of clients) client.stop();
    process.stderr.write(`meetings under faults\n${lines.map((line) => `  ${line}\n`).join('')}`);
  });

  const idsNow = (some: readonly MeetingClient[] = clients) => some.map(({ participantId }) => participantId);

  /** Checks that everyone sees and hears everyone else, once. */
  function demandWhole(some: readonly MeetingClient[] = clients): true {
    for (const client of some) {
      const others = idsNow(some)
        .filter((id) => id !== client.participantId)
        .toSorted();
      const { name, inside, sees, receivesVoiceOf } = client;
      expect({ name, inside, sees: sees.toSorted(), receivesVoiceOf: receivesVoiceOf.toSorted() }).toEqual({
        name,
        inside: true,
        sees: others,
        receivesVoiceOf: others,
      });
    }
    return true;
  }

  /** Returns the duration in milliseconds. */
  async function untilWhole(some?: readonly MeetingClient[]): Promise<number> {
    const began = performance.now();
    await eventually(() => demandWhole(some), patient);
    return Math.round(performance.now() - began);
  }

  /**
   * Checks that a newcomer finds exactly the participants present. The newcomer then leaves without notice, which is
   * soon detected.
   */
  async function expectNothingStuck(): Promise<void> {
    const newcomer = new MeetingClient('newcomer', await signUpByPhone(stack.urls[1]!), roomCode);
    try {
      await newcomer.open();
      await eventually(() => demandWhole([...clients, newcomer]), patient);
    } finally {
      newcomer.stop();
    }
    // Each gateway reconnects by itself to a service that was down, and the host's may be the later one.
    const meeting = await eventually(
      async () => requireSuccess(await host.get(`/api/meetings/${roomCode}`), 'The meeting'),
      patient,
    );
    expect((meeting.body as { status: string }).status).toBe('live');
    await untilWhole();
  }

  it('moves the same participants from a media node that dies to the other one', async () => {
    const before = idsNow();
    const node = await findOccupiedMediaNode(stack.metricsUrls);
    const moves = clients.map((client) => client.moves);
    await stack.takeDown(node);
    await eventually(() => clients.every((client, index) => client.moves > moves[index]!), patient);
    lines.push(`a media node killed: everybody told, whole again ${await untilWhole()} ms later`);
    expect(await findOccupiedMediaNode(stack.metricsUrls)).not.toBe(node);
    expect(idsNow()).toEqual(before);
    await stack.bringBack(node);
  });

  it('keeps everyone without any media node, and resumes media as soon as there is one', async () => {
    const before = idsNow();
    const nodes = ['media-sfu', 'media-sfu2'] as const;
    const refused = clients.map(({ refusals }) => refusals);
    await Promise.all(nodes.map((node) => stack.takeDown(node)));
    await eventually(() => clients.every(({ refusals }, index) => refusals > refused[index]! + 1), patient);
    await stack.bringBack('media-sfu');
    lines.push(`no media node: whole again ${await untilWhole()} ms after one was there`);
    expect(idsNow()).toEqual(before);
    await stack.bringBack('media-sfu2');
  });

  it.each([
    ['a moment', 1],
    ['longer than a lease', Math.ceil(limits.participantLeaseMs / beatMs) + 1],
  ])(
    "keeps everyone's place when the service is down for %s",
    async (_, beats) => {
      const before = idsNow();
      const refused = clients.map(({ refusals }) => refusals);
      await stack.takeDown('meetings');
      await eventually(() => clients.every(({ refusals }, index) => refusals >= refused[index]! + beats), patient);
      await stack.bringBack('meetings');
      await untilWhole();
      await expectNothingStuck();
      expect(idsNow()).toEqual(before);
    },
    90_000,
  );

  it('drops participants of a dead gateway once their lease expires, and readmits them with it', async () => {
    const [here, there] = [
      [clients[0]!, clients[2]!],
      [clients[1]!, clients[3]!],
    ] as const;
    await stack.takeDown('gateway2');
    const killed = performance.now();
    await untilWhole(here);
    // The tests of meetings check the length of leases. Here participants disappear although nobody reports it for
    // them.
    lines.push(`a gateway killed: its participants gone ${Math.round(performance.now() - killed)} ms later`);
    expect(there.every(({ inside }) => !inside)).toBe(true);
    await stack.bringBack('gateway2');
    await untilWhole();
    await expectNothingStuck();
  });
});
