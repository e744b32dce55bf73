import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ConfigError } from '@nolo/kit/config';
import { detectModelConfig } from '../worker/modelFiles.ts';

/** Package that runs models. Not every installation has it. */
const packageName = 'sherpa-onnx-node';

/**
 * Checks the model at startup, so that errors do not wait for the first voice note. Only a worker may load the files,
 * because the library aborts the process if they are corrupt.
 *
 * @throws ConfigError
 */
export function checkModel(folder: string): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new ConfigError([`TRANSCRIBE_MODEL_DIR names a folder that cannot be read (${code}).`]);
  }
  if (!detectModelConfig(folder, names)) {
    throw new ConfigError([
      'TRANSCRIBE_MODEL_DIR contains no known model. It needs a file ending in tokens.txt and the .onnx files next to it, named as the project publishes them.',
    ]);
  }
  try {
    createRequire(import.meta.url).resolve(packageName);
  } catch {
    throw new ConfigError([`TRANSCRIBE_MODEL_DIR requires the npm package ${packageName}, which is not installed.`]);
  }
}
