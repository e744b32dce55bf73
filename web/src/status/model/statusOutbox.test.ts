import type { StoredFile, NewStatus } from '@nolo/api';
import type { SendFailure, UploadTask } from '@nolo/client/ports';
import type { UnsentStatus } from './statusDelivery.ts';
import { createStatusOutbox } from './statusOutbox.ts';

class Refusal extends Error {
  readonly failure: SendFailure;
  constructor(failure: SendFailure) {
    super(failure.code);
    this.failure = failure;
  }
}
const offline = new Refusal({ passing: true, code: 'network_error', message: '' });
const refused = new Refusal({ passing: false, code: 'too_many_statuses', message: 'Too many.' });

const text: UnsentStatus = { id: 'one', createdAt: 0, body: { content: 'Hello' }, refused: null };
const video: UnsentStatus = {
  id: 'two',
  createdAt: 0,
  body: { mediaType: 'video' },
  files: { file: new Blob(['1234567']), poster: new Blob(['123']) },
  name: 'sea.mp4',
  refused: null,
};

function setUp(answers: (Error | null)[] = []) {
  const kept = new Map<string, UnsentStatus>();
  const posted: NewStatus[] = [];
  const uploads: UploadTask[] = [];
  const outcomes: string[] = [];
  const resting: (() => void)[] = [];
  const outbox = createStatusOutbox({
    device: {
      listStatuses: () => Promise.resolve([...kept.values()]),
      putStatus: (status) => Promise.resolve(void kept.set(status.id, status)),
      removeStatus: (id) => Promise.resolve(void kept.delete(id)),
    },
    transport: {
      upload(task) {
        uploads.push(task);
        const done = Promise.resolve({ url: `/objects/${task.name}` } as StoredFile);
        return { done, pause: () => undefined, resume: () => undefined, cancel: () => undefined };
      },
    },
    post(status) {
      const answer = answers.shift() ?? null;
      if (answer) return Promise.reject(answer);
      posted.push(status);
      return Promise.resolve();
    },
    failureOf: (error) => (error as Refusal).failure,
    exclusively: (_, __, task) => task(),
    timers: {
      now: () => 0,
      random: () => 0,
      after: (_, task) => {
        resting.push(task);
        return () => undefined;
      },
    },
    onPosted: ({ id }) => void outcomes.push(`posted ${id}`),
    onRefused: ({ id }, { code }) => void outcomes.push(`${code} ${id}`),
  });
  const states = () => outbox.store.getState().outgoing.map(({ status, state }) => [status.id, state]);
  return { outbox, kept, posted, uploads, outcomes, resting, states };
}

const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

test('is stored until the server has it', async () => {
  const { outbox, kept, posted, outcomes, states } = setUp();
  await outbox.add(text);
  await settle();
  expect(posted).toEqual([{ content: 'Hello', clientStatusId: 'one' }]);
  expect(outcomes).toEqual(['posted one']);
  expect([kept.size, states()]).toEqual([0, []]);
});

test('uploads the poster and the video first, each once, whatever happens to the post', async () => {
  const { outbox, posted, uploads, resting } = setUp([offline]);
  await outbox.add(video);
  await settle();
  expect(uploads.map(({ name, kind }) => [name, kind])).toEqual([
    ['poster', 'image'],
    ['sea.mp4', 'video'],
  ]);
  resting.shift()?.();
  await settle();
  expect(uploads).toHaveLength(2);
  expect(posted).toEqual([
    { mediaType: 'video', clientStatusId: 'two', mediaUrl: '/objects/sea.mp4', previewUrl: '/objects/poster' },
  ]);
});

test('waits while offline, and is sent when the connection is back', async () => {
  const { outbox, kept, posted, states } = setUp([offline, offline]);
  await outbox.add(text);
  await settle();
  expect(states()).toEqual([['one', 'waiting']]);
  expect(kept.has('one')).toBe(true);
  outbox.flush();
  await settle();
  outbox.flush();
  await settle();
  expect(posted).toHaveLength(1);
});

test('stays after a refusal until it is retried or discarded, also after a reload', async () => {
  const { outbox, kept, posted, outcomes, states } = setUp([refused]);
  await outbox.add(text);
  await settle();
  expect(outcomes).toEqual(['too_many_statuses one']);
  expect(kept.get('one')?.refused?.code).toBe('too_many_statuses');
  await outbox.resume();
  expect(states()).toEqual([['one', 'failed']]);
  await outbox.retry('one');
  await settle();
  expect(posted).toHaveLength(1);
});

test('is not posted when the connection is back if it was discarded', async () => {
  const { outbox, kept, posted, states } = setUp([offline]);
  await outbox.add(text);
  await settle();
  await outbox.discard('one');
  outbox.flush();
  await settle();
  expect([posted.length, kept.size, states()]).toEqual([0, 0, []]);
});
