import type { Log } from '@nolo/kit/log';
import type { TranscriberConfig } from '../config.ts';
import type { TranscriptionEngine } from '../domain/ports.ts';
import { splitCommand } from '../domain/splitCommand.ts';
import { maxAudioSeconds } from '../domain/usage.ts';
import { checkModel } from './checkModel.ts';
import { findProgram } from './findProgram.ts';
import { OpenAiEngine } from './OpenAiEngine.ts';
import { WorkerEngine } from './WorkerEngine.ts';

/**
 * Creates the configured engine.
 *
 * @throws ConfigError if its model cannot be loaded
 */
export function createEngine(config: TranscriberConfig, log: Log): TranscriptionEngine {
  const concurrency = config.TRANSCRIBE_CONCURRENCY;
  if (config.TRANSCRIBE_URL !== undefined) {
    return new OpenAiEngine({
      url: config.TRANSCRIBE_URL,
      apiKey: config.TRANSCRIBE_API_KEY,
      model: config.TRANSCRIBE_MODEL,
      concurrency,
      log,
    });
  }
  if (config.TRANSCRIBE_MODEL_DIR !== undefined) checkModel(config.TRANSCRIBE_MODEL_DIR);
  const ffmpeg = config.TRANSCRIBE_FFMPEG ?? findProgram('ffmpeg', config.programEnvironment['PATH']);
  if (ffmpeg === undefined) log.warn('ffmpeg not found; only WAV voice notes can be transcribed');
  return new WorkerEngine({
    concurrency,
    settings: {
      command: config.TRANSCRIBE_COMMAND === undefined ? undefined : splitCommand(config.TRANSCRIBE_COMMAND),
      modelDir: config.TRANSCRIBE_MODEL_DIR,
      ffmpeg,
      maxSeconds: maxAudioSeconds,
      environment: config.programEnvironment,
    },
  });
}
