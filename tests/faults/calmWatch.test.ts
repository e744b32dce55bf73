import { LiveDeliveryChecker } from '../support/clients/LiveDeliveryChecker.ts';
import { ChaosHistory } from '../support/clients/ChaosHistory.ts';

const { jest } = import.meta;

let history: ChaosHistory;
let watch: LiveDeliveryChecker;

beforeEach(() => {
  jest.useFakeTimers();
  history = new ChaosHistory();
  watch = new LiveDeliveryChecker(history);
  for (const device of ['ann', 'ben']) watch.follows(device, 'c1');
  watch.follows('cas', 'c2');
});

afterEach(() => {
  watch.stop();
  jest.useRealTimers();
});

/** Acknowledges a change in the calm in which it began. */
const acknowledge = (changeSeq: number) => watch.acknowledged(watch.moment, 'c1', changeSeq);

it('reports nothing if everyone in the conversation is notified within two seconds, before or after the answer', () => {
  watch.begin();
  watch.receives('ann', 'c1', 1);
  acknowledge(1);
  jest.advanceTimersByTime(1_500);
  watch.receives('ben', 'c1', 1);
  jest.advanceTimersByTime(5_000);
  expect([watch.checked, history.violations]).toEqual([1, []]);
  expect(watch.slowestMs).toBeGreaterThanOrEqual(1_400);
});

it('names each device that was not notified live in time', () => {
  watch.begin();
  acknowledge(1);
  watch.receives('ann', 'c1', 1);
  jest.advanceTimersByTime(2_100);
  watch.receives('ben', 'c1', 1);
  expect(history.violations).toEqual(['ben was not told live of change 1 of c1 within 2.0 s, in calm']);
  expect(history.broken.calm).toBe(1);
});

it('extends the deadline by the time answers take, and no further', () => {
  watch.begin();
  const { moment } = watch;
  jest.advanceTimersByTime(1_000);
  watch.acknowledged(moment, 'c1', 1);
  watch.receives('ann', 'c1', 1);
  jest.advanceTimersByTime(4_900);
  expect([watch.slowestAnswerMs, history.violations]).toEqual([1_000, []]);
  jest.advanceTimersByTime(200);
  expect(history.violations).toEqual(['ben was not told live of change 1 of c1 within 5.0 s, in calm']);
});

it('does not take a later frame for an earlier one', () => {
  watch.begin();
  acknowledge(1);
  for (const device of ['ann', 'ben']) watch.receives(device, 'c1', 2);
  jest.advanceTimersByTime(2_100);
  expect(history.violations).toHaveLength(2);
});

it('reports a client that catches up or loses its connection', () => {
  watch.begin();
  watch.catchesUp('ann', 'a gap before change 7');
  watch.recordConnectionLoss('ben', 1006);
  expect(history.violations).toEqual([
    'ann had to catch up in calm: a gap before change 7',
    'ben lost its line in calm (1006)',
  ]);
});

it('requires nothing outside calm, nor for changes begun before it or without effect', () => {
  acknowledge(1);
  watch.catchesUp('ann', 'it was away');
  watch.recordConnectionLoss('ann', 1006);
  watch.receives('ben', 'c1', 3);
  const before = watch.moment;
  watch.begin();
  watch.acknowledged(before, 'c1', 4);
  acknowledge(3);
  jest.advanceTimersByTime(5_000);
  expect([watch.checked, history.violations]).toEqual([0, []]);
});

it('waits at the end for what was acknowledged, and accepts nothing new', async () => {
  watch.begin();
  acknowledge(1);
  const ended = watch.end();
  acknowledge(2);
  jest.advanceTimersByTime(2_100);
  await ended;
  jest.advanceTimersByTime(5_000);
  expect(history.violations.map((one) => one.split(' ')[0])).toEqual(['ann', 'ben']);
  expect(watch.checked).toBe(1);
});

it('does not count the time during which the checker itself stood still', () => {
  watch.begin();
  acknowledge(1);
  const stood = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  jest.advanceTimersByTime(50);
  stood.mockRestore();
  for (const device of ['ann', 'ben']) watch.receives(device, 'c1', 1);
  jest.advanceTimersByTime(3_000);
  expect(history.violations).toEqual([]);
});
