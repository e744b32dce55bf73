import type { KeysState, PersonKeys } from '@nolo/client/keys/types';
import { jest } from '@jest/globals';
import { createStore } from 'zustand/vanilla';
import type { KeysClient } from './keysProtocol.ts';
import { noKeys, type KeysStoreState } from './keysStore.ts';
import { createPeopleKeys } from './peopleKeys.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const person = (userId: string): PersonKeys => ({
  userId,
  identity: 'known',
  verified: false,
  wasVerified: false,
  blocked: null,
  decidedOn: null,
});

function setUp() {
  const asked: (readonly string[])[] = [];
  const answers = { fail: false };
  const lookUp = async (ids: readonly string[]) => {
    asked.push(ids);
    if (answers.fail) throw new Error('offline');
    return ids.map(person);
  };
  const source = createStore<KeysStoreState>(() => ({ ...noKeys, keys: { lookUp } as unknown as KeysClient }));
  const ready = (peopleVersion: number) =>
    source.setState({ phase: { name: 'ready' }, state: { peopleVersion } as KeysState });
  const settle = () => jest.advanceTimersByTimeAsync(100);
  return { ...createPeopleKeys(source), source, ready, settle, asked, answers };
}

test('people on one screen are looked up together, once the keys are ready', async () => {
  const { want, ready, settle, store, asked } = setUp();
  want('a');
  want('b');
  await settle();
  expect(asked).toEqual([]);
  ready(1);
  await settle();
  expect(asked).toEqual([['a', 'b']]);
  expect(Object.keys(store.getState())).toEqual(['a', 'b']);
  want('b');
  want('c');
  await settle();
  expect(asked.at(-1)).toEqual(['b', 'c']);
});

test('many people are looked up in several requests, and those of a failed one again', async () => {
  const { want, ready, settle, asked, answers, store } = setUp();
  const people = Array.from({ length: 120 }, (_, index) => `user-${index}`);
  for (const id of people) want(id);
  ready(1);
  await settle();
  expect(asked.map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(Object.keys(store.getState())).toHaveLength(120);
  answers.fail = true;
  ready(2);
  await settle();
  answers.fail = false;
  ready(3);
  await settle();
  expect(asked.slice(6).flat()).toEqual(people);
});

test('news of people are looked up for those still on the screen', async () => {
  const { want, ready, settle, asked } = setUp();
  ready(1);
  const leave = want('a');
  want('b');
  await settle();
  leave();
  ready(2);
  await settle();
  expect(asked).toEqual([['a', 'b'], ['b']]);
});

test('a look-up that failed is repeated with the next news', async () => {
  const { want, ready, settle, asked, answers, store } = setUp();
  answers.fail = true;
  ready(1);
  want('a');
  await settle();
  expect(store.getState()).toEqual({});
  answers.fail = false;
  ready(2);
  await settle();
  expect(asked).toHaveLength(2);
  expect(store.getState()).toHaveProperty('a');
});

test('nothing of people remains once the keys stop', async () => {
  const { want, ready, settle, store, source } = setUp();
  ready(1);
  want('a');
  await settle();
  source.setState(noKeys);
  expect(store.getState()).toEqual({});
});
