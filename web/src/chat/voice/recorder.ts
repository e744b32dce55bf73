import { createStore } from 'zustand/vanilla';

export interface Recording {
  readonly file: Blob;
  /** Duration in seconds. */
  readonly duration: number;
  /** Loudness ten times a second, from 0 to 1. */
  readonly levels: readonly number[];
}

export interface RecorderState {
  readonly phase: 'starting' | 'recording' | 'paused' | 'stopped' | 'failed';
  /** Recorded milliseconds, in steps of 100. */
  readonly elapsed: number;
  readonly levels: readonly number[];
}

/** Browser features that a recorder needs. */
export interface RecorderPorts {
  openMicrophone(): Promise<MediaStream>;
  makeRecorder(stream: MediaStream, mimeType: string | undefined): MediaRecorder;
  supports(mimeType: string): boolean;
  /** Measures the current loudness of the stream, from 0 to 1. */
  makeMeter(stream: MediaStream): { level(): number; close(): void };
  now(): number;
  every(ms: number, task: () => void): () => void;
}

/** Interval of spec section 9. */
const chunkMs = 100;
const longestMs = 3_600_000;

/** Opus in WebM as specified, or in MP4 for browsers that cannot record WebM. */
const mimeTypes = ['audio/webm;codecs=opus', 'audio/webm', 'audio/mp4;codecs=opus', 'audio/mp4'];

export type VoiceRecorder = ReturnType<typeof createRecorder>;

/** Records from the microphone, with pauses, until stopped or discarded. */
export function createRecorder(ports: RecorderPorts) {
  const begun: RecorderState = { phase: 'starting', elapsed: 0, levels: [] };
  const store = createStore<RecorderState>(() => begun);
  /** Increases with each start and end, so that results of earlier recordings are ignored. */
  let turn = 0;
  let chunks: Blob[] = [];
  let finish: (() => void) | null = null;
  let setPaused = (_paused: boolean): void => {};
  let release = (): void => {};

  const begin = async (mine: number): Promise<void> => {
    const stream = await ports.openMicrophone();
    const letGo = (): void => stream.getTracks().forEach((track) => track.stop());
    // Discarded during the browser's prompt.
    if (mine !== turn) return letGo();
    const type = mimeTypes.find((one) => ports.supports(one));
    const recorder = ports.makeRecorder(stream, type);
    const meter = ports.makeMeter(stream);
    let startedAt = ports.now();
    recorder.ondataavailable = ({ data }) => {
      if (data.size > 0 && mine === turn) chunks.push(data);
    };
    const stopClock = ports.every(chunkMs, () => {
      const { phase, levels } = store.getState();
      if (phase !== 'recording') return;
      const elapsed = Math.floor((ports.now() - startedAt) / chunkMs) * chunkMs;
      store.setState({ elapsed, levels: [...levels, meter.level()] });
      if (elapsed >= longestMs) recorder.stop();
    });
    setPaused = (paused) => {
      const { phase, elapsed } = store.getState();
      if (phase !== (paused ? 'recording' : 'paused')) return;
      if (paused) {
        recorder.pause();
        // Requests the data recorded so far.
        recorder.requestData();
      } else {
        startedAt = ports.now() - elapsed;
        recorder.resume();
      }
      store.setState({ phase: paused ? 'paused' : 'recording' });
    };
    release = () => {
      stopClock();
      meter.close();
      letGo();
      release = () => {};
    };
    finish = () => {
      if (recorder.state !== 'inactive') recorder.stop();
    };
    const end = (phase: 'stopped' | 'failed') => (): void => {
      if (mine !== turn) return;
      release();
      store.setState({ phase });
    };
    const [track] = stream.getAudioTracks();
    // The microphone was unplugged or taken over. The recording up to then is saved.
    if (track) track.onended = finish;
    recorder.onstop = end('stopped');
    recorder.onerror = end('failed');
    recorder.start(chunkMs);
    store.setState({ phase: 'recording' });
  };

  const stopped = (): Promise<boolean> =>
    new Promise((resolve) => {
      const handleState = ({ phase }: RecorderState): void => {
        if (phase !== 'stopped' && phase !== 'failed') return;
        unsubscribe();
        resolve(phase === 'stopped');
      };
      const unsubscribe = store.subscribe(handleState);
      handleState(store.getState());
    });

  return {
    store,
    start(): void {
      const mine = (turn += 1);
      store.setState(begun);
      begin(mine).catch(() => {
        if (mine !== turn) return;
        release();
        store.setState({ phase: 'failed' });
      });
    },
    pause: (): void => setPaused(true),
    resume: (): void => setPaused(false),
    /** Returns the recording so far, for playback. */
    soFar: (): Blob => new Blob(chunks, { type: chunks[0]?.type ?? '' }),
    /** Ends the recording. Resolves to null if it is empty. */
    async stop(): Promise<Recording | null> {
      const wasRecording = finish !== null;
      finish?.();
      if (!wasRecording || !(await stopped()) || chunks.length === 0) return null;
      const { elapsed, levels } = store.getState();
      const file = new Blob(chunks, { type: (chunks[0]?.type ?? 'audio/webm').split(';')[0] ?? 'audio/webm' });
      return { file, duration: Math.max(elapsed, chunkMs) / 1_000, levels };
    },
    discard(): void {
      turn += 1;
      finish?.();
      finish = null;
      release();
      chunks = [];
      store.setState({ phase: 'stopped' });
    },
  };
}
