import { Turnstile } from './Turnstile.ts';

const never = new AbortController().signal;

function gated() {
  const gate = Promise.withResolvers<void>();
  return { open: gate.resolve, work: () => gate.promise };
}

test('lets so many in, as many wait, and sends the rest away', async () => {
  const turnstile = new Turnstile(2);
  const { open, work } = gated();
  const passed = [1, 2, 3, 4].map(() => turnstile.pass(never, work));
  expect(turnstile.waiting).toBe(2);
  await expect(turnstile.pass(never, work)).rejects.toMatchObject({ code: 'transcription_busy', retryAfterMs: 5_000 });
  open();
  await Promise.all(passed);
  expect(turnstile.waiting).toBe(0);
  await expect(turnstile.pass(never, () => Promise.resolve('free again'))).resolves.toBe('free again');
});

test('whoever stops waiting leaves the queue, and nobody else loses their turn', async () => {
  const turnstile = new Turnstile(1);
  const { open, work } = gated();
  const inside = turnstile.pass(never, work);
  const gone = new AbortController();
  const waiting = turnstile.pass(gone.signal, work);
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(turnstile.waiting).toBe(0);
  const next = turnstile.pass(never, () => Promise.resolve('next'));
  open();
  await expect(next).resolves.toBe('next');
  await inside;
  await expect(turnstile.pass(gone.signal, work)).rejects.toThrow('gone');
});

test('a work that fails makes room all the same', async () => {
  const turnstile = new Turnstile(1);
  await expect(turnstile.pass(never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(turnstile.pass(never, () => Promise.resolve(1))).resolves.toBe(1);
});
