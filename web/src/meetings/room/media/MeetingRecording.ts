import { createStore } from 'zustand/vanilla';
import { browserSupport } from '../../../device/browserSupport.ts';
import type { RoomState, RoomStore } from '@nolo/client/rooms/roomState';
import {
  recordingName,
  type RecordedFile,
  type RecordingEndReason,
  type RecordingProblem,
  type RecordingState,
} from '../model/recording.ts';
import { SocketError } from '@nolo/client/socket/socketRequests';
import type { SendRequest } from '@nolo/client/rooms/ports';
import type { RecorderOptions } from '../recorder/Recorder.ts';
import type { createFileSink, createMemorySink, RecordingSink, WritableHandle } from '../recorder/recordingSink.ts';
import type { TileVisibilityReporter } from '@nolo/client/rooms/tileVisibilityReporter';

interface RunningRecorder {
  readonly bytes: number;
  stop(): Promise<Blob | null>;
}

/** Recorder code, which loads with the first recording. */
interface RecorderCode {
  Recorder: new (options: RecorderOptions) => RunningRecorder;
  createFileSink: typeof createFileSink;
  createMemorySink: typeof createMemorySink;
}

export interface MeetingRecordingOptions {
  load: () => Promise<RecorderCode>;
  room: RoomStore;
  microphone: () => MediaStreamTrack | null;
  /** Returns the client of the current room. */
  client: () => { request: SendRequest; view: TileVisibilityReporter } | undefined;
  now: () => number;
  nameOf: RecorderOptions['nameOf'];
  onProblem: (problem: RecordingProblem) => void;
  /** Saves a file through the browser's downloads. */
  save: (file: Blob, name: string) => void;
  /** Called when the recording is at the destination chosen by the user. */
  onSaved: (file: RecordedFile) => void;
}

/** Maximum bytes in memory if the browser cannot write to disk. */
const maxMemoryBytes = 2 * 1024 ** 3;

/** WebM first, because browsers write it best. One browser supports only MP4. */
const types = ['video/webm;codecs=vp8,opus', 'video/webm', 'video/mp4'] as const;

interface SavePicker {
  showSaveFilePicker?: (options: {
    suggestedName: string;
    types: { description: string; accept: Record<string, string[]> }[];
  }) => Promise<WritableHandle>;
}

function recordingType(): string | undefined {
  if (!browserSupport.record()) return undefined;
  return types.find((type) => MediaRecorder.isTypeSupported(type));
}

export function canRecord(): boolean {
  return recordingType() !== undefined && 'captureStream' in HTMLCanvasElement.prototype;
}

/** Records a meeting in this browser. Notifies the server first, so that everyone else is notified. */
export class MeetingRecording {
  readonly store = createStore<RecordingState>(() => ({ name: 'idle' }));
  readonly #options: MeetingRecordingOptions;
  readonly #unsubscribe: () => void;
  #recorder: RunningRecorder | undefined;
  #fileName = '';
  /** Participant id under which the server knows that this browser records. */
  #participantId: string | null = null;
  #closed = false;

  constructor(options: MeetingRecordingOptions) {
    this.#options = options;
    this.#unsubscribe = options.room.subscribe((state, before) => this.#roomChanged(state, before));
  }

  /** Call right after a press, because the browser only then asks for the file's destination. */
  async start(): Promise<void> {
    const type = recordingType();
    const meeting = this.#options.room.getState().meeting;
    if (!type || !meeting || this.store.getState().name !== 'idle') return;
    this.#set({ name: 'starting' });
    const extension = type.includes('mp4') ? 'mp4' : 'webm';
    this.#fileName = recordingName(meeting.name, new Date(this.#options.now()), extension);
    const picked = await this.#pickFile(type, extension);
    if (picked === 'dismissed') return this.#set({ name: 'idle' });
    if (picked) this.#fileName = picked.name;
    let sink: RecordingSink | undefined;
    try {
      const code = await this.#options.load();
      sink = picked ? await code.createFileSink(picked) : code.createMemorySink(type, maxMemoryBytes);
      const client = this.#options.client();
      if (!client) throw new Error('The room was left in the meantime.');
      this.#participantId = this.#options.room.getState().selfId;
      // Recording starts only after everyone is notified.
      await client.request('meeting_recording_toggle', { enabled: true });
      if (this.#closed || this.#options.client() !== client) throw new Error('The room was left in the meantime.');
      this.#recorder = new code.Recorder({
        type,
        sink,
        store: this.#options.room,
        microphone: this.#options.microphone,
        view: client.view,
        nameOf: this.#options.nameOf,
        onProblem: (problem) => void this.stop(problem),
      });
      this.#set({ name: 'running', since: this.#options.now() });
    } catch (error) {
      await sink?.discard();
      this.#reportEnd();
      this.#set({ name: 'idle' });
      const refused = error instanceof SocketError && error.code === 'recording_refused';
      this.#options.onProblem(refused ? 'refused' : 'notStarted');
    }
  }

  /** Ends the recording, notifies everyone, and provides the file. `cut` is the reason if the user did not end it. */
  async stop(cut?: RecordingEndReason): Promise<void> {
    const recorder = this.#recorder;
    if (!recorder || this.store.getState().name !== 'running') return;
    this.#set({ name: 'finishing' });
    this.#reportEnd();
    try {
      const blob = await recorder.stop();
      if (recorder.bytes === 0) throw new Error('Nothing was recorded.');
      const file = { name: this.#fileName, bytes: recorder.bytes, blob, cut };
      if (blob === null) {
        this.#set({ name: 'idle' });
        this.#options.onSaved(file);
      } else {
        this.#set({ name: 'ready', file });
        // The screen is closed, so there is nobody to ask.
        if (this.#closed) this.save();
      }
    } catch {
      this.#set({ name: 'idle' });
      this.#options.onProblem('lost');
    } finally {
      this.#recorder = undefined;
    }
  }

  save(): void {
    const state = this.store.getState();
    if (state.name !== 'ready') return;
    if (state.file.blob) this.#options.save(state.file.blob, state.file.name);
    this.#set({ name: 'idle' });
  }

  discard(): void {
    if (this.store.getState().name === 'ready') this.#set({ name: 'idle' });
  }

  /** Called when the screen closes: saves the recording rather than losing it. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unsubscribe();
    if (this.store.getState().name === 'ready') this.save();
    else void this.stop();
  }

  /** Asks for the file to write to. Resolves to undefined if the browser keeps the recording in memory. */
  async #pickFile(type: string, extension: string): Promise<WritableHandle | 'dismissed' | undefined> {
    const picker = globalThis as SavePicker;
    if (!picker.showSaveFilePicker) return undefined;
    const mime = type.replace(/;.*/, '');
    try {
      return await picker.showSaveFilePicker({
        suggestedName: this.#fileName,
        types: [{ description: extension.toUpperCase(), accept: { [mime]: [`.${extension}`] } }],
      });
    } catch (error) {
      // Closing the picker is an answer.
      return (error as { name?: unknown }).name === 'AbortError' ? 'dismissed' : undefined;
    }
  }

  /** Ends the recording if the server has ended or forgotten it. */
  #roomChanged(state: RoomState, before: RoomState): void {
    const { phase, reconnecting, meeting, selfId } = state;
    if (phase.name === 'over' || phase.name === 'outside') return void this.stop();
    if (phase.name !== 'joined' || reconnecting || !meeting) return;
    // The end of a recording cannot be reported while disconnected, so it is reported after reconnecting.
    if (meeting.recorderId === before.meeting?.recorderId && !before.reconnecting) return;
    const ours = meeting.recorderId !== null && meeting.recorderId === selfId;
    if (this.store.getState().name === 'running') {
      if (ours) return;
      void this.stop('ended');
    } else if (ours && this.#participantId !== selfId) {
      // The page was reloaded during the recording, which was lost.
      this.#participantId = selfId;
      this.#reportEnd();
    }
  }

  #reportEnd(): void {
    if (this.#participantId === null) return;
    this.#participantId = null;
    // The server knows that a user outside the room does not record.
    if (this.#options.room.getState().phase.name !== 'joined') return;
    this.#options
      .client()
      ?.request('meeting_recording_toggle', { enabled: false })
      .catch(() => undefined);
  }

  #set(state: RecordingState): void {
    this.store.setState(state, true);
  }
}
