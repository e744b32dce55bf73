import type { Meeting } from '@nolo/api';
import { fakeRoom, createParticipant } from '../../../../../packages/client/tests/fakeRoom.ts';
import { settlePromises } from '../../../../../packages/client/tests/fakeTimers.ts';
import { testMeeting } from '../../../testing/testMeeting.ts';
import type { RecordingProblem } from '../model/recording.ts';
import { SocketError } from '@nolo/client/socket/socketRequests';
import { MeetingRecording } from './MeetingRecording.ts';
import type { RecorderOptions } from '../recorder/Recorder.ts';
import { createFileSink, createMemorySink } from '../recorder/recordingSink.ts';

type Picker = { showSaveFilePicker?: (() => Promise<unknown>) | undefined; MediaRecorder?: unknown };
const browser = globalThis as Picker;

beforeEach(() => {
  browser.MediaRecorder = { isTypeSupported: (type: string) => type.startsWith('video/webm') };
});
afterEach(() => {
  delete browser.MediaRecorder;
  delete browser.showSaveFilePicker;
});

/** Sets up a host inside a meeting, with a recorder that writes two chunks. */
async function inside(meeting: Partial<Meeting> = {}) {
  const room = fakeRoom();
  room.answers.set('join_meeting', () =>
    room.entry({ participant: createParticipant('me', { role: 'host' }), meeting: testMeeting(meeting) }),
  );
  await room.join();
  const recorders: RecorderOptions[] = [];
  const problems: RecordingProblem[] = [];
  const saved: string[] = [];
  class FakeRecorder {
    readonly #options: RecorderOptions;
    constructor(options: RecorderOptions) {
      this.#options = options;
      recorders.push(options);
      options.sink.write(new Blob(['some '])).catch(() => undefined);
    }
    get bytes() {
      return this.#options.sink.bytes;
    }
    async stop() {
      await this.#options.sink.write(new Blob(['video'])).catch(() => undefined);
      return this.#options.sink.finish();
    }
  }
  const recording = new MeetingRecording({
    load: async () => ({ Recorder: FakeRecorder, createFileSink, createMemorySink }),
    room: room.store,
    microphone: () => null,
    client: () => room.client,
    now: () => Date.UTC(2026, 0, 1, 12),
    nameOf: ({ name }) => name,
    onProblem: (problem) => problems.push(problem),
    save: (blob, name) => saved.push(`${name}: ${blob.size}`),
    onSaved: ({ name, bytes, cut }) => saved.push(`${name}: ${bytes} on disk${cut === undefined ? '' : `, ${cut}`}`),
  });
  const changed = (change: Partial<Meeting>) =>
    room.push({ type: 'meeting_changed', data: { roomCode: 'ABC234', meeting: { ...testMeeting(), ...change } } });
  const listToggles = () => room.requestsOf('meeting_recording_toggle').map(({ enabled }) => enabled);
  return { room, recording, recorders, problems, saved, changed, listToggles };
}

test('the server is notified before anything is recorded, and the file is offered at the end', async () => {
  const { room, recording, recorders, saved, listToggles } = await inside();
  let known = false;
  room.answers.set('meeting_recording_toggle', ({ enabled }) => {
    if (enabled === true) known = recorders.length === 0;
    return {};
  });
  await recording.start();
  expect([known, recorders.length, recording.store.getState().name]).toEqual([true, 1, 'running']);
  await recording.stop();
  expect(listToggles()).toEqual([true, false]);
  const state = recording.store.getState();
  expect(state).toMatchObject({ name: 'ready', file: { bytes: 10 } });
  expect(saved).toEqual([]);
  recording.save();
  expect(saved).toEqual([expect.stringMatching(/^Planning 2026-01-01 .*\.webm: 10$/)]);
  expect(recording.store.getState()).toEqual({ name: 'idle' });
});

test('a refusal records nothing and is reported', async () => {
  const { room, recording, recorders, problems } = await inside();
  room.answers.set('meeting_recording_toggle', () => new SocketError('recording_refused', 'no'));
  await recording.start();
  expect(recorders).toEqual([]);
  expect(problems).toEqual(['refused']);
  expect(recording.store.getState()).toEqual({ name: 'idle' });
});

test('a browser that writes to the disk asks where, and offers nothing afterwards', async () => {
  const { recording, saved } = await inside();
  const written: string[] = [];
  browser.showSaveFilePicker = async () => ({
    name: 'mine.webm',
    createWritable: async () => ({
      write: async (piece: Blob) => void written.push(await piece.text()),
      close: async () => undefined,
      abort: async () => undefined,
    }),
  });
  await recording.start();
  await recording.stop();
  expect(written.join('')).toBe('some video');
  expect(saved).toEqual(['mine.webm: 10 on disk']);
  expect(recording.store.getState()).toEqual({ name: 'idle' });
});

test('closing the file picker cancels the recording', async () => {
  const { recording, problems, listToggles } = await inside();
  browser.showSaveFilePicker = async () => {
    throw new DOMException('closed', 'AbortError');
  };
  await recording.start();
  expect([recording.store.getState(), problems, listToggles()]).toEqual([{ name: 'idle' }, [], []]);
});

test('a recording ended by another host, or by a lost lease, ends here as well', async () => {
  const { recording, changed, problems } = await inside();
  await recording.start();
  await changed({ isRecording: true, recorderId: 'me' });
  expect(recording.store.getState().name).toBe('running');
  await changed({ isRecording: false, recorderId: null });
  await settlePromises();
  expect(recording.store.getState()).toMatchObject({ name: 'ready', file: { cut: 'ended' } });
  expect(problems).toEqual([]);
});

test('leaving ends the recording, and offers what there is', async () => {
  const { room, recording, listToggles } = await inside();
  await recording.start();
  room.client.leave();
  await settlePromises();
  expect(recording.store.getState()).toMatchObject({ name: 'ready' });
  // The server ends the recording of a user who left, without a request.
  expect(listToggles()).toEqual([true]);
});

test('a closed screen saves the recording instead of losing it', async () => {
  const { recording, saved } = await inside();
  await recording.start();
  recording.close();
  await settlePromises();
  expect(saved).toHaveLength(1);
});

test('full storage ends the recording with what there is', async () => {
  const { recording, recorders, problems } = await inside();
  await recording.start();
  recorders[0]?.onProblem('full');
  recorders[0]?.onProblem('full');
  await settlePromises();
  expect(problems).toEqual([]);
  expect(recording.store.getState()).toMatchObject({ name: 'ready', file: { cut: 'full' } });
});

test('a full disk is reported with its file, and a file that cannot be closed is reported as lost', async () => {
  const { recording, recorders, problems, saved } = await inside();
  let closes = true;
  browser.showSaveFilePicker = async () => ({
    name: 'mine.webm',
    createWritable: async () => ({
      write: async () => undefined,
      close: () => (closes ? Promise.resolve() : Promise.reject(new DOMException('no room', 'QuotaExceededError'))),
      abort: async () => undefined,
    }),
  });
  await recording.start();
  recorders[0]?.onProblem('full');
  await settlePromises();
  expect([saved, problems]).toEqual([['mine.webm: 10 on disk, full'], []]);
  closes = false;
  await recording.start();
  recorders[1]?.onProblem('full');
  await settlePromises();
  expect([saved.length, problems, recording.store.getState()]).toEqual([1, ['lost'], { name: 'idle' }]);
});

test('a recording of which nothing could be written is reported as lost, not saved', async () => {
  const { recording, recorders, problems, saved } = await inside();
  browser.showSaveFilePicker = async () => ({
    name: 'mine.webm',
    createWritable: async () => ({
      write: async () => await Promise.reject(new Error('No room.')),
      close: async () => undefined,
      abort: async () => undefined,
    }),
  });
  await recording.start();
  recorders[0]?.onProblem('full');
  await settlePromises();
  expect({ saved, problems }).toEqual({ saved: [], problems: ['lost'] });
  expect(recording.store.getState()).toEqual({ name: 'idle' });
});

test('a recording that ended while offline is ended on the server too', async () => {
  const { room, recording, recorders, changed, listToggles } = await inside();
  await recording.start();
  await changed({ isRecording: true, recorderId: 'me' });
  room.store.setState({ reconnecting: true });
  room.answers.set('meeting_recording_toggle', () => new SocketError('disconnected', 'away'));
  recorders[0]?.onProblem('full');
  await settlePromises();
  expect(listToggles()).toEqual([true, false]);
  room.store.setState({ reconnecting: false });
  await settlePromises();
  expect(listToggles()).toEqual([true, false, false]);
});

test('a reload ends the recording, and the server is notified', async () => {
  const { listToggles, changed, recording } = await inside();
  await changed({ isRecording: true, recorderId: 'me' });
  await settlePromises();
  expect(listToggles()).toEqual([false]);
  expect(recording.store.getState()).toEqual({ name: 'idle' });
});
