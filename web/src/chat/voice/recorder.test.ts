/** @jest-environment jsdom */
import { settlePromises } from '../../../../packages/client/tests/fakeTimers.ts';
import type { RecorderPorts } from './recorder.ts';
import { createRecorder } from './recorder.ts';

function fakeBrowser(refused = false) {
  const track = { stopped: false, stop: () => void (track.stopped = true), onended: null as (() => void) | null };
  const stream = { getTracks: () => [track], getAudioTracks: () => [track] } as unknown as MediaStream;
  const recorder = {
    state: 'inactive',
    chunkMs: 0,
    mimeType: '',
    ondataavailable: (() => {}) as (event: { data: Blob }) => void,
    onstop: () => {},
    onerror: () => {},
    pause: () => void (recorder.state = 'paused'),
    resume: () => void (recorder.state = 'recording'),
    requestData: () => recorder.ondataavailable({ data: new Blob(['so far'], { type: recorder.mimeType }) }),
    start(chunkMs: number) {
      recorder.state = 'recording';
      recorder.chunkMs = chunkMs;
    },
    stop() {
      recorder.state = 'inactive';
      recorder.ondataavailable({ data: new Blob(['voice'], { type: recorder.mimeType }) });
      recorder.onstop();
    },
  };
  let now = 0;
  let tick: (() => void) | null = null;
  let answer = (): void => {};
  const recordingRequest = new Promise<void>((resolve) => (answer = resolve));
  const ports: RecorderPorts = {
    async openMicrophone() {
      await recordingRequest;
      if (refused) throw new DOMException('no', 'NotAllowedError');
      return stream;
    },
    makeRecorder(_, mimeType = '') {
      recorder.mimeType = mimeType;
      return recorder as unknown as MediaRecorder;
    },
    supports: (type) => type.startsWith('audio/webm'),
    makeMeter: () => ({ level: () => 0.5, close: () => {} }),
    now: () => now,
    every(_, task) {
      tick = task;
      return () => void (tick = null);
    },
  };
  return {
    ports,
    recorder,
    track,
    answer,
    run(ms: number) {
      for (let passed = 0; passed < ms; passed += 100) {
        now += 100;
        tick?.();
      }
    },
  };
}

test('the recording is Opus in WebM in chunks of 100 ms, and the time advances in steps of 0.1 s', async () => {
  const browser = fakeBrowser();
  const recorder = createRecorder(browser.ports);
  recorder.start();
  expect(recorder.store.getState().phase).toBe('starting');
  browser.answer();
  await settlePromises();
  expect(recorder.store.getState().phase).toBe('recording');
  expect(browser.recorder).toMatchObject({ chunkMs: 100, mimeType: 'audio/webm;codecs=opus' });
  browser.run(1_200);
  expect(recorder.store.getState()).toMatchObject({ elapsed: 1_200 });
  const recording = await recorder.stop();
  expect(recording).toMatchObject({ duration: 1.2, levels: Array.from({ length: 12 }, () => 0.5) });
  expect(recording?.file.type).toBe('audio/webm');
  expect(browser.track.stopped).toBe(true);
});

test('recording without a microphone fails', async () => {
  const browser = fakeBrowser(true);
  const recorder = createRecorder(browser.ports);
  recorder.start();
  browser.answer();
  await settlePromises();
  expect(recorder.store.getState().phase).toBe('failed');
  expect(await recorder.stop()).toBeNull();
});

test('discarding while the browser asks releases the microphone at once', async () => {
  const browser = fakeBrowser();
  const recorder = createRecorder(browser.ports);
  recorder.start();
  recorder.discard();
  browser.answer();
  await settlePromises();
  expect(browser.track.stopped).toBe(true);
  expect(browser.recorder.state).toBe('inactive');
});

test('unplugging the microphone ends the recording, which can still be sent', async () => {
  const browser = fakeBrowser();
  const recorder = createRecorder(browser.ports);
  recorder.start();
  browser.answer();
  await settlePromises();
  browser.run(500);
  browser.track.onended?.();
  expect(recorder.store.getState().phase).toBe('stopped');
  expect((await recorder.stop())?.duration).toBe(0.5);
});

test('a recording started after discarding one has nothing of it', async () => {
  const browser = fakeBrowser();
  const recorder = createRecorder(browser.ports);
  recorder.start();
  browser.answer();
  await settlePromises();
  browser.run(700);
  recorder.discard();
  recorder.start();
  await settlePromises();
  expect(recorder.store.getState()).toEqual({ phase: 'recording', elapsed: 0, levels: [] });
  browser.run(300);
  const recording = await recorder.stop();
  expect(recording?.duration).toBe(0.3);
  expect(recording?.file.size).toBe('voice'.length);
});

test('a pause stops the clock, allows playback, and can be resumed', async () => {
  const browser = fakeBrowser();
  const recorder = createRecorder(browser.ports);
  recorder.start();
  browser.answer();
  await settlePromises();
  browser.run(1_000);
  recorder.pause();
  expect(recorder.store.getState()).toMatchObject({ phase: 'paused', elapsed: 1_000 });
  expect(browser.recorder.state).toBe('paused');
  expect(recorder.soFar().size).toBe('so far'.length);
  browser.run(5_000);
  recorder.resume();
  browser.run(500);
  expect(recorder.store.getState()).toMatchObject({ phase: 'recording', elapsed: 1_500 });
  recorder.pause();
  const recording = await recorder.stop();
  expect(recording?.duration).toBe(1.5);
  expect(recording?.levels).toHaveLength(15);
  expect(browser.track.stopped).toBe(true);
});
