import { CommandRecogniser } from './CommandRecogniser.ts';
import type { WorkerSettings } from './messages.ts';

/** Makes words of sound, at the rate of `sampleRate`. */
export interface Recogniser {
  /** @param folder in which files may lie while it works */
  recognise(samples: Float32Array, folder: string): Promise<string>;
}

export async function createRecogniser({ command, modelDir, environment }: WorkerSettings): Promise<Recogniser> {
  if (command) return new CommandRecogniser(command, environment);
  if (modelDir === undefined) throw new Error('there is neither a program nor a model');
  // Only here, for it brings a library of native code, which is there only where somebody wants it.
  const { loadSherpaRecogniser } = await import('./SherpaRecogniser.ts');
  return await loadSherpaRecogniser(modelDir);
}
