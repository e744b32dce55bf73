import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Recogniser } from './createRecogniser.ts';
import { sampleRate } from './decodeAudio.ts';
import { JobRefusedError } from './messages.ts';
import { detectModelConfig } from './modelFiles.ts';
import { splitAtQuietPlaces } from './splitAtQuietPlaces.ts';

/** Types of the used part of sherpa-onnx-node, which has no types of its own. */
interface Sherpa {
  OfflineRecognizer: {
    createAsync(config: object): Promise<{
      createStream(): { acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void };
      decodeAsync(stream: object): Promise<{ text: string }>;
    }>;
  };
}

/** Maximum seconds per segment. Whisper processes thirty seconds and drops the rest. */
const maxChunkSeconds = 28;
const maxThreads = 4;

async function loadSherpa(): Promise<Sherpa> {
  // Resolved only when needed, because not every installation has it.
  const name = 'sherpa-onnx-node';
  try {
    return ((await import(name)) as { default: Sherpa }).default;
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new JobRefusedError('failed', `the npm package ${name} cannot be loaded: ${reason}`);
  }
}

/**
 * Loads a model, which stays in memory for the life of the process. The library works outside this thread, which keeps
 * reacting to the service.
 */
export async function loadSherpaRecogniser(folder: string): Promise<Recogniser> {
  const names = await readdir(folder).catch(() => {
    throw new JobRefusedError('failed', 'TRANSCRIBE_MODEL_DIR cannot be read');
  });
  const model = detectModelConfig(folder, names);
  if (!model) throw new JobRefusedError('failed', 'TRANSCRIBE_MODEL_DIR contains no known model');
  const { OfflineRecognizer } = await loadSherpa();
  const recognizer = await OfflineRecognizer.createAsync({
    featConfig: { sampleRate, featureDim: 80 },
    modelConfig: { ...model, numThreads: Math.min(maxThreads, availableParallelism()), provider: 'cpu', debug: 0 },
  });
  return {
    async recognise(samples) {
      const texts: string[] = [];
      for (const segment of splitAtQuietPlaces(samples, sampleRate, maxChunkSeconds)) {
        const stream = recognizer.createStream();
        stream.acceptWaveform({ samples: segment, sampleRate });
        const { text } = await recognizer.decodeAsync(stream);
        texts.push(text.trim());
      }
      return texts.join(' ');
    },
  };
}
