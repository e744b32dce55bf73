import { delimiter, dirname, join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { runCommand, type CommandResult } from '../runCommand.ts';

/** Two checks share a machine that others may use too. Unit tests alone keep both processors busy for a minute. */
const toolTimeoutMs = 420_000;

/** Runs a program of `node_modules/.bin`, or `node` itself, in a folder of the project. Never throws. */
export function runTool(program: string, args: string[], folder: string = projectRoot): Promise<CommandResult> {
  // The tools are scripts for `node` and must find the Node that runs this file rather than the machine's own.
  const path = [dirname(process.execPath), join(projectRoot, 'node_modules/.bin'), process.env['PATH'] ?? ''];
  return runCommand(program, args, {
    cwd: folder,
    timeoutMs: toolTimeoutMs,
    env: { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1', PATH: path.join(delimiter) },
  });
}
