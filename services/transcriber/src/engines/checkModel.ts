import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ConfigError } from '@nolo/kit/config';
import { describeModel } from '../worker/modelFiles.ts';

/** The package that models run with, which not every installation has. */
const packageName = 'sherpa-onnx-node';

/**
 * So that a service whose model cannot be loaded says so when it starts, and not with the first voice note. Whether the
 * files are sound only a worker may find out, for the library ends a process over those that are not.
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
  if (!describeModel(folder, names)) {
    throw new ConfigError([
      'TRANSCRIBE_MODEL_DIR names a folder without a known model: it needs a file that ends in tokens.txt and the .onnx files beside it, named as the project publishes them.',
    ]);
  }
  try {
    createRequire(import.meta.url).resolve(packageName);
  } catch {
    throw new ConfigError([`TRANSCRIBE_MODEL_DIR needs the npm package ${packageName}, which is not installed.`]);
  }
}
