import { Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';

export interface TranscriberMetrics {
  /** Voice notes by outcome: transcribed, or the code of the refusal. */
  voiceNotes: Counter<'outcome'>;
  /** Seconds of audio transcribed. */
  audioSeconds: Counter;
  /** Time from the complete voice note to its text, including waiting. */
  workSeconds: Histogram;
}

/** Creates all metrics of this service. */
export function createTranscriberMetrics(registry: Registry, waiting: () => number): TranscriberMetrics {
  const registers = [registry];
  new Gauge({
    name: 'nolo_transcriptions_waiting',
    help: 'Voice notes waiting to be transcribed.',
    registers,
    collect() {
      this.set(waiting());
    },
  });
  return {
    voiceNotes: new Counter({
      name: 'nolo_transcriptions_total',
      help: 'Voice notes submitted for transcription, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    audioSeconds: new Counter({
      name: 'nolo_transcription_audio_seconds_total',
      help: 'Seconds of audio transcribed.',
      registers,
    }),
    workSeconds: new Histogram({
      name: 'nolo_transcription_seconds',
      help: 'Duration of transcribing a voice note including the wait for a turn, in seconds.',
      buckets: [0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 45, 60],
      registers,
    }),
  };
}
