import { eventually } from '@nolo/testing';
import { demandHealth, startFaultStack, victims, type FaultStack, type Victim } from '../support/faultStack.ts';
import { seeded, startScenario, type Scenario } from '../support/scenario.ts';

/** The same seed gives the same schedule: NOLO_FAULT_SEED=... npm test faults. */
const seed = Number(process.env['NOLO_FAULT_SEED'] ?? Date.now() % 1_000_000_000);
/** For the schedules alone. The clients' jitter is drawn as they go, in an order that no seed can hold. */
const random = seeded(seed);
const jitter = seeded(seed + 1);

interface Step {
  /** Messages that are acknowledged before it begins. */
  after: number;
  victims: Victim[];
  /** Tries of every client while they are away. */
  away: number;
  /** Whether everybody is connected before it begins; if not, outages may fall into the recovery from another. */
  settled?: true;
}

let stack: FaultStack;
let scenario: Scenario | undefined;
const report: string[] = [];

beforeAll(async () => {
  stack = await startFaultStack();
}, 120_000);

afterEach(() => {
  scenario?.stop();
});

afterAll(async () => {
  await stack?.stop();
  // Each step as "messages before:who falls:tries meanwhile".
  process.stderr.write(`faults with NOLO_FAULT_SEED=${seed}\n${report.map((line) => `  ${line}\n`).join('')}`);
});

/** Runs something while everybody talks, and holds what came of it against the rules. */
async function runThrough(title: string, outage: (running: Scenario) => Promise<void>): Promise<void> {
  const running = await startScenario(stack.urls, jitter);
  scenario = running;
  const began = Date.now();
  await outage(running);
  for (const url of stack.urls) await eventually(() => demandHealth(url), { timeoutMs: 20_000 });
  await running.conclude();
  const { acknowledged, said, tried, amended, redelivered, violations } = running.history;
  const breaks = running.clients.reduce((sum, client) => sum + client.breaks, 0);
  report.push(
    `${title}: ${acknowledged} acknowledged of ${said} in ${tried} tries, ${amended} changed, ${breaks} connections lost, ${redelivered} frames redelivered, ${((Date.now() - began) / 1000).toFixed(1)} s`,
  );
  expect(violations).toEqual([]);
  expect(acknowledged).toBe(said);
}

async function runSteps(running: Scenario, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    await running.untilAcknowledged(step.after);
    if (step.settled) await eventually(() => running.clients.every(({ connection }) => connection === 'open'));
    await Promise.all(step.victims.map((victim) => stack.takeDown(victim)));
    await running.untilTried(step.away);
    await Promise.all(step.victims.map((victim) => stack.bringBack(victim)));
  }
  await running.untilAcknowledged(20);
}

const some = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
const describeSteps = (steps: readonly Step[]) =>
  steps.map((step) => `${step.after}:${step.victims.join('+')}:${step.away}`).join(' ');

// Drawn at once, whichever of the tests run.
const single = new Map(
  victims.map((victim): [Victim, Step[]] => [
    victim,
    [{ after: some(5, 25), victims: [victim], away: some(1, 3), settled: true }],
  ]),
);
it.each(victims)(
  'nothing is lost, doubled or reordered when %s is killed and comes back',
  async (victim) => {
    const steps = single.get(victim)!;
    report.push(describeSteps(steps));
    await runThrough(victim, (running) => runSteps(running, steps));
  },
  60_000,
);

it('nor when Redis forgets everything while all connections stand', async () => {
  await runThrough('emptied Redis', async (running) => {
    const { clients, conversations, history } = running;
    await running.untilAcknowledged(10);
    await running.fallSilent();
    await stack.emptyRedis();
    // Nobody is held by a gateway any more, and nothing that is said later calls attention to these.
    const before = history.acknowledged;
    for (const { id, members } of conversations) clients.find(({ user }) => members.includes(user.id))!.say(id);
    await eventually(() => history.acknowledged === before + conversations.length);
    for (const { id, members } of conversations) {
      const shownTo = clients
        .filter(({ user }) => members.includes(user.id))
        .map((client) => () => client.shown(id).at(-1)?.seq ?? 0);
      await eventually(() => new Set(shownTo.map((last) => last())).size === 1, { timeoutMs: 20_000 });
    }
  });
}, 120_000);

it('clients that cannot catch up after a break go on trying, without anything new being said', async () => {
  await runThrough('catching up', async (running) => {
    const { clients, conversations, history } = running;
    const [ann1, , ben1, cas1] = clients;
    await running.untilAcknowledged(10);
    await running.fallSilent();
    // Ben is on the other gateway: what he says while the first is away reaches nobody there.
    await stack.takeDown('gateway');
    const before = history.acknowledged;
    for (const { id, members } of conversations) if (members.includes(ben1!.user.id)) ben1!.say(id);
    await eventually(() => history.acknowledged === before + 2);
    // And when it is back there is nobody to ask.
    await stack.takeDown('chat');
    const refusals = [ann1!, cas1!].map((client) => [client, client.refusals] as const);
    await stack.bringBack('gateway');
    for (const [client, count] of refusals) {
      await eventually(() => client.connection === 'open' && client.refusals > count, { timeoutMs: 20_000 });
    }
    await stack.bringBack('chat');
  });
}, 120_000);
