import { CommandRecogniser } from './CommandRecogniser.ts';
import type { WorkerSettings } from './messages.ts';

/** Converts audio at `sampleRate` to text. */
export interface Recogniser {
  /** @param folder folder for temporary files */
  recognise(samples: Float32Array, folder: string): Promise<string>;
}

export async function createRecogniser({ command, modelDir, environment }: WorkerSettings): Promise<Recogniser> {
  if (command) return new CommandRecogniser(command, environment);
  if (modelDir === undefined) throw new Error('neither a program nor a model is configured');
  // Loaded only here, because it requires a native library that not every installation has.
  const { loadSherpaRecogniser } = await import('./SherpaRecogniser.ts');
  return await loadSherpaRecogniser(modelDir);
}
