import { computePeerCost, findLeastBusy, choosePeerWorker } from './placement.ts';

const worker = (cost: number, load = 0) => ({ cost, load });

test('the first participant of a room is placed on the least busy worker', () => {
  const workers = [worker(30), worker(12), worker(40)];
  expect(choosePeerWorker([], workers, 100)).toBe(workers[1]);
});

test('the worker with the most idle core is chosen among those that send equally much', () => {
  const workers = [worker(5, 0.8), worker(5, 0.1)];
  expect(findLeastBusy(workers)).toBe(workers[1]);
});

test('a room stays on its worker until that is full, then spreads to the least busy', () => {
  const [here, idle] = [worker(99), worker(0)];
  expect(choosePeerWorker([here], [here, idle], 100)).toBe(here);
  const full = worker(100);
  expect(choosePeerWorker([full], [full, idle], 100)).toBe(idle);
});

test('the least busy worker accepts more even if all are full', () => {
  const [a, b] = [worker(300), worker(200)];
  expect(choosePeerWorker([a, b], [a, b], 100)).toBe(b);
});

test('a participant without workers is not placed', () => {
  expect(choosePeerWorker([], [], 100)).toBeUndefined();
});

test("a participant's cost counts what is sent at once, not every consumer", () => {
  expect([0, 3, 9, 15, 256].map(computePeerCost)).toEqual([3, 3, 9, 15, 15]);
});
