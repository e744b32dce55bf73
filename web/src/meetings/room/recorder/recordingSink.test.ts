import { createFileSink, createMemorySink, RecordingSinkFullError } from './recordingSink.ts';

const piece = (text: string) => new Blob([text]);

test('pieces become one file, in order', async () => {
  const sink = createMemorySink('video/webm', 100);
  await sink.write(piece('one '));
  await sink.write(piece('two'));
  const whole = await sink.finish();
  expect(await whole?.text()).toBe('one two');
  expect(whole?.type).toBe('video/webm');
  expect(sink.bytes).toBe(7);
});

test('memory is limited, and what was written before stays', async () => {
  const sink = createMemorySink('video/webm', 5);
  await sink.write(piece('12345'));
  await expect(sink.write(piece('6'))).rejects.toBeInstanceOf(RecordingSinkFullError);
  expect(await (await sink.finish())?.text()).toBe('12345');
});

function fakeHandle(room = Infinity) {
  const written: string[] = [];
  const log: string[] = [];
  return {
    written,
    log,
    name: 'a.webm',
    async createWritable() {
      return {
        async write(data: Blob) {
          if (written.length >= room) throw new Error('The disk is full.');
          written.push(await data.text());
        },
        close: async () => void log.push('closed'),
        abort: async () => void log.push('aborted'),
      };
    },
    remove: async () => void log.push('removed'),
  };
}

test('a file gets its pieces one after the other, and nothing stays in memory', async () => {
  const handle = fakeHandle();
  const sink = await createFileSink(handle);
  await Promise.all([sink.write(piece('one')), sink.write(piece('two'))]);
  expect(await sink.finish()).toBeNull();
  expect(handle.written).toEqual(['one', 'two']);
  expect(handle.log).toEqual(['closed']);
  expect(sink.bytes).toBe(6);
});

test('a full disk is reported, and the file is closed with what it has', async () => {
  const handle = fakeHandle(1);
  const sink = await createFileSink(handle);
  await sink.write(piece('one'));
  await expect(sink.write(piece('two'))).rejects.toBeInstanceOf(RecordingSinkFullError);
  await expect(sink.write(piece('three'))).rejects.toBeInstanceOf(RecordingSinkFullError);
  expect(await sink.finish()).toBeNull();
  expect(handle).toMatchObject({ written: ['one'], log: ['closed'] });
});

test('a recording that did not start leaves no file behind', async () => {
  const handle = fakeHandle();
  await (await createFileSink(handle)).discard();
  expect(handle.log).toEqual(['aborted', 'removed']);
});
