import type { UserId } from '@nolo/kit/ids';
import { readFileSync } from 'node:fs';
import { WorkerEngine } from '../src/engines/WorkerEngine.ts';

/**
 * Service with only an engine, for a test that kills it without a clean shutdown:
 *
 *   node engineProcess.ts <program> <voice.wav>
 */
const [, , program = '', file = ''] = process.argv;
const engine = new WorkerEngine({
  concurrency: 1,
  settings: { command: [program], maxSeconds: 600, environment: { PATH: process.env['PATH'] ?? '' } },
});
await engine.transcribe(
  '00000000-0000-4000-8000-000000000001' as UserId,
  { bytes: readFileSync(file), format: 'wav', seconds: 1 },
  new AbortController().signal,
);
